// SPDX-License-Identifier: Apache-2.0
// A student's progress: best grades, seen hints, and the changes between two attempts.
//
// In: reports of the student's own file. Out: the best grade of each exercise and the number of
// hints seen, stored on the student's machine; the changes since the last attempt.
// Both files are replaced as a whole and belong to the student. They decide nothing; failure to
// write the progress is not an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.h"
#include "grader/report/report.h"

namespace warpgrade::grader::watch {

// Stores the number of hints that a student has seen for each exercise: `hints.json` in the
// program's cache folder, by the path of the exercise. A report shows the first hint, so one counts
// as seen from the start.

std::filesystem::path hints_file();

/// At least 1, even if the file is missing or damaged, since hints are not secret.
std::size_t seen_hints(const std::filesystem::path& file, const std::string& exercise);

/// If the file cannot be written, the same hint is shown again: no failure.
void keep_seen_hints(const std::filesystem::path& file, const std::string& exercise,
                     std::size_t count);

// The changes between two attempts at an exercise, one per line, the most important first:
//
//   points: 3 -> 7 of 10
//   loads_coalesced: 4 -> 32, passes now
//   speed_h200: 0.124 -> 0.311
//
// Gates whose number stayed the same are not named.

enum class Direction { kBetter, kWorse, kMoved };

struct AttemptChange {
  std::string text;
  Direction direction = Direction::kMoved;

  friend bool operator==(const AttemptChange&, const AttemptChange&) = default;
};

/// Both are of the same exercise.
std::vector<AttemptChange> changes_between(const report::ExerciseReport& before,
                                           const report::ExerciseReport& after);

struct ExerciseProgress {
  std::uint32_t best = 0;
  std::uint32_t last = 0;
  std::uint32_t of = 0;
  bool passed = false;  ///< Whether any attempt passed.
  std::uint64_t attempts = 0;

  friend bool operator==(const ExerciseProgress&, const ExerciseProgress&) = default;
};

/// By "LAB/EXERCISE".
using StudentProgress = std::map<std::string, ExerciseProgress>;

std::filesystem::path progress_file();

/// The progress that `file` keeps of the course at `root`; empty if it is missing or damaged.
StudentProgress read_progress(const std::filesystem::path& file, const std::filesystem::path& root);

/// The next exercise of `course` that the student has not passed; nullopt if all are passed. The
/// search starts after the exercise `after` ("LAB/EXERCISE") and goes once round the course.
std::optional<course::Selected> next_exercise(const course::Course& course,
                                              const StudentProgress& progress,
                                              std::string_view after = {});

/// Adds an attempt for each exercise of `report` that was judged. Returns why it could not be
/// stored; empty on success, or if no file is possible.
std::string keep_progress(const std::filesystem::path& file, const std::filesystem::path& root,
                          const report::Report& report);

}  // namespace warpgrade::grader::watch
