// SPDX-License-Identifier: Apache-2.0
// The source lines that touch memory with their counters, and the resources that bound a launch.
//
//   line  operation    requests  per request
//   14    global load       128       32 sectors  | out[i] = in[i * 32];
//
// A warp that accesses one 4-byte word per lane needs 4 sectors or one wavefront; more is red. If a
// gate counts instructions, the lines that execute most of them:
//
//   line         instructions  of all
//   18                 412345    67 %  | while (rest >= grid) rest -= grid;
//   other lines        203045    33 %
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "common/memory/line_instructions.h"
#include "common/memory/metrics.h"
#include "common/timing/model.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {

/// The table of source lines with the source beside each row, or below it if it does not fit;
/// `source` is the text of `file`.
std::string render_lines(const std::vector<memory::LineCounters>& lines, const std::string& file,
                         const std::string& source, std::size_t indent, const text::Style& style);

/// The same for the lines with most instructions, most first; the others are one row.
std::string render_instructions(std::vector<memory::LineInstructions> lines,
                                const std::string& file, const std::string& source,
                                std::size_t indent, const text::Style& style);

/// What bounds a time, for people: the name that the time model gives it, or a clearer one.
std::string_view bound_in_words(timing::Bound bound);

/// A ratio with two places, or, below 0.01, with two digits: "0.12", "0.0034".
std::string ratio_text(double ratio);

/// "dram 1.2 us, issue 0.3 us": the resources that bound a launch, longest first.
std::string render_shares(const std::vector<timing::Share>& shares);

}  // namespace warpgrade::grader::report
