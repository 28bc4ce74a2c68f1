// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/class_grade.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

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

}  // namespace warpgrade::grader::report
