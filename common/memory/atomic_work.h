// SPDX-License-Identifier: Apache-2.0
// The work that a warp's atomic on global memory causes in the L2 units for atomics.
//
// Units are interleaved every 512 bytes and do one pass at a time. A pass updates each word of one
// sector for one lane, so lanes on the same word need as many passes. Derived from the time of
// atomics on 1 to 2^20 words on an H200 (tests/evidence/golden/h200_micro, same_red and
// random_bins): 64 words keep one unit busy, 256 words two, 1,024 words eight, and 32 lines 4,096
// bytes apart fifteen.
#pragma once

#include <array>
#include <cstdint>

#include "common/memory/request.h"

namespace warpgrade::memory {

inline constexpr std::uint64_t kAtomicPieceBytes = 512;

struct AtomicWork {
  std::uint64_t piece = 0;   ///< Address / 512.
  std::uint16_t passes = 0;  ///< Passes for sectors whose lanes all use different words.
  std::uint16_t again = 0;   ///< Passes for other sectors: per sector, the most lanes on one word.

  friend bool operator==(const AtomicWork&, const AtomicWork&) = default;
};

struct AtomicWorks {
  std::uint32_t count = 0;
  std::array<AtomicWork, 32> list;
};

/// One element per piece that the request touches, in the order of their first lanes.
AtomicWorks atomic_works(const Request& request);

/// The number of lanes on the address that most active lanes use.
std::uint32_t most_on_one_word(const Request& request);

}  // namespace warpgrade::memory
