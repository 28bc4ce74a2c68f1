// SPDX-License-Identifier: Apache-2.0
// The graded report as text for a terminal, with its diagnostics, and its pictures for `--ascii`.
// It only formats the report.
// In: a report. Out: lines for each exercise: verdict, points, findings, gates and advice.
// The first line of a diagnostic stays one line, however long it is: editors read
// `file:line:column: kind: message` in the output of a task.
#pragma once

#include <string>
#include <string_view>

#include "common/base/diagnostic.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

// A diagnostic as text for a terminal: as base::render() writes it, in colours.
//
// Its first line stays one line, however long it is: editors read `file:line:column: kind: message`
// in the output of a task.

/// `source` is the text of the file that the diagnostic is about; empty: no excerpt.
std::string render_diagnostic(const base::Diagnostic& diagnostic, std::string_view source,
                              const text::Style& style);

// The pictures of a report as text, for `--ascii`:
//
//   line 28, global load of in: 32 sectors, 4 would do (h200)
//     in[0][0]     #.......  0
//     in[1][0]     #.......  1
//     ...
//   line 14, shared load of tile: 32 wavefronts, 1 would do (h200)
//     1  0...............................
//     2  1...............................
//
// Each character of a sector is 4 bytes, `#` used ones, followed by the lanes that use them. For
// shared memory each column is a bank and each row a wavefront; characters 0 to 9 and a to v are
// lanes.

/// The first request of each line, the map of wrong elements, and blocks by partition; empty if the
/// report has no pictures.
std::string render_pictures(const ExerciseReport& item);

std::string render_text(const Report& report, const text::Style& style);

}  // namespace warpgrade::grader::report
