// SPDX-License-Identifier: Apache-2.0
// The folder through which tasks and their results pass between a run and its workers.
//
// In: tasks of a run. Out: an outcome for each. Workers, also those of other machines, never open
// the book.
// A task is a file, and each step is a rename, which no crash leaves half done: from tasks to
// claims to results.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "grader/class/hand_in.h"
#include "grader/class/outcome.h"

namespace warpgrade::grader::class_book {

// A worker's input, a message of common/base/wire.h. Its output is an Outcome (outcome.h).

struct Task {
  std::string key;  ///< The grade's: content, manifest, program, backend.
  std::string lab;
  std::string exercise;
  std::vector<HandedFile> files;  ///< The exercise's first.
  std::string cards;              ///< JSON of CardFacts; empty unless it is graded on a card.
};

inline auto wire_fields(Task& task) {
  return std::tie(task.key, task.lab, task.exercise, task.files, task.cards);
}

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
