// SPDX-License-Identifier: Apache-2.0
// Estimates from a sample how many blocks of a launch use the same words in atomics.
//
// The sample is a few SMs of the chip, which run rows of blocks. A row has one block for each SM of
// the chip, and the sample contains the first blocks of some rows. If blocks of several rows use
// one piece of memory (a counter, a histogram), so do the blocks of all other SMs, and the piece's
// L2 unit works for them as well. A piece used by only one row belongs to neighbouring blocks;
// other blocks use other pieces.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "common/timing/trace.h"

namespace warpgrade::timing {

class AtomicSharing {
 public:
  /// `row_blocks`: blocks per row; `chip_share`: the sample's part of them.
  AtomicSharing(const Trace& trace, double row_blocks, double chip_share);

  /// The ratio of the chip's atomics on the piece to the sample's: 1 if one row uses it, 1 /
  /// chip_share if all rows do.
  double at(std::uint64_t piece) const;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> rows_of_;  ///< Number of rows that use a piece.
  double rows_ = 0;
  double most_;
};

}  // namespace warpgrade::timing
