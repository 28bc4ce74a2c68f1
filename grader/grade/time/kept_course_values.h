// SPDX-License-Identifier: Apache-2.0
// Speeds of the course's own files on GPUs, kept from one run of the program to the next.
//
// A bound that is a share of the solution's speed must not change from grade to grade. So the
// solution is measured once per card, driver, toolkit, program and course, and the file in the
// user's cache has the result. Delete the file to measure again.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "grader/grade/plan/course_values.h"

namespace warpgrade::grader::grade {

/// Identifies kept values.
struct CourseOnCardKey {
  std::string card;      ///< Device and driver.
  std::string course;    ///< manifest_hash() of the lab.
  std::string exercise;  ///< "LAB/EXERCISE".
};

class KeptCourseValues {
 public:
  /// Keeps nothing.
  KeptCourseValues() = default;
  /// Values that were written with other `services` (program and toolkit) do not count.
  KeptCourseValues(std::filesystem::path file, std::string services)
      : file_(std::move(file)), services_(std::move(services)) {}

  /// Reads the file, which other processes may have written.
  std::optional<CourseValues> find(const CourseOnCardKey& key) const;
  /// Ignores a failure to write.
  void keep(const CourseOnCardKey& key, const CourseValues& values) const;

 private:
  std::filesystem::path file_;
  std::string services_;
};

/// The file in the user's cache, for this program and toolkit; keeps nothing if the user has no
/// home or no compiler exists.
KeptCourseValues stored_course_values();

}  // namespace warpgrade::grader::grade
