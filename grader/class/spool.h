// SPDX-License-Identifier: Apache-2.0
// The folder through which tasks and results pass, so that workers, also those of other machines,
// never open the book. A task is a file, and each step is a rename, which no crash leaves half
// done:
//
//   tasks/NAME  ->  claims/NAME@WORKER  ->  results/NAME
//
// NAME begins with a number, by which tasks are taken in order, and ends with the grade's key.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/outcome.h"
#include "grader/class/task.h"

namespace warpgrade::grader::class_book {

class Spool {
 public:
  /// The time between two looks at the folder.
  static constexpr std::chrono::milliseconds kGlance{20};

  explicit Spool(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Creates the folders. Throws base::ToolError on failure.
  void make();
  /// Removes all tasks, claims and results.
  void clear();
  /// Removes all tasks and claims; results remain.
  void clear_tasks();
  void put(std::size_t number, const Task& task);

  /// Lets workers that find no task wait for one, until end_announcement().
  void announce();
  /// Call it once all tasks are put.
  void end_announcement();
  bool is_announced() const;

  struct Claim {
    std::string name;
    Task task;
  };
  /// Claims the next task for `worker`; nullopt if none is left.
  std::optional<Claim> claim(const std::string& worker);
  /// Hands in the result of a claim: written whole, then the claim is gone.
  void finish(const Claim& claim, const std::string& worker, const Outcome& outcome);
  /// The claims of a worker that has ended become tasks again. Returns their keys.
  std::vector<std::string> give_back(const std::string& worker);

  /// Removes a task, so that no worker tries it again.
  void drop(const std::string& key);

  struct Result {
    std::filesystem::path file;
    Outcome outcome;
  };
  /// Finished results; removes unreadable ones.
  std::vector<Result> results() const;
  bool has_tasks() const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::vector<std::string> names(const char* part) const;

  void clear(const char* part);
  std::filesystem::path announcement() const { return folder_ / "announced"; }

  std::filesystem::path folder_;
  std::vector<std::string> known_;  // Listed tasks, last one first.
};

}  // namespace warpgrade::grader::class_book
