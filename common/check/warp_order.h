// SPDX-License-Identifier: Apache-2.0
// Which accesses of a warp's lanes are ordered before which, by the warp barriers between them.
//
// Since Volta the lanes of a warp are threads of their own: an access of lane a comes surely before
// one of lane b only where a chain of warp barriers (__syncwarp) leads from one to the
// other. Each warp has a clock that every barrier advances; an access is stamped with it. For each
// pair of lanes a vector clock keeps the stamp up to which b knows of a's accesses. A barrier of
// all 32 lanes needs only one number.
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

  /// Forgets all barriers: a new block begins.
  void reset();
  /// A barrier among the lanes `mask` of `warp`.
  void barrier(std::uint32_t warp, std::uint32_t mask);
  /// Accesses from now on have a later stamp; nobody learns anything.
  void advance(std::uint32_t warp) { ++warps_[warp].clock; }
  /// The accesses of lane `of` that lane `by` knows of are those stamped below this.
  std::uint32_t known(std::uint32_t warp, std::uint32_t of, std::uint32_t by) const {
    const Warp& state = warps_[warp];
    return state.partial ? std::max(state.all_know, state.known[by][of]) : state.all_know;
  }
  /// The stamp of an access that happens now.
  std::uint32_t stamp(std::uint32_t warp) const { return warps_[warp].clock; }
  /// Those of `lanes` whose accesses at `stamp` are not known to come before an access of `lane`
  /// now; lane itself is always in order.
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
    std::uint32_t all_know = 0;  // Accesses stamped below this are known to every lane.
    bool partial = false;        // Some barrier was of a part of the warp: `known` counts.
    std::vector<Row> known;      // [b][a]: lane b knows a's accesses stamped below this.
  };

  static std::uint32_t unordered_by_pairs(const Warp& state, std::uint32_t lanes,
                                          std::uint32_t stamp, std::uint32_t lane);

  std::vector<Warp> warps_;
};

}  // namespace warpgrade::check
