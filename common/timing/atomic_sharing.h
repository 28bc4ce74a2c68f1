// SPDX-License-Identifier: Apache-2.0
// How many blocks of a launch work on the same words by atomics, seen from a sample.
//
// The sample is a few multiprocessors of the chip, which run rows of blocks: one row is a block for
// each multiprocessor of the chip, and the sample has the first blocks of some rows. Where the
// blocks of several rows go to one piece of memory (a counter, a histogram), so do those of all
// other multiprocessors, and the piece's unit of L2 works for them as well. A piece of one row
// alone belongs to blocks beside one another: others work elsewhere.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "common/timing/trace.h"

namespace warpgrade::timing {

class AtomicSharing {
 public:
  /// `row_blocks`: blocks of a row; `chip_share`: the sample's part of them.
  AtomicSharing(const Trace& trace, double row_blocks, double chip_share);

  /// Times that the chip's atomics on the piece are those of the sample: 1 where one row goes
  /// there, 1 / chip_share where all of them do.
  double at(std::uint64_t piece) const;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> rows_of_;  ///< How many go to a piece.
  double rows_ = 0;
  double most_;
};

}  // namespace warpgrade::timing
