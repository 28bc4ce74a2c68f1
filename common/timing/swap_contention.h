// SPDX-License-Identifier: Apache-2.0
// How often warps of a block retry when they add floats to the same word of shared memory.
//
// Such an atomic is a loop of a load and a swap (memory/shared_loop.h). A swap fails if another
// warp has changed the word since the load. One swap therefore succeeds per time from a warp's
// return to its load, which is shorter with more warps, to its swap: round / warps + window clocks,
// but at most a round. Meanwhile all warps retry.
//
// Measured on an H200 with 1, 2, 4, 8, 16 and 32 warps on one word, in clocks per addition
// (tests/evidence/golden/h200_issue): 95, 88, 85, 55, 45, 43; the rule gives 95, 90, 67, 55, 49,
// 46.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

class SwapContention {
 public:
  explicit SwapContention(const device::Profile& profile);

  void begin_block();
  /// Records the words of a warp's loop; returns its number in the block.
  std::uint32_t add(const run::MemoryEvent& event);
  /// After the block: the rounds of loop `number` relative to the rounds without contention,
  /// averaged over its words.
  double tries(std::uint32_t number) const;
  /// After the block: lengthens the loops of its `requests`, whose first_transaction is the number.
  void lengthen(std::vector<TracedAccess>& requests) const;

 private:
  double window_share_;  ///< Relative to a round; negative: unknown.
  /// One bit per warp, by word and number of the loop in its warp. Loops with the same number run
  /// concurrently.
  std::unordered_map<std::uint64_t, std::uint64_t> warps_of_;
  std::vector<std::uint32_t> loops_of_;            ///< So far, by warp.
  std::vector<std::vector<std::uint64_t>> words_;  ///< By loop.
};

}  // namespace warpgrade::timing
