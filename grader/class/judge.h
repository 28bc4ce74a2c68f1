// SPDX-License-Identifier: Apache-2.0
// The process that reads students' bytes: ClassTasks on its standard input, an Outcome for each on
// its standard output, each message behind its length in 8 bytes.
//
// It is started once by a worker, under bubblewrap where that may be used, and keeps what all
// grades need: the course, the compiled references, the times of copies. Each submission is graded
// in a child of its own, which has a copy of all that and of no other submission, confines itself
// (sandbox.h), and is gone with everything that it did afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "common/run/backend.h"
#include "grader/class/sandbox.h"
#include "grader/class/task.h"
#include "grader/report/provenance.h"

namespace warpgrade::grader {

/// Says who makes the grades; called for each, since it has the time.
using MakeProvenance = std::function<Provenance()>;

/// The command of the process, for the command line's model.
inline constexpr const char* kJudgeCommand = "class-judge";

/// Serves until its input ends. Throws base::UsageError where the course cannot be read.
int run_judge(run::Backend backend, const MakeProvenance& provenance);

/// The files that a judge may see: the toolkit, the program, the labs, the system's libraries.
View judge_view(run::Backend backend);

/// Writes and reads one message; false, or nothing, where the other end is gone.
bool send_message(int descriptor, const std::string& message);
std::optional<std::string> receive_message(int descriptor);

}  // namespace warpgrade::grader
