// SPDX-License-Identifier: Apache-2.0
// The picture of waiting: what the warps of one SM do over time, a row for each warp.
// In: the timeline of a launch. Out: a figure with its legend and text, and the JSON that the
// page's script draws. A picture has at most kMostRows rows, and runs of equal pieces are one
// number each, so that a page stays small.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/base/text.h"
#include "common/timing/warp_timeline.h"
#include "grader/html/page.h"
#include "grader/html/render_html.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::html {
namespace {

using TimelineJson = nlohmann::ordered_json;
using timing::WarpTimeline;

constexpr std::size_t kMostRows = 64;

constexpr const char* kTimelineTerm =
    "Each row is a place for a warp on the SM, and time goes to the right. The colour is what the "
    "warp "
    "does for most of a piece of time. Columns in which no row is green waste issue slots. Move "
    "the pointer "
    "over the picture to see the line, or click to go to it.";

// Rows as flat numbers: pieces, state, and line (0: none), run by run.
TimelineJson rows_json(const WarpTimeline& timeline, const std::string& file) {
  auto out = TimelineJson::array();
  for (std::size_t r = 0; r < std::min(timeline.rows.size(), kMostRows); ++r) {
    const auto& row = timeline.rows[r];
    auto starts = TimelineJson::array();
    for (const auto& start : row.starts) {
      starts.push_back({static_cast<std::uint64_t>(start.clock), start.block, start.warp});
    }
    auto runs = TimelineJson::array();
    for (const auto& run : row.runs) {
      const bool is_there = run.state != timing::WarpState::kCount;
      const auto& where = timeline.places.at(is_there ? run.line : 0);
      runs.push_back(run.pieces);
      runs.push_back(is_there ? static_cast<int>(run.state) : -1);
      runs.push_back(is_there && where.file == file ? where.line : 0);
    }
    out.push_back({{"starts", std::move(starts)}, {"runs", std::move(runs)}});
  }
  return out;
}

std::string range_text(const WarpTimeline& timeline) {
  const double shown = std::min(timeline.pieces * timeline.piece_clocks, timeline.launch_clocks);
  const auto clocks = [](double value) {
    return base::counted(static_cast<std::uint64_t>(std::llround(value)), "clock");
  };
  auto out = shown >= timeline.launch_clocks
                 ? fmt::format("The whole launch, {}, on one SM", clocks(shown))
                 : fmt::format("The first {} of {} on one SM", clocks(shown),
                               clocks(timeline.launch_clocks));
  if (timeline.rows.size() > kMostRows) {
    out += fmt::format(", {} of {} warps", kMostRows, timeline.rows.size());
  }
  return out + fmt::format(", in pieces of {}.", clocks(timeline.piece_clocks));
}

}  // namespace

std::string timeline_view(const WarpTimeline& timeline, const std::string& file, Words& words) {
  if (timeline.rows.empty() || timeline.pieces == 0) return {};
  timing::StateClocks all{};
  double sum = 0;
  for (const auto& row : timeline.rows) {
    for (const auto& run : row.runs) {
      if (run.state == timing::WarpState::kCount) continue;
      all.at(static_cast<std::size_t>(run.state)) += run.pieces;
      sum += run.pieces;
    }
  }
  auto names = TimelineJson::array();
  std::string most;
  double largest = 0;
  for (std::size_t i = 0; i < timing::kWarpStates; ++i) {
    const auto name = std::string(timing::in_words(static_cast<timing::WarpState>(i)));
    names.push_back(name);
    if (all[i] <= largest) continue;
    largest = all[i];
    most = fmt::format("Most of the time, {:.0f} %, warps are {}.", 100 * all[i] / sum, name);
  }
  const TimelineJson data = {{"timeline",
                              {{"piece", timeline.piece_clocks},
                               {"pieces", timeline.pieces},
                               {"states", std::move(names)},
                               {"rows", rows_json(timeline, file)}}}};
  const auto range = range_text(timeline);
  return fmt::format(
      "<h3>Warps over time</h3>\n<section class=\"timeline\"><figure "
      "data-timeline=\"0\"><figcaption>"
      "{}</figcaption>\n<div class=\"stage\" role=\"img\" aria-label=\"{} {}\"></div>\n<output>{}"
      "</output>\n{}{}</figure>\n<script type=\"application/json\">{}</script></section>\n",
      paragraph(range), escaped(range), escaped(most), escaped(most), state_key(all, words),
      paragraph(kTimelineTerm, "quiet"), json_for_script(data.dump()));
}

}  // namespace warpgrade::grader::html
