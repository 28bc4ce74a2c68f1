// SPDX-License-Identifier: Apache-2.0
#include "grader/class/csv.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "grader/report/formats/class_grade.h"

namespace warpgrade::grader::class_book {
namespace {

constexpr std::array<const char*, 29> kColumns = {
    "student",     "lab",        "exercise",       "points",      "max_points",   "verdict",
    "reason",      "sha256",     "backend",        "device",      "submitted_at", "graded_at",
    "full_points", "late_share", "attempts",       "open_reason", "adjusted_by",  "adjusted_why",
    "name",        "deadline",   "extended_until", "extended_by", "extended_why", "excused_by",
    "excused_why", "bonus",      "bonus_by",       "bonus_why",   "waived"};

bool is_number_column(std::string_view column) {
  return column == "points" || column == "max_points" || column == "full_points" ||
         column == "late_share" || column == "attempts" || column == "bonus";
}

}  // namespace

std::string csv_text(Sqlite& book) {
  std::string asked;
  for (const auto* column : kColumns) asked += (asked.empty() ? "" : ", ") + std::string(column);
  auto out = report::csv_line({kColumns.begin(), kColumns.end()});
  Statement rows(book, fmt::format("SELECT {} FROM standing ORDER BY student, place", asked));
  while (rows.step()) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto column = static_cast<int>(i);
      auto& cell = cells.emplace_back();
      if (rows.is_null(column)) continue;
      cell = is_number_column(kColumns.at(i)) ? fmt::format("{:g}", rows.number(column))
                                              : report::csv_name(rows.text(column));
    }
    out += report::csv_line(cells);
  }
  return out;
}

}  // namespace warpgrade::grader::class_book
