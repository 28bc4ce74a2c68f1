// SPDX-License-Identifier: Apache-2.0
// Measurements of a launch as text: source lines that touch memory, resources that bound the
// time, the roofline, and uneven work. A card's counters are beside the simulator's.
//   line  operation    requests  per request
//   14    global load       128       32 sectors  | out[i] = in[i * 32];
// Sentences about uneven work name contention or imbalance, with the numbers. Others name the
// parts of a launch that have no modelled time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/memory/metrics.h"
#include "common/timing/bound.h"
#include "common/timing/model.h"
#include "common/timing/warp_recorder.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

// Sentences about uneven work that bounds a launch: contention or imbalance, with the numbers; and
// about the parts of a launch that have no modelled time.

/// The cause, and a first step towards a remedy; empty without skew.
std::string skew_text(const timing::Skew& skew);

/// "The time model does not time ... exactly, so ..."; empty if it times all parts.
std::string inexact_time_text(const timing::UnmodelledSet& parts);

/// The same for a gate that these parts leave undecided, and what to do about it.
std::string unmodelled_text(const timing::UnmodelledSet& parts);

// Shows a card's counters of a launch beside the simulator's for the same launch.
//
//   metric                                          card  simulated  difference
//   l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum  524288   524288      +0.0 %
//
// `difference` is the simulator's excess over the card; "-" marks a counter that one of them
// lacks.

std::string render_counters(const memory::Metrics& gpu, const memory::Metrics& simulated,
                            std::size_t indent);

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

/// The text of line `number` of `at_file` without indentation; empty if `at_file` is not `file`,
/// whose text is `source`.
std::string source_text(const std::string& at_file, std::uint32_t number, const std::string& file,
                        const std::string& source);

/// The table of source lines with the source beside each row, or below it if it does not fit;
/// `source` is the text of `file`.
std::string render_lines(const std::vector<memory::LineCounters>& lines, const std::string& file,
                         const std::string& source, std::size_t indent, const text::Style& style);

/// The same for the lines with most instructions, most first; the others are one row.
std::string render_instructions(std::vector<memory::LineInstructions> lines,
                                const std::string& file, const std::string& source,
                                std::size_t indent, const text::Style& style);

/// Time of all warps at all of these lines, in clocks.
double total_of(const std::vector<timing::LineActivity>& lines);

/// "for global memory 52 %, at barriers 4 %": what warps wait for at a line, in percent of `all`;
/// parts below one percent are left out.
std::string waiting_text(const timing::LineActivity& line, double all);

/// The lines at which warps spend most of their time, most first; the others are one row.
std::string render_activity(std::vector<timing::LineActivity> lines, const std::string& file,
                            const std::string& source, std::size_t indent,
                            const text::Style& style);

/// What bounds a time, for people: the name that the time model gives it, or a clearer one.
std::string_view bound_in_words(timing::Bound bound);

/// A ratio with two places, or, below 0.01, with two digits: "0.12", "0.0034".
std::string ratio_text(double ratio);

/// "dram 1.2 us, issue 0.3 us": the resources that bound a launch, longest first.
std::string render_shares(const std::vector<timing::Share>& shares);

// Describes the roofline of a measured case for the text report and the page.

/// Describes a case that has a roofline: "On h200, 34.4 GFLOP over 50.3 MB is 683 FLOP per byte:
/// arithmetic is the limit, at 66.9 TFLOP/s. The kernel reaches 12.1 TFLOP/s, 0.18 of the roof."
std::string roofline_text(const Case& item);

}  // namespace warpgrade::grader::report
