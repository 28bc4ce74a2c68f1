// SPDX-License-Identifier: Apache-2.0
// What the warps of one SM do over time, for a picture: the first clocks of a launch, a row for
// each place of a warp on the SM.
//
// In: each stretch of time that a warp spends in a state, in the order of time. Out: rows of runs
// of equal pieces of time. Each piece has the state in which its warp spends most of it, and the
// line that causes it. The picture ends after kMostClocks, so its size does not depend on the
// launch.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/timing/schedule.h"
#include "common/timing/warp_recorder.h"

namespace warpgrade::timing {

struct WarpTimeline {
  /// A number of pieces of time in one state; kCount: no warp is there.
  struct Run {
    std::uint32_t pieces = 0;
    WarpState state{};
    std::uint32_t line = 0;  ///< Index in `places`; unused for kCount.

    friend bool operator==(const Run&, const Run&) = default;
  };
  /// A warp that begins in a row.
  struct Start {
    double clock = 0;
    std::uint64_t block = 0;  ///< Linear index in the grid.
    std::uint32_t warp = 0;   ///< In its block.
  };
  struct Row {
    std::vector<Start> starts;
    std::vector<Run> runs;  ///< Their pieces add up to `pieces`.
  };

  static constexpr double kMostClocks = 8192;

  double piece_clocks = 0;
  std::uint32_t pieces = 0;
  double launch_clocks = 0;  ///< The whole launch, without its overhead.
  std::vector<base::SourceLocation> places;
  std::vector<Row> rows;
};

class TimelineRecorder {
 public:
  explicit TimelineRecorder(const StepLines& lines) : lines_(lines) {}

  /// A warp begins in the row `row`.
  void begin(std::size_t row, const WarpTimeline::Start& start);
  /// The row's warp is in `state` for the next `clocks`. `parts` are those of its step.
  void add(std::size_t row, WarpState state, double clocks, std::uint32_t parts);

  WarpTimeline timeline(double launch_clocks) const;

 private:
  static constexpr double kPieceClocks = 8;
  static constexpr auto kMostPieces =
      static_cast<std::size_t>(WarpTimeline::kMostClocks / kPieceClocks);
  /// A picture has at most this number of pieces in a row.
  static constexpr std::size_t kMostShown = 400;

  struct Piece {
    std::array<float, kWarpStates> clocks{};
    std::array<std::uint32_t, kWarpStates> lines{};  ///< The last one.
  };
  struct Row {
    double now = 0;
    std::vector<WarpTimeline::Start> starts;
    std::vector<Piece> pieces;
  };

  std::vector<WarpTimeline::Run> runs_of(const Row& row, std::size_t joined,
                                         std::uint32_t count) const;

  const StepLines& lines_;
  std::vector<Row> rows_;
  double end_ = 0;
};

}  // namespace warpgrade::timing
