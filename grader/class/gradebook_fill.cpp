// SPDX-License-Identifier: Apache-2.0
// Fills points into a platform's own gradebook: see fill_gradebook() in gradebook.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "grader/class/gradebook.h"

namespace warpgrade::grader::class_book {
namespace {

struct FilledColumn {
  std::size_t column = 0;
  std::vector<std::size_t> exercises;  // In ClassTable; the cell is their sum.
};

// Canvas writes EX, Blackboard Exempt; a word like these is the instructor's decision.
bool is_excused(std::string text) {
  constexpr std::array<std::string_view, 5> kWords = {"ex", "excused", "exempt", "excluded",
                                                      "exempted"};
  std::erase_if(text, [](char c) { return c == ' '; });
  for (auto& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::find(kWords, text) != kWords.end();
}

std::size_t new_column(Gradebook& book, const report::ClassGrade& exercise) {
  auto at = book.table.columns(book.header);
  auto title = class_exercise(exercise);
  if (book.kind == GradebookKind::kBrightspace) {
    title += fmt::format(" Points Grade <Numeric MaxPoints:{}>",
                         report::csv_number(exercise.max_points));
    if (const auto end = book.column_called("End-of-Line Indicator")) at = *end;
  }
  book.table.insert_column(at);
  book.table.put(book.header, at, title);
  for (std::size_t row = book.header + 1; row < book.table.rows(); ++row) {
    const auto first = book.table.text(row, 0);
    if (book.kind == GradebookKind::kCanvas && first.find("Points Possible") != first.npos) {
      book.table.put(row, at, report::csv_number(exercise.max_points));
    }
  }
  return at;
}

using ExerciseNames = std::vector<std::pair<std::string, std::string>>;  // Lab and exercise.

// The gradebook's columns of the exercises. Adds the numbers of exercises that have a column to
// `placed`.
std::vector<FilledColumn> existing_columns(const Gradebook& book, const ExerciseNames& exercises,
                                           const std::map<std::string, std::string>& titles,
                                           std::set<std::size_t>& placed) {
  std::vector<FilledColumn> out;
  std::map<std::string, std::vector<std::size_t>> labs;
  std::map<std::string, int> names;
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    labs[exercises[i].first].push_back(i);
    ++names[exercises[i].second];
  }
  const auto titled = [&](const std::string& id) {
    const auto known = titles.find(id);
    return book.column_called(known == titles.end() ? id : known->second);
  };
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    const auto& [lab, exercise] = exercises[i];
    auto column = titled(lab + "/" + exercise);
    if (!column && names[exercise] == 1) column = book.column_called(exercise);
    if (!column) continue;
    placed.insert(i);
    out.push_back({*column, {i}});
  }
  for (const auto& [lab, of_lab] : labs) {
    bool is_free = true;
    for (const auto exercise : of_lab) is_free = is_free && !placed.contains(exercise);
    if (const auto column = is_free ? titled(lab) : std::nullopt) {
      placed.insert(of_lab.begin(), of_lab.end());
      out.push_back({*column, of_lab});
    }
  }
  return out;
}

std::vector<FilledColumn> columns_of(Gradebook& book, const report::ClassTable& table,
                                     const std::map<std::string, std::string>& titles) {
  ExerciseNames names;
  for (const auto* one : table.exercises) names.emplace_back(one->lab, one->exercise);
  // Columns that exist come first: a new one before the end mark would move them.
  std::set<std::size_t> placed;
  auto out = existing_columns(book, names, titles, placed);
  for (std::size_t i = 0; i < table.exercises.size(); ++i) {
    if (!placed.contains(i)) out.push_back({new_column(book, *table.exercises[i]), {i}});
  }
  return out;
}

// The sum of the exercises that the student is not excused from; blank if one of them is open. If
// the student is excused from all of them, the platform's mark: "EX" in Canvas; the imports of the
// others have none.
std::string cell_text(const report::ClassTable::Row& row, const FilledColumn& column,
                      GradebookKind kind) {
  double sum = 0;
  bool is_excused_from_all = true;
  for (const auto exercise : column.exercises) {
    const auto* cell = row.cells[exercise];
    if (cell != nullptr && cell->excused) continue;
    if (cell == nullptr || !cell->points) return {};
    is_excused_from_all = false;
    sum += *cell->points;
  }
  if (is_excused_from_all) return kind == GradebookKind::kCanvas ? "EX" : "";
  return report::csv_number(sum);
}

}  // namespace

std::vector<ExcusedCell> excused_cells(
    const Gradebook& book, const std::vector<std::pair<std::string, std::string>>& exercises,
    const std::map<std::string, std::string>& titles) {
  std::vector<ExcusedCell> out;
  std::set<std::size_t> placed;
  for (const auto& column : existing_columns(book, exercises, titles, placed)) {
    const auto& [lab, exercise] = exercises[column.exercises.front()];
    const bool is_labs = column.exercises.size() > 1;
    for (std::size_t i = 0; i < book.students.size(); ++i) {
      if (!is_excused(book.table.text(book.rows[i], column.column))) continue;
      out.push_back(
          {book.students[i].student, is_labs ? lab : lab + "/" + exercise, book.rows[i] + 1});
    }
  }
  return out;
}

std::string fill_gradebook(Gradebook book, const std::vector<report::ClassGrade>& grades,
                           const std::map<std::string, std::string>& titles) {
  const auto table = class_table(grades);
  std::map<std::string, const report::ClassTable::Row*> by_student;
  for (const auto& row : table.rows) by_student[row.student->student] = &row;
  const auto columns = columns_of(book, table, titles);
  for (std::size_t i = 0; i < book.students.size(); ++i) {
    const auto student = by_student.find(book.students[i].student);
    if (student == by_student.end()) continue;
    for (const auto& each : columns) {
      const auto before = book.table.text(book.rows[i], each.column);
      if (is_excused(before)) continue;
      const auto text = cell_text(*student->second, each, book.kind);
      // Moodle writes "-" for a missing grade.
      if (!text.empty() || before != "-") book.table.put(book.rows[i], each.column, text);
    }
  }
  return book.table.bytes();
}

}  // namespace warpgrade::grader::class_book
