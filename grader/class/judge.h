// SPDX-License-Identifier: Apache-2.0
// The process that reads students' bytes: ClassTasks on its standard input, an Outcome for each on
// its standard output. Each message follows its length in 8 bytes.
//
// A worker starts one judge, under bubblewrap if possible. The judge keeps everything that all
// grades need: the course, the compiled references, the times of copies. It grades each submission
// in a child process, which has a copy of this state and no access to other submissions. The child
// confines itself (sandbox.h), and all its effects end with it.
#pragma once

#include <cstdint>
#include <functional>

#include "common/run/backend.h"
#include "grader/class/outcome.h"
#include "grader/class/sandbox.h"
#include "grader/class/task.h"
#include "grader/report/provenance.h"

namespace warpgrade::grader::class_book {

/// Describes the grader; called for each grade, since it contains the time.
using MakeProvenance = std::function<report::Provenance()>;

/// The command of the process, for the command line's model.
inline constexpr const char* kJudgeCommand = "class-judge";

/// The size of a task or an outcome.
inline constexpr std::uint64_t kMostMessageBytes = std::uint64_t{256} << 20;

/// Serves until its input ends. Throws base::UsageError if the course cannot be read.
int run_judge(run::Backend backend, const MakeProvenance& provenance);

/// The files that a judge may see: the toolkit, the program, the labs, the system's libraries.
View judge_view(run::Backend backend);

}  // namespace warpgrade::grader::class_book
