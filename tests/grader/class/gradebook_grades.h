// SPDX-License-Identifier: Apache-2.0
// Grades of one lab, and a gradebook filled in with them, for the tests of gradebooks.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/class/gradebook.h"

namespace warpgrade::grader::class_book {

/// A grade of `exercise`, of 10 points at most; no `points` while the work is open.
inline report::ClassGrade gradebook_grade(const std::string& student, const std::string& exercise,
                                          std::optional<double> points) {
  report::ClassGrade out;
  out.student = student;
  out.lab = "lab";
  out.exercise = exercise;
  out.points = points;
  out.max_points = 10;
  return out;
}

/// Work that the student is excused from.
inline report::ClassGrade excused_grade(const std::string& student, const std::string& exercise) {
  auto out = gradebook_grade(student, exercise, std::nullopt);
  out.excused = true;
  return out;
}

/// The text of `file` with the grades filled in.
inline std::string filled_gradebook(const std::string& file,
                                    const std::vector<report::ClassGrade>& grades,
                                    const std::map<std::string, std::string>& titles = {}) {
  return fill_gradebook(read_gradebook(file, "roster.csv"), grades, titles);
}

}  // namespace warpgrade::grader::class_book
