// SPDX-License-Identifier: Apache-2.0
// A report, or a profiled launch, as one complete page: it needs no network and no other file.
// A submission's text appears as text only: all outside text goes through escaped() or JSON
// without "<". A content security policy allows only the page's own script.
#pragma once

#include <string>
#include <vector>

#include "common/timing/warp_recorder.h"
#include "common/timing/warp_timeline.h"
#include "grader/html/page.h"
#include "grader/report/pictures.h"
#include "grader/report/profile_comparison.h"
#include "grader/report/profile_report.h"
#include "grader/report/profile_roofline.h"
#include "grader/report/report.h"

namespace warpgrade::grader::html {

// The two accesses of a race side by side, with the missing synchronization between them.

/// Empty if `found` names no other access.
std::string race_view(const report::ExerciseReport& item, const base::Diagnostic& found);

// The source with counters in its margin, as a profiler shows it.

/// A table of the source's lines; of a long source, only lines near those with counters or
/// diagnostics. Empty without a source. With `activity`, lines have their share of the time of all
/// warps.
std::string source_view(const report::ExerciseReport& item,
                        const std::vector<timing::LineActivity>& activity = {});

/// The states of warps as a legend: those in `shown`, in the order of timing::WarpState.
std::string state_key(const timing::StateClocks& shown, Words& words);

/// The whole page, valid for every report.
std::string render(const report::Report& report);

// A profiled launch as one complete page, with the rules of render_html.h.

/// The whole page, also for a report of a launch that failed or did not compile.
std::string render(const report::ProfileReport& report);

/// One kernel on several cards: the table.
std::string render(const std::vector<report::CardProfile>& cards);

/// Two versions of a kernel side by side: what differs, and the lines that touch memory.
std::string render(const report::ComparedProfile& a, const report::ComparedProfile& b);

// The numbers that the page's script draws, as JSON:
//
//   {"devices": [{"product", "banks", "bankBytes"}], "warps": ["warp 0 of block (0, 0, 0)"],
//    "lines": [{"shared", "bytes", "memory", "first", "align", "size", "tile", "es", "rows",
//    "cols",
//               "requests": [{"w": index of its warp, "m": lanes, "o": offsets, "c": [cost]}]}],
//    "map": {"partitions", "width", "lines": [...]}}
//
// Offsets are bytes from the start of the memory: an array with null for inactive lanes, or {"s":
// lane 0's, "d": stride between lanes}. Each device has one cost: "t", the request as text, and for
// shared memory "k": lane, bank and row of each word.

/// Safe to embed in a script element.
std::string picture_data(const report::Pictures& pictures);

/// One figure per source line that touches memory, with controls for its warps and passes.
std::string access_view(const report::ExerciseReport& item);

/// The wrong elements as a map.
std::string wrong_view(const report::WrongMap& map);

/// The matrix in the colours of its partitions, with the blocks that begin together.
std::string partition_view(const report::PartitionMap& map);

/// The time of each measured case, and the resources that work in it.
std::string time_view(const report::ExerciseReport& item, Words& words);

// The roofline of each measured case as a picture: both axes logarithmic, operations per byte to
// the right, operations per second upwards.

/// Empty for an exercise without operations.
std::string roofline_view(const report::ExerciseReport& item);

/// The operations of a profiled launch and its roofs.
std::string roofline_view(const report::ProfileRoofline& roofline);

/// Two launches in one picture; empty if neither has a place in it.
std::string roofline_view(const report::ProfileRoofline& a, const report::ProfileRoofline& b);

// What the warps of one SM do over time, a row for each, drawn by the page's script.

/// `file` is the one whose lines the page shows. Empty without warps.
std::string timeline_view(const timing::WarpTimeline& timeline, const std::string& file,
                          Words& words);

}  // namespace warpgrade::grader::html
