// SPDX-License-Identifier: Apache-2.0
#include "common/timing/warp_timeline.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/timing/schedule.h"
#include "common/timing/warp_recorder.h"

namespace warpgrade::timing {

void TimelineRecorder::begin(std::size_t row, const WarpTimeline::Start& start) {
  if (start.clock >= WarpTimeline::kMostClocks) return;
  if (row >= rows_.size()) rows_.resize(row + 1);
  rows_[row].now = start.clock;
  rows_[row].starts.push_back(start);
}

void TimelineRecorder::add(std::size_t row, WarpState state, double clocks, std::uint32_t parts) {
  if (row >= rows_.size() || clocks <= 0) return;
  Row& here = rows_[row];
  if (here.now >= WarpTimeline::kMostClocks) return;
  const StepParts& all = lines_.parts(parts);
  // The line with most issue slots stands for the step.
  const auto most = std::ranges::max_element(all, {}, &StepPart::slots);
  const std::uint32_t line = most == all.end() ? 0 : most->line;
  const double end = std::min(here.now + clocks, WarpTimeline::kMostClocks);
  for (double now = here.now; now < end;) {
    const auto at = static_cast<std::size_t>(now / kPieceClocks);
    const double next = std::min(end, static_cast<double>(at + 1) * kPieceClocks);
    if (at >= here.pieces.size()) here.pieces.resize(at + 1);
    Piece& piece = here.pieces[at];
    piece.clocks.at(static_cast<std::size_t>(state)) += static_cast<float>(next - now);
    piece.lines.at(static_cast<std::size_t>(state)) = line;
    now = next;
  }
  here.now = end;
  end_ = std::max(end_, end);
}

std::vector<WarpTimeline::Run> TimelineRecorder::runs_of(const Row& row, std::size_t joined,
                                                         std::uint32_t count) const {
  std::vector<WarpTimeline::Run> out;
  for (std::size_t first = 0; first < joined * count; first += joined) {
    Piece sum;
    for (std::size_t i = first; i < std::min(first + joined, row.pieces.size()); ++i) {
      for (std::size_t s = 0; s < kWarpStates; ++s) {
        sum.clocks[s] += row.pieces[i].clocks[s];
        if (row.pieces[i].clocks[s] > 0) sum.lines[s] = row.pieces[i].lines[s];
      }
    }
    const auto most =
        static_cast<std::size_t>(std::ranges::max_element(sum.clocks) - sum.clocks.begin());
    WarpTimeline::Run run = {1, WarpState::kCount, 0};
    if (sum.clocks[most] > 0) run = {1, static_cast<WarpState>(most), sum.lines[most]};
    const bool continues =
        !out.empty() && out.back().state == run.state && out.back().line == run.line;
    if (continues) {
      ++out.back().pieces;
    } else {
      out.push_back(run);
    }
  }
  return out;
}

WarpTimeline TimelineRecorder::timeline(double launch_clocks) const {
  WarpTimeline out;
  out.launch_clocks = launch_clocks;
  out.places = lines_.places();
  const auto all = std::min(kMostPieces, static_cast<std::size_t>(std::ceil(end_ / kPieceClocks)));
  std::size_t joined = 1;
  while ((all + joined - 1) / joined > kMostShown) joined *= 2;
  out.piece_clocks = kPieceClocks * static_cast<double>(joined);
  out.pieces = static_cast<std::uint32_t>((all + joined - 1) / joined);
  for (const Row& row : rows_) {
    out.rows.push_back({row.starts, runs_of(row, joined, out.pieces)});
  }
  return out;
}

}  // namespace warpgrade::timing
