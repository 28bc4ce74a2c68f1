// SPDX-License-Identifier: Apache-2.0
// What an instructor wants to see of a book, as plain structs: how the points are distributed, what
// stops how many, when attempts came, what was slow, what could not be judged. The page of a class
// (class_page.h) shows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/class/sqlite.h"

namespace warpgrade::grader {

/// A name and how many students it is about.
struct NamedCount {
  std::string name;
  std::int64_t count = 0;
};

struct ExerciseNumbers {
  std::string lab;
  std::string exercise;
  double max_points = 0;
  std::vector<double> points;  ///< One a student with a grade, before deductions, ascending.
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t missing = 0;
  std::int64_t open = 0;
  std::int64_t attempts = 0;
  std::vector<NamedCount> reasons;   ///< Reasons of grades that failed: "compile", ...
  std::vector<NamedCount> gates;     ///< Decided and not passed, the most first.
  std::vector<NamedCount> findings;  ///< Kinds of diagnostics, the most first.
};

struct AttemptTime {
  std::int64_t at = 0;  ///< Seconds since 1970.
  bool late = false;
};

struct SlowGrade {
  std::string student;
  std::string exercise;
  double seconds = 0;
  std::string outcome;  ///< "pass", or the reason of a failure.
};

/// Something to do for the instructor: a submission without a grade, or a file that was refused.
struct OpenMatter {
  std::string what;
  std::string why;
};

struct StudentNumbers {
  std::string student;
  std::string name;
  double points = 0;
  double max_points = 0;
  struct Cell {
    std::string verdict;  ///< "open" where there is no grade.
    double points = 0;
  };
  std::vector<Cell> cells;  ///< One an exercise.
};

struct ClassNumbers {
  std::string last_run;  ///< In words; empty where there was none.
  std::string policy;
  std::vector<ExerciseNumbers> exercises;
  std::vector<AttemptTime> attempts;  ///< By time.
  std::vector<SlowGrade> slowest;     ///< At most ten.
  std::vector<OpenMatter> open;
  std::vector<OpenMatter> problems;  ///< The last run's.
  std::vector<StudentNumbers> students;
};

ClassNumbers class_numbers(Sqlite& book);

}  // namespace warpgrade::grader
