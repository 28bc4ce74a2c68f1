// SPDX-License-Identifier: Apache-2.0
// Decides which loads of a block hit L1 or L2 when its warps run concurrently.
//
// The simulator runs each warp until it waits for the others. On a card the warps take turns, so a
// line that one warp loaded is still cached for the next. The order of execution hides that if
// warps walk through more data than a cache holds. Here warps issue one request each, round-robin.
// A block has its share of L1 and L2, and hits lines that it touched before unless it has loaded
// more than its share since. A line that is in neither cache was evicted in between. dram_demand.h
// handles data of other blocks; for it the order of sectors that are loaded for the first time is
// recorded.
//
// A cache does not always evict its oldest line. Measured with loops
// (tests/evidence/golden/h200_memory): of L2's lines a quarter is gone at 1.15 times the size that
// it holds, most of them at 1.35; of L1's a fifth at 1.2 times, half at 1.5. In L1, a line with one
// loaded sector uses the room of a whole line.
//
// L1 merges two consecutive stores to the same lines and sends their sectors once: two stores of
// one warp to at most three lines, or two stores of different warps to at most eight. (On an H200,
// a block's warps store to random words of the same eight lines, each store after a load: half of
// the sectors leave L1.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/memory/lines.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// Sectors of a 128-byte line, one bit each.
struct TouchedLine {
  std::uint64_t line = 0;
  std::uint32_t sectors = 0;
};

/// Appends the lines of an access.
void keep(const memory::Lines& lines, std::vector<TouchedLine>& out);
void keep(const memory::Apart& apart, std::vector<TouchedLine>& out);
void keep(const memory::Range& range, std::vector<TouchedLine>& out);

/// A request of a warp, with its lines if it is a cached load or store.
struct RecordedAccess {
  TracedAccess access;
  std::uint32_t first_line = 0;
  std::uint32_t lines = 0;
  bool is_in_l1 = false;  ///< L1 may answer it.
};

/// The number of pages of this size that contain the lines, if the lines of a page are adjacent.
std::uint32_t pages_of(std::span<const TouchedLine> lines, std::uint64_t page_bytes);

/// L1 sends the sectors of two consecutive stores of a warp to the same few lines once: removes the
/// sectors of `last` from `next`. Ignores other accesses. `lines`: all lines of the block.
void merge_store(const RecordedAccess& last, RecordedAccess& next, std::vector<TouchedLine>& lines);

class BlockReplay {
 public:
  /// Bytes of L1 and L2 per block.
  BlockReplay(std::uint64_t l1_bytes, std::uint64_t l2_bytes);

  /// Sets `sectors`, `reused`, `lost`, `more` and the place of fresh sectors of the loads of a
  /// block that has just run. `warps`: the requests of each warp in program order; `lines`: all
  /// lines of the block.
  void run(const std::vector<std::vector<RecordedAccess>*>& warps,
           const std::vector<TouchedLine>& lines);

 private:
  struct Line {
    std::uint64_t number = 0;
    std::uint32_t block = 0;     ///< The entry is valid only for this block.
    std::uint32_t l1_clock = 0;  ///< Last use, in lines loaded into L1.
    std::uint32_t l2_clock = 0;  ///< Last use, in lines loaded into L2.
    std::uint8_t in_l1 = 0;      ///< Sectors, one bit each.
    std::uint8_t in_l2 = 0;
    std::uint8_t ever = 0;
  };

  /// Sets `fresh_begin` and `fresh_end`. `most`: requests of the warp that has most.
  static void place_fresh(const std::vector<std::vector<RecordedAccess>*>& warps, std::size_t most);
  void touch(RecordedAccess& request, const std::vector<TouchedLine>& lines);
  void bring(TracedAccess& access, Line& line, std::uint32_t sectors);
  /// Removes from a store the sectors of the one before it, if both have few lines.
  static void join_store(const RecordedAccess& last, RecordedAccess& next,
                         const std::vector<TouchedLine>& lines);
  Line& find(std::uint64_t number);
  void grow();

  std::uint64_t l1_bytes_;
  std::uint64_t l2_bytes_;
  std::uint32_t block_ = 0;
  std::uint32_t l1_clock_ = 0;
  std::uint32_t l2_clock_ = 0;
  std::size_t used_ = 0;
  std::vector<Line> table_ = std::vector<Line>(1024);  ///< Hashed; the size is a power of two.
};

}  // namespace warpgrade::timing
