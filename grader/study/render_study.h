// SPDX-License-Identifier: Apache-2.0
// A study's result as text for a terminal and as CSV.
//
// Text: if the axis has one value, a table with one row per kernel; else one row per value and one
// column per kernel (or device). Published values are beside the simulator's, and the differences
// are below all tables. CSV: one line per run, numbers in SI units.
#pragma once

#include <string>

#include "grader/study/study_result.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::study {

std::string render_text(const Result& result, const text::Style& style);
std::string render_csv(const Result& result);

/// A value of `part` for people, in the unit of its label: GB/s, not bytes per second.
double in_shown_unit(const Part& part, double value);

/// One table of a part: the variable of its columns, and the constant ones.
struct TableView {
  std::string title;
  std::vector<PointIndex> columns;  ///< Their `value` is the first.
  std::vector<std::string> names;   ///< One per column: ids of kernels, or devices.
  std::vector<std::string> labels;  ///< The same for a legend.
};

/// The tables of a part, in order.
std::vector<TableView> tables_of(const Part& part);

}  // namespace warpgrade::grader::study
