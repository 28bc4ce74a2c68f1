// SPDX-License-Identifier: Apache-2.0
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
#pragma once

#include <string>

#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// The first request of each line, the map of wrong elements, and blocks by partition; empty if the
/// report has no pictures.
std::string render_pictures(const ExerciseReport& item);

}  // namespace warpgrade::grader::report
