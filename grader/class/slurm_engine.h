// SPDX-License-Identifier: Apache-2.0
// Workers as an array of Slurm jobs, which pull tasks from the spool in a folder that all nodes
// share. The claims of a job that was preempted, cancelled or lost with its node become tasks
// again.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "grader/class/engine.h"
#include "grader/class/worker.h"

namespace warpgrade::grader::class_book {

class SlurmEngine : public Engine {
 public:
  /// Sets `options.name` for each worker. With a backend `gpu` each job requests one GPU. Throws
  /// base::ToolError if `sbatch` is missing.
  SlurmEngine(WorkerOptions options, std::size_t workers);
  /// Cancels what still runs.
  ~SlurmEngine() override;
  SlurmEngine(const SlurmEngine&) = delete;
  SlurmEngine& operator=(const SlurmEngine&) = delete;

  /// Submits the array, so that Slurm's delay overlaps the intake. Clears the spool of tasks.
  void prepare() override;
  void keep_working() override;
  std::vector<std::string> ended() override;
  bool is_busy() const override { return !job_.empty(); }

 private:
  WorkerOptions options_;
  std::size_t workers_;
  std::size_t submitted_ = 0;
  std::string job_;              // Running job array; empty: none.
  std::set<std::string> alive_;  // Workers that have not ended.
  long long asked_at_ = 0;       // Milliseconds of a steady clock, to limit queries to Slurm.
};

/// The array's workers that have not ended, from `squeue`'s lines "JOB_TASK STATE", which include
/// waiting ones: "7_[2-4] PENDING".
std::set<std::string> slurm_workers(const std::string& squeue, const std::string& job,
                                    std::size_t workers);

/// The script for sbatch.
std::string slurm_script(const WorkerOptions& options, const std::string& program,
                         const std::string& root, std::size_t workers);

}  // namespace warpgrade::grader::class_book
