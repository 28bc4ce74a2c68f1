// SPDX-License-Identifier: Apache-2.0
// Two figures of a class as SVG: how points are distributed, and when attempts came.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/class/numbers.h"

namespace warpgrade::grader::class_book {

/// Counts of `points`: one for 0, one for each tenth of `most`, and one for all points: 12 in
/// total. A tenth includes its upper end, but not its lower one. The last tenth excludes `most`.
std::vector<std::int64_t> points_histogram(const std::vector<double>& points, double most);

/// Small bars of points_histogram(), for a cell of a table; none and all points are coloured.
std::string points_figure(const std::vector<double>& points, double most);

struct TimeBin {
  std::int64_t begin = 0;  ///< Seconds since 1970.
  std::int64_t on_time = 0;
  std::int64_t late = 0;
};

/// Attempts by time, in at most 60 bins of a whole number of hours or days that cover the first
/// attempt to the last. `attempts` are sorted by time. Days begin at midnight of a clock that is
/// `ahead_of_utc` seconds ahead of UTC.
std::vector<TimeBin> attempt_bins(const std::vector<AttemptTime>& attempts,
                                  std::int64_t ahead_of_utc);

/// Bars of attempt_bins() with local times, the late ones on top.
std::string attempts_figure(const std::vector<AttemptTime>& attempts, const TimeZone& zone);

}  // namespace warpgrade::grader::class_book
