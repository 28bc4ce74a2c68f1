// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/canvas.h"

namespace warpgrade::grader::report {
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

}  // namespace warpgrade::grader::report
