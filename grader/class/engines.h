// SPDX-License-Identifier: Apache-2.0
// The places where the workers of a class run: this machine, or an array of Slurm jobs.
//
// If every core has a worker, a second thread only displaces another judge. Therefore each worker
// keeps one core then.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/class/worker.h"

namespace warpgrade::grader::class_book {

// The place where the workers of a class run.

class Engine {
 public:
  virtual ~Engine() = default;
  /// Starts workers that wait for the first task, if starting them takes long.
  virtual void prepare() {}
  /// Starts missing workers while tasks wait. Throws base::ToolError if none can start, or if they
  /// keep ending at once.
  virtual void keep_working() = 0;
  /// Workers that have ended since the last call, by name.
  virtual std::vector<std::string> ended() = 0;
  /// Whether any worker runs, or waits to.
  virtual bool is_busy() const = 0;
};

// The core of each worker of this machine.
//
// If every core has a worker, a judge with a second thread, or a second compiler, only displaces
// another judge, and pays for the change. Therefore such a worker keeps one core, and its judge
// starts one thread.

/// The core of the worker in place `place` of `workers`, counted from 0, among the `allowed` cores;
/// nullopt if there are fewer workers than cores, which then share the cores.
std::optional<int> core_of_worker(const cpu_set_t& allowed, std::size_t place, std::size_t workers);

/// Restricts this process and its children to the core of its place.
void keep_to_core(std::size_t place, std::size_t workers);

// Workers as processes of this machine, which end with the one that started them.

class LocalEngine : public Engine {
 public:
  /// `options.name` and `local` are set for each worker. With `cards`, each worker gets one of
  /// these exclusively, by its number, and there are at most as many workers as cards.
  LocalEngine(WorkerOptions options, std::size_t workers, std::vector<std::string> cards = {})
      : options_(std::move(options)),
        workers_(cards.empty() ? workers : std::min(workers, cards.size())),
        cards_(std::move(cards)) {}
  ~LocalEngine() override;
  LocalEngine(const LocalEngine&) = delete;
  LocalEngine& operator=(const LocalEngine&) = delete;

  void keep_working() override;
  std::vector<std::string> ended() override;
  bool is_busy() const override { return !running_.empty(); }

 private:
  void start();

  WorkerOptions options_;
  std::size_t workers_;
  std::size_t started_ = 0;
  std::size_t failed_ = 0;
  struct Running {
    std::string name;
    std::size_t place = 0;  ///< Number among the workers, and of its card if it has one.
  };
  std::vector<std::string> cards_;
  std::map<pid_t, Running> running_;
};

// Workers as an array of Slurm jobs, which pull tasks from the spool in a folder that all nodes
// share.

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
