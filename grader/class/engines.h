// SPDX-License-Identifier: Apache-2.0
// The places where the workers of a class run: this machine, or an array of Slurm jobs.
//
// If every core has a worker, a judge with a second thread, or a second compiler, only displaces
// another judge, and pays for the change. Therefore such a worker keeps one core, and its judge
// starts one thread.
#pragma once

#include <sched.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/class/worker.h"

namespace warpgrade::grader::class_book {

/// The place where the workers of a class run.
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

/// The core of the worker in place `place` of `workers`, counted from 0, among the `allowed` cores;
/// nullopt if there are fewer workers than cores, which then share the cores.
std::optional<int> core_of_worker(const cpu_set_t& allowed, std::size_t place, std::size_t workers);

/// The first place of a worker, numbered from 0, that is not in `busy`; `places` if none is free.
std::size_t free_place(const std::vector<std::size_t>& busy, std::size_t places);

/// Restricts this process and its children to the core of its place.
void keep_to_core(std::size_t place, std::size_t workers);

/// A GPU by the driver's number, and how many grades it has memory for at once.
struct Card {
  std::string number;
  std::size_t grades = 1;
};

/// The card of the worker in each place: first each card once, then those with memory for another
/// grade again, up to four times: more workers would wait, since launches are timed in turns.
std::vector<std::string> places_on(const std::vector<Card>& cards);

/// Workers as processes of this machine, which end with the one that started them. Sets
/// `options.name` and `local` for each worker. With `cards`, each worker uses the one of its place
/// (see places_on()), and there are at most as many workers as places.
std::unique_ptr<Engine> local_engine(WorkerOptions options, std::size_t workers,
                                     std::vector<std::string> cards = {});

/// Workers as an array of Slurm jobs, which pull tasks from the spool in a folder that all nodes
/// share. Sets `options.name` for each worker. With a backend `gpu` each job requests one GPU.
/// Throws base::ToolError if `sbatch` is missing.
std::unique_ptr<Engine> slurm_engine(WorkerOptions options, std::size_t workers);

/// The array's workers that have not ended, from `squeue`'s lines "JOB_TASK STATE", which include
/// waiting ones: "7_[2-4] PENDING".
std::set<std::string> slurm_workers(const std::string& squeue, const std::string& job,
                                    std::size_t workers);

/// The script for sbatch.
std::string slurm_script(const WorkerOptions& options, const std::string& program,
                         const std::string& root, std::size_t workers);

}  // namespace warpgrade::grader::class_book
