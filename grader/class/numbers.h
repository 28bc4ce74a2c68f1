// SPDX-License-Identifier: Apache-2.0
// An instructor's view of a book, as plain structs: files that need a person, the distribution of
// points, the obstacles by student, the times of attempts, and slow grades. The page of a class
// (page.h) shows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/class/book_file.h"
#include "grader/class/exceptions.h"
#include "grader/class/explain.h"
#include "grader/class/identities.h"
#include "grader/class/status.h"
#include "grader/class/timestamps.h"

namespace warpgrade::grader::class_book {

/// A reason, gate or kind of diagnostic, and the students whom it stops.
struct NamedStudents {
  std::string name;
  std::vector<std::string> students;
};

struct ExerciseNumbers {
  std::string lab;
  std::string exercise;
  double max_points = 0;
  std::vector<double> points;  ///< One per student with a grade, before deductions, ascending.
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t missing = 0;
  std::int64_t open = 0;
  std::int64_t excused = 0;
  std::int64_t attempts = 0;
  std::vector<NamedStudents> reasons;   ///< Reasons of grades that failed: "compile", ...
  std::vector<NamedStudents> gates;     ///< Decided and not passed, the most first.
  std::vector<NamedStudents> findings;  ///< Kinds of diagnostics, the most first.
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

/// An attempt without a grade.
struct OpenWork {
  std::string student;
  std::string exercise;  ///< "LAB/EXERCISE".
  std::string reason;
};

/// Another remark of the last run.
struct RunRemark {
  std::string student;  ///< Empty if it is about no student.
  std::string file;
  std::string what;
};

struct StudentNumbers {
  std::string student;
  std::string name;
  double points = 0;
  double max_points = 0;  ///< Without excused exercises.
  struct Cell {
    Standing standing{};  ///< kOpen if no grade exists yet.
    double points = 0;
  };
  std::vector<Cell> cells;  ///< One per exercise.
};

struct Numbers {
  TimeZone zone;
  std::string last_run;  ///< As prose; empty before the first run.
  std::string policy;
  std::vector<ExerciseNumbers> exercises;
  std::vector<AttemptTime> attempts;  ///< By time.
  std::vector<SlowGrade> slowest;     ///< At most ten.
  std::vector<UnmatchedStudent> unmatched;
  std::vector<OpenFile> files;  ///< Those of unknown students first.
  std::vector<OpenWork> open;
  std::vector<RunRemark> remarks;
  std::vector<WaivedGates> waived;
  std::vector<StudentException> exceptions;
  std::vector<StudentNumbers> students;
};

Numbers read_numbers(Sqlite& book);

}  // namespace warpgrade::grader::class_book
