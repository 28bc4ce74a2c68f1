// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/moodle.h"

namespace warpgrade::grader::report {

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

}  // namespace warpgrade::grader::report
