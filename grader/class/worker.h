// SPDX-License-Identifier: Apache-2.0
// A worker claims tasks of a spool and stores their results; its judge reads students' bytes and
// grades them.
//
// The judge reads Tasks on its standard input, and writes an Outcome for each to its standard
// output. Each message follows its length in 8 bytes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/run/launch.h"
#include "grader/class/sandbox.h"
#include "grader/report/report.h"

namespace warpgrade::grader::class_book {

// The process that reads students' bytes: ClassTasks on its standard input, an Outcome for each on
// its standard output.
//
// A worker starts one judge, under bubblewrap if possible. The judge keeps everything that all
// grades need: the course, the compiled references, the times of copies. It grades each submission
// in a child process, which has a copy of this state and no access to other submissions. The child
// confines itself (sandbox.h), and all its effects end with it.

/// Describes the grader; called for each grade, since it contains the time.
using MakeProvenance = std::function<report::Provenance()>;

/// The command of the process, for the command line's model.
inline constexpr const char* kJudgeCommand = "class-judge";

/// Serves until its input ends. Throws base::UsageError if the course cannot be read.
int run_judge(run::Backend backend, const MakeProvenance& provenance);

/// The files that a judge may see: the toolkit, the program, the labs, the system's libraries.
View judge_view(run::Backend backend);

struct WorkerOptions {
  std::filesystem::path spool;
  std::string name;  ///< Unique among running workers; claims contain it.
  run::Backend backend{};
  bool bubblewrap = false;
  bool local = false;  ///< Started by a coordinator here, with which it ends.
};

/// The words after the program's name that start a worker.
std::vector<std::string> worker_words(const WorkerOptions& options);

/// Works until no task is left. Throws base::ToolError if the judge cannot start.
int run_worker(const WorkerOptions& options);

}  // namespace warpgrade::grader::class_book
