// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp as the bits of a mask.
#pragma once

#include <bit>
#include <cstdint>

namespace warpgrade::run {

/// The lowest of `lanes`, which must not be empty.
constexpr std::uint32_t lowest_lane(std::uint32_t lanes) {
  return static_cast<std::uint32_t>(std::countr_zero(lanes));
}

}  // namespace warpgrade::run
