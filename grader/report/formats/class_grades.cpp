// SPDX-License-Identifier: Apache-2.0
// The grades of a whole class for gradebooks: Canvas, Moodle and nbgrader.
// In: a list of grades in any order, one per student and exercise, as UTF-8; empty fields are
// unknown. Out: a CSV file in the form that the gradebook imports or exports.
// An exercise that could not be judged is never a zero: an empty cell, a dash, or no row.
#include "grader/report/formats/class_grades.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/text.h"

namespace warpgrade::grader::report {

std::string class_exercise(const ClassGrade& grade) { return grade.lab + "/" + grade.exercise; }

ClassTable class_table(const std::vector<ClassGrade>& grades) {
  ClassTable out;
  std::map<std::string, std::size_t> columns;
  std::map<std::string, std::size_t> rows;
  for (const auto& grade : grades) {
    if (columns.emplace(class_exercise(grade), columns.size()).second) {
      out.exercises.push_back(&grade);
    }
    if (rows.emplace(grade.student, rows.size()).second) out.rows.push_back({&grade, {}});
  }
  for (auto& row : out.rows) row.cells.resize(out.exercises.size());
  for (const auto& grade : grades) {
    out.rows[rows.at(grade.student)].cells[columns.at(class_exercise(grade))] = &grade;
  }
  return out;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string out;
  for (const auto& cell : cells) {
    if (&cell != &cells.front()) out += ',';
    const auto text = base::escape_controls(cell);
    if (text.find_first_of("\",;") == std::string::npos) {
      out += text;
      continue;
    }
    out += '"';
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
  return out + "\r\n";
}

std::string csv_name(const std::string& name) {
  const bool is_formula =
      !name.empty() && std::string_view("=+-@").find(name.front()) != std::string_view::npos;
  return is_formula ? "'" + name : name;
}

std::string csv_number(double value) { return fmt::format("{}", value); }

namespace {

// Canvas's sort name: "Lovelace, Ada"; the login if no name is known.
std::string sortable_name(const ClassGrade& grade) {
  if (grade.last_name.empty() && grade.first_name.empty()) return csv_name(grade.student);
  if (grade.last_name.empty()) return csv_name(grade.first_name);
  return csv_name(grade.last_name + (grade.first_name.empty() ? "" : ", " + grade.first_name));
}

}  // namespace

std::string render_canvas(const std::vector<ClassGrade>& grades) {
  const auto table = class_table(grades);
  std::vector<std::string> names = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
  std::vector<std::string> most = {"    Points Possible", "", "", "", ""};
  for (const auto* exercise : table.exercises) {
    names.push_back(class_exercise(*exercise));
    most.push_back(csv_number(exercise->max_points));
  }
  auto out = csv_line(names) + csv_line(most);
  for (const auto& row : table.rows) {
    const auto& student = *row.student;
    std::vector<std::string> cells = {sortable_name(student), "", student.number, student.student,
                                      student.section};
    for (const auto* cell : row.cells) {
      const bool is_known = cell != nullptr && cell->points;
      // "EX" is Canvas's word for excused, in exports and imports.
      const auto* unknown = cell != nullptr && cell->excused ? "EX" : "";
      cells.push_back(is_known ? csv_number(*cell->points) : unknown);
    }
    out += csv_line(cells);
  }
  return out;
}

std::string render_moodle(const std::vector<ClassGrade>& grades) {
  const auto table = class_table(grades);
  std::vector<std::string> names = {"Username", "First name", "Last name", "ID number",
                                    "Email address"};
  for (const auto* exercise : table.exercises) names.push_back(class_exercise(*exercise));
  auto out = csv_line(names);
  for (const auto& row : table.rows) {
    const auto& student = *row.student;
    std::vector<std::string> cells = {student.student, csv_name(student.first_name),
                                      csv_name(student.last_name), student.number, student.email};
    for (const auto* cell : row.cells) {
      const bool is_known = cell != nullptr && cell->points;
      cells.push_back(is_known ? csv_number(*cell->points) : "-");
    }
    out += csv_line(cells);
  }
  return out;
}

namespace {

// The number as Python prints a float: "10.0", "7.5".
std::string python_number(double value) {
  auto out = csv_number(value);
  return out.find_first_of(".en") == std::string::npos ? out + ".0" : out;
}

// The time as Python prints it: "2026-11-22 14:20:00" for "2026-11-22T14:20:00Z".
std::string python_time(std::string time) {
  std::replace(time.begin(), time.end(), 'T', ' ');
  if (time.ends_with('Z')) time.pop_back();
  return time;
}

}  // namespace

std::string render_nbgrader(const std::vector<ClassGrade>& grades) {
  auto out =
      csv_line({"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name",
                "email", "raw_score", "late_submission_penalty", "score", "max_score"});
  for (const auto& grade : grades) {
    if (!grade.points) continue;
    const auto penalty = std::max(grade.full_points - *grade.points, 0.0);
    out += csv_line({grade.lab + "-" + grade.exercise, python_time(grade.due_at),
                     python_time(grade.submitted_at), grade.student, csv_name(grade.last_name),
                     csv_name(grade.first_name), grade.email, python_number(grade.full_points),
                     python_number(penalty), python_number(*grade.points),
                     python_number(grade.max_points)});
  }
  return out;
}

}  // namespace warpgrade::grader::report
