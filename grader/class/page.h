// SPDX-License-Identifier: Apache-2.0
// The instructor's page of a class: one file without scripts, network access or other files. It
// links to the students' feedback pages if they were written.
//
// All pages of a class share one frame: head, style and end. Badges and bars are parts of them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/class/explain.h"
#include "grader/class/near_copies.h"
#include "grader/class/numbers.h"

namespace warpgrade::grader::class_book {

// The frame of a page of a class: its head, style and end. Such a page has no script and is
// complete: it needs no network and no other file.

/// A whole page with `body`, which is HTML; `title` is text.
std::string html_page(std::string_view title, std::string_view body);

/// A path as a relative URL: escapes every byte except letters, digits and "-._/".
std::string html_address(std::string_view path);

/// `<span class="badge ...">` of a standing; "open" without a verdict.
std::string badge(Standing standing);

/// A bar of `share` (0 to 1) of a track.
std::string bar(double share, std::string_view css_class = "fill");

// Two figures of a class as SVG: how points are distributed, and when attempts came.

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

/// The address of a student's feedback, relative to the page; may be empty.
using FeedbackAddress = std::function<std::string(const std::string& student)>;

std::string class_page(const Numbers& numbers, const std::vector<NearCopy>& near_copies,
                       const FeedbackAddress& feedback);

}  // namespace warpgrade::grader::class_book
