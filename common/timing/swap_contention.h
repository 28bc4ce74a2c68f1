// SPDX-License-Identifier: Apache-2.0
// How often warps of a block try again where they add floats to the same word of shared memory.
//
// Such an atomic is a loop of a load and a swap (memory/shared_loop.h). A swap fails if another
// warp has changed the word since the load. So one swap succeeds in the time that a warp takes to
// come around to its load, which is the shorter the more warps there are, and from there to its
// swap: round / warps + window clocks, but no more than a round. Meanwhile every warp goes on
// trying.
//
// Measured on an H200 with 1, 2, 4, 8, 16 and 32 warps on one word, in clocks of an addition
// (tests/evidence/golden/h200_issue): 95, 88, 85, 55, 45, 43; by the rule 95, 90, 67, 55, 49, 46.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"

namespace warpgrade::timing {

class SwapContention {
 public:
  explicit SwapContention(const device::Profile& profile);

  void begin_block();
  /// Notes the words of a warp's loop; returns its number in the block.
  std::uint32_t add(const run::MemoryEvent& event);
  /// Behind the block: rounds that loop `number` takes for each that it would take alone, the mean
  /// of its words.
  double tries(std::uint32_t number) const;

 private:
  double window_share_;  ///< Of a round; negative: not known.
  /// A bit a warp, by word and number of the loop in its warp: those of one number run side by
  /// side.
  std::unordered_map<std::uint64_t, std::uint64_t> warps_of_;
  std::vector<std::uint32_t> loops_of_;            ///< So far, by warp.
  std::vector<std::vector<std::uint64_t>> words_;  ///< By loop.
};

}  // namespace warpgrade::timing
