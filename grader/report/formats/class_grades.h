// SPDX-License-Identifier: Apache-2.0
// The grades of a whole class, and its files for Canvas, Moodle and nbgrader.
// Texts are UTF-8. Empty fields are unknown.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpgrade::grader::report {

// One student's grade for one exercise, the input of the formats for a whole class: canvas.h,
// moodle.h, nbgrader.h. A class is a list of them, in any order.

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

// A class's grades for the import into Canvas's gradebook: one row per student, one column per
// exercise.
//
//   Student,ID,SIS User ID,SIS Login ID,Section,coalescing/copy
//       Points Possible,,,,,10
//   "Lovelace, Ada",,1815,ada,A,7.5
//
// Canvas's own ID is unknown here; Canvas finds students by their SIS ID or login. It finds an
// assignment by its name, or creates it. An exercise that could not be judged is an empty cell.
// Rules: lib/gradebook_importer.rb of instructure/canvas-lms.

std::string render_canvas(const std::vector<ClassGrade>& grades);

// A class's grades for Moodle's import of grades (CSV, comma, UTF-8): one row per student, one
// column per exercise.
//
//   Username,First name,Last name,ID number,Email address,coalescing/copy
//   ada,Ada,Lovelace,1815,ada@example.org,7.5
//
// At the import, a column is mapped to the user (Username to username, say) and each exercise to a
// grade item, or a new one. A single dash is Moodle's sign for no grade. In Moodle, a row with an
// unknown student stops the whole import. Rules: grade/import/csv/classes/load_data.php of
// moodle/moodle.

std::string render_moodle(const std::vector<ClassGrade>& grades);

// A class's grades as `nbgrader export` writes them: a row for each student and exercise.
//
//   assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,...
//   coalescing-copy,,2026-11-22 14:20:00,ada,Lovelace,Ada,ada@example.org,10.0,2.5,7.5,10.0
//
// Names of assignments have a dash, since nbgrader's are names of folders. An exercise that could
// not be judged has no row: nbgrader would read a zero. Rules: CsvExportPlugin in
// nbgrader/plugins/export.py, 0.9.6.

std::string render_nbgrader(const std::vector<ClassGrade>& grades);

}  // namespace warpgrade::grader::report
