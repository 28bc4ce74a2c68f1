// SPDX-License-Identifier: Apache-2.0
// A student's progress: for each exercise, the best grade of the student's own file, stored on
// their machine.
//
// The file is `progress.json` in the program's state folder ($XDG_STATE_HOME/warpgrade, by default
// ~/.local/state/warpgrade), for all courses of this machine by their paths:
//
//   {"schema": "warpgrade.progress/1",
//    "courses": {"/home/ada/course": {"coalescing/copy":
//      {"best": 4, "last": 3, "of": 10, "passed": false, "attempts": 7}}}}
//
// The file is replaced as a whole, under a lock, so that neither a crash nor two programs at once
// lose data. It belongs to the student and decides nothing; failure to write it is not an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::watch {

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

/// Adds an attempt for each exercise of `report` that was judged. Returns why it could not be
/// stored; empty on success, or if no file is possible.
std::string keep_progress(const std::filesystem::path& file, const std::filesystem::path& root,
                          const report::Report& report);

}  // namespace warpgrade::grader::watch
