// SPDX-License-Identifier: Apache-2.0
// Vector clocks of a warp's lanes, kept as a matrix only while partial barriers matter.
#include "common/check/warp_order.h"

#include <algorithm>
#include <bit>

namespace warpgrade::check {

void WarpOrder::reset() {
  for (Warp& warp : warps_) {
    warp.clock = 0;
    warp.all_know = 0;
    warp.partial = false;
  }
}

void WarpOrder::barrier(std::uint32_t warp, std::uint32_t mask) {
  Warp& state = warps_[warp];
  ++state.clock;
  if (mask == run::kFullMask) {
    state.all_know = state.clock;
    state.partial = false;
    return;
  }
  if (!state.partial) {
    state.known.assign(run::kWarpSize, Row{});
    state.partial = true;
  }
  // Each of them now knows everything that one of them knew, and their own accesses.
  Row merged{};
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const Row& row = state.known[static_cast<std::size_t>(std::countr_zero(left))];
    for (std::size_t a = 0; a < merged.size(); ++a) merged[a] = std::max(merged[a], row[a]);
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    merged[static_cast<std::size_t>(std::countr_zero(left))] = state.clock;
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    state.known[static_cast<std::size_t>(std::countr_zero(left))] = merged;
  }
}

std::uint32_t WarpOrder::unordered_by_pairs(const Warp& state, std::uint32_t lanes,
                                            std::uint32_t stamp, std::uint32_t lane) {
  std::uint32_t result = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto other = static_cast<std::uint32_t>(std::countr_zero(left));
    if (stamp >= state.known[lane][other]) result |= 1U << other;
  }
  return result;
}

}  // namespace warpgrade::check
