// SPDX-License-Identifier: Apache-2.0
// A worker: claims tasks of a spool, has a judge grade them, and stores the results, until no task
// is left. It never reads a submission itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/run/backend.h"
#include "grader/class/task.h"

namespace warpgrade::grader::class_book {

/// The command of the process, for the command line's model.
inline constexpr const char* kWorkerCommand = "class-worker";

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
