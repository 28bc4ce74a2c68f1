// SPDX-License-Identifier: Apache-2.0
// The order between accesses of a warp's lanes, from the warp barriers between them.
//
// From Volta on, the lanes of a warp are independent threads: an access of lane a surely precedes
// one of lane b only if a chain of warp barriers (__syncwarp) connects them. Each warp has a clock
// that every barrier advances, and accesses are stamped with it. For each pair of lanes a vector
// clock keeps the stamp up to which b knows a's accesses. A barrier of all 32 lanes needs only one
// number.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "common/run/observer.h"

namespace warpgrade::check {

class WarpOrder {
 public:
  explicit WarpOrder(std::uint32_t warps = 0) : warps_(warps) {}

  /// Forgets all barriers at the start of a block.
  void reset();
  /// A barrier among the lanes `mask` of `warp`.
  void barrier(std::uint32_t warp, std::uint32_t mask);
  /// Gives later accesses a new stamp, without passing on knowledge.
  void advance(std::uint32_t warp) { ++warps_[warp].clock; }
  /// Lane `by` knows the accesses of lane `of` with stamps below this.
  std::uint32_t known(std::uint32_t warp, std::uint32_t of, std::uint32_t by) const {
    const Warp& state = warps_[warp];
    return state.partial ? std::max(state.all_know, state.known[by][of]) : state.all_know;
  }
  /// The stamp of an access now.
  std::uint32_t stamp(std::uint32_t warp) const { return warps_[warp].clock; }
  /// The lanes in `lanes` whose accesses at `stamp` are not known to precede an access of `lane`
  /// now; a lane is always ordered with itself.
  std::uint32_t unordered(std::uint32_t warp, std::uint32_t lanes, std::uint32_t stamp,
                          std::uint32_t lane) const {
    const Warp& state = warps_[warp];
    lanes &= ~(1U << lane);
    if (stamp < state.all_know) return 0;
    return state.partial ? unordered_by_pairs(state, lanes, stamp, lane) : lanes;
  }

 private:
  using Row = std::array<std::uint32_t, run::kWarpSize>;
  struct Warp {
    std::uint32_t clock = 0;
    std::uint32_t all_know = 0;  // every lane knows accesses with lower stamps
    bool partial = false;        // some barrier was partial, so `known` counts
    std::vector<Row> known;      // [b][a]: lane b knows a's accesses with lower stamps
  };

  static std::uint32_t unordered_by_pairs(const Warp& state, std::uint32_t lanes,
                                          std::uint32_t stamp, std::uint32_t lane);

  std::vector<Warp> warps_;
};

}  // namespace warpgrade::check
