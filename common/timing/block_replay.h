// SPDX-License-Identifier: Apache-2.0
// Which loads of a block find their lines in L1 or L2, with its warps side by side.
//
// The simulator runs one warp after the other, each until it meets the others. On a card they take
// turns, so that what one of them has loaded is still there for the next, which the order of
// execution hides where warps walk through more than a cache holds. Here warps go round robin, one
// request each. A block has its share of L1 and of L2: it finds what it has touched before unless
// it has brought in more since. What it finds in neither was lost in between. What other blocks
// load or leave is dram_demand.h's part.
//
// A cache does not give up its oldest line: some lines stay longer. Measured of loops over a part
// of L2's size (tests/evidence/golden/h200_memory): a quarter of the lines is gone at 1.15 times
// the size that it holds, most of them at 1.35.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/timing/trace.h"

namespace warpgrade::timing {

/// Some sectors of a line of 128 bytes, a bit each.
struct TouchedLine {
  std::uint64_t line = 0;
  std::uint32_t sectors = 0;
};

/// A request of a warp and, of loads and stores that caches see, its lines.
struct RecordedAccess {
  TracedAccess access;
  std::uint32_t first_line = 0;
  std::uint32_t lines = 0;
  bool is_in_l1 = false;  ///< L1 answers it where it can.
};

/// The pages of so many bytes that the lines are in, if those of a page stand together.
std::uint32_t pages_of(std::span<const TouchedLine> lines, std::uint64_t page_bytes);

/// L1 sends the sectors of two stores to the same few lines once, if a warp makes one right behind
/// the other: takes those of `last` from `next`. Nothing for other accesses. `lines`: the block's.
void merge_store(const RecordedAccess& last, RecordedAccess& next, std::vector<TouchedLine>& lines);

class BlockReplay {
 public:
  /// Bytes of L1 and of L2 for a block.
  BlockReplay(std::uint64_t l1_bytes, std::uint64_t l2_bytes);

  /// Sets `sectors`, `reused`, `lost` and `more` of the loads of a block that has just run.
  /// `warps`: the requests of each in the order of its program; `lines`: the block's.
  void run(const std::vector<std::vector<RecordedAccess>*>& warps,
           const std::vector<TouchedLine>& lines);

 private:
  struct Line {
    std::uint64_t number = 0;
    std::uint32_t block = 0;     ///< The entry is empty but for this block.
    std::uint32_t l1_clock = 0;  ///< When it was touched last, in sectors brought to L1 ...
    std::uint32_t l2_clock = 0;  ///< ... and in lines brought to L2.
    std::uint8_t in_l1 = 0;      ///< Sectors, a bit each.
    std::uint8_t in_l2 = 0;
    std::uint8_t ever = 0;
  };

  void touch(RecordedAccess& request, const std::vector<TouchedLine>& lines);
  void bring(TracedAccess& access, Line& line, std::uint32_t sectors);
  Line& find(std::uint64_t number);
  void grow();

  std::uint64_t l1_bytes_;
  std::uint64_t l2_bytes_;
  std::uint32_t block_ = 0;
  std::uint32_t l1_clock_ = 0;
  std::uint32_t l2_clock_ = 0;
  std::size_t used_ = 0;
  std::vector<Line> table_ = std::vector<Line>(1024);  ///< Hashed; a power of two.
};

}  // namespace warpgrade::timing
