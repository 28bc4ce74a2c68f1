// SPDX-License-Identifier: Apache-2.0
// One student's grade for one exercise, the input of the formats for a whole class: canvas.h,
// moodle.h, nbgrader.h. A class is a list of them, in any order.
//
// Texts are UTF-8. Empty fields are unknown.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpgrade::grader::report {

struct ClassGrade {
  std::string student;  ///< The course's name for the student: the login.
  std::string first_name;
  std::string last_name;
  std::string email;
  std::string number;  ///< The school's: Canvas' SIS ID, Moodle's ID number.
  std::string section;
  std::string lab;
  std::string exercise;
  std::optional<double> points;  ///< Points that count; nullopt if excused or not judged yet.
  double full_points = 0;        ///< Before a deduction for being late.
  double max_points = 0;
  std::string submitted_at;  ///< UTC: "2026-11-22T14:20:00Z".
  std::string due_at;        ///< Likewise.
  bool excused = false;      ///< The instructor excused the student: no points, and no zero.
};

/// "coalescing/copy".
std::string class_exercise(const ClassGrade& grade);

/// A table with one row per student and one column per exercise, both in order of first appearance.
/// A cell is nullptr if the grade is missing.
struct ClassTable {
  std::vector<const ClassGrade*> exercises;  ///< One grade of each column.
  struct Row {
    const ClassGrade* student = nullptr;  ///< One grade of the row.
    std::vector<const ClassGrade*> cells;
  };
  std::vector<Row> rows;
};

/// The result points into `grades`. If a student has several grades for an exercise, the last one
/// in the list counts.
ClassTable class_table(const std::vector<ClassGrade>& grades);

/// A line of CSV (RFC 4180) with its end; control characters become \xNN.
std::string csv_line(const std::vector<std::string>& cells);

/// A name for people to read. A spreadsheet reads text that begins with = + - or @ as a formula, so
/// such a name gets an apostrophe before it.
std::string csv_name(const std::string& name);

/// "7.5", "10": with as many digits as it needs, with a point in every locale.
std::string csv_number(double value);

}  // namespace warpgrade::grader::report
