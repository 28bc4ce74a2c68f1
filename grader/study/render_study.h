// SPDX-License-Identifier: Apache-2.0
// A study's result as text for a terminal and as CSV.
//
// Text: where the axis has one value, a table with a row a kernel; else one with a row a value and
// a column a kernel (or a device). What was published stands beside what the simulator gives, and
// below all tables how far they are apart. CSV: one line a run, numbers in SI units.
#pragma once

#include <string>

#include "grader/study/study_result.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader {

std::string render_text(const StudyResult& result, const Style& style);
std::string render_csv(const StudyResult& result);

/// A value of `part` for people, in the unit of its label: GB/s, not bytes per second.
double in_shown_unit(const Part& part, double value);

/// One table of a part: what its columns run over, and what stays the same.
struct TableView {
  std::string title;
  std::vector<PointIndex> columns;  ///< Their `value` is the first.
  std::vector<std::string> names;   ///< One a column: ids of kernels, or devices.
  std::vector<std::string> labels;  ///< The same for a legend.
};

/// The tables of a part, in order.
std::vector<TableView> tables_of(const Part& part);

}  // namespace warpgrade::grader
