// SPDX-License-Identifier: Apache-2.0
// Predicted times of the copy baseline: kept from one run of the program to the next, and
// predicted before the submissions that need them.
// In: a device and a size. Out: seconds. The file of times records size and date of the program's
// and the compiler's files. If these differ, or it is damaged, it is ignored.
// A judge must not trust results of the child process that grades a submission. It therefore
// predicts the times itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

/// Seconds by bytes read and written together, as measure::SimBench::copies() returns them.
using CopySeconds = std::map<std::uint64_t, double>;

class CopyTimes {
 public:
  /// Without any times.
  CopyTimes() = default;
  /// Reads `file`; ignores times that were written with other `services`.
  CopyTimes(std::filesystem::path file, std::string services);

  CopySeconds of(const std::string& device) const;
  /// Stores the known times, by device, and writes the file if there are new ones. Ignores a
  /// failure to write.
  void keep(const std::map<std::string, CopySeconds>& known);

 private:
  std::filesystem::path file_;
  std::string services_;
  std::map<std::string, CopySeconds> devices_;
};

/// The file in the user's cache; empty if the user has no home.
std::filesystem::path copy_times_file();

/// The times in that file, for this process's versions; without a file if the user has no home or
/// no compiler exists.
CopyTimes stored_copy_times();

// Predicts times of copies before the submissions that need them.
//
// A judge grades each submission in a child process and must not trust its results, so it cannot
// keep a child's predictions. The judge predicts the times itself: first the sizes that every
// submission for the exercise needs, then one more size per submission, until all are known. So
// unused sizes never cost the judge more than copies cost its children.

class CopiesAhead {
 public:
  /// A case with more sizes is not predicted ahead: few submissions would have the same size.
  static constexpr std::size_t kMostSizes = 16;

  /// Call it before each submission for the exercise. `targets` are simulated devices; `gates` are
  /// the exercise's gates on them.
  void predict(const course::KernelExercise& exercise, const std::vector<Target>& targets,
               const std::vector<report::Gate>& gates);

 private:
  // Bytes that are not predicted yet, each once, by exercise and device.
  std::map<std::pair<const course::KernelExercise*, std::string>, std::vector<std::uint64_t>> open_;
};

}  // namespace warpgrade::grader::grade
