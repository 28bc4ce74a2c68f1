// SPDX-License-Identifier: Apache-2.0
// The work of a warp's atomic on global memory, for the units of L2 that do it.
//
// Units take turns at pieces of 512 bytes and do one pass after the other: a pass is a sector, of
// each word for one lane, so lanes on one word take as many passes. Read off what an H200 takes of
// atomics on 1 to 2^20 words (tests/evidence/golden/h200_micro, same_red and random_bins): 64 words
// keep one unit busy, 256 words two, 1024 words eight, and 32 lines 4096 bytes apart fifteen.
#pragma once

#include <array>
#include <cstdint>

#include "common/memory/request.h"

namespace warpgrade::memory {

inline constexpr std::uint64_t kAtomicPieceBytes = 512;

struct AtomicWork {
  std::uint64_t piece = 0;   ///< Address / 512.
  std::uint16_t passes = 0;  ///< Those of sectors whose lanes go to words of their own ...
  std::uint16_t again = 0;   ///< ... and those of the others: the most lanes on one word of each.

  friend bool operator==(const AtomicWork&, const AtomicWork&) = default;
};

struct AtomicWorks {
  std::uint32_t count = 0;
  std::array<AtomicWork, 32> list;
};

/// One for each piece that the request touches, in the order of their first lanes.
AtomicWorks atomic_works(const Request& request);

}  // namespace warpgrade::memory
