// SPDX-License-Identifier: Apache-2.0
// Decides which accesses of a block hit L1 or L2 when its warps run concurrently.
//
// The simulator runs each warp until it waits for the others. Here warps issue one request each,
// round-robin, and a block has its share of L1 and L2. The last part is local memory: arrays of a
// thread, and the accesses that only machine code has, for spilled registers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/global_access.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"
#include "common/timing/dram_demand.h"
#include "common/timing/l1_loads.h"
#include "common/timing/machine_costs.h"
#include "common/timing/simulation.h"
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
};

/// The number of pages of this size that contain the lines, if the lines of a page are adjacent.
std::uint32_t pages_of(std::span<const TouchedLine> lines, std::uint64_t page_bytes);

/// The lines that a warp stored to in one stretch, as L1 collects them: it sends a sector once that
/// is stored again soon.
class StoredLines {
 public:
  /// Removes from a store the sectors that the warp has stored before, or a part of them if it uses
  /// many lines. Ignores other accesses. `lines`: all lines of the block.
  void add(RecordedAccess& next, const std::vector<TouchedLine>& lines);
  void clear() { lines_.clear(); }

 private:
  std::vector<TouchedLine> lines_;  ///< The one that was stored to last is the last one.
};

class BlockReplay {
 public:
  /// Bytes of L1 and L2 per block.
  BlockReplay(std::uint64_t l1_bytes, std::uint64_t l2_bytes);

  /// Sets `sectors`, `reused`, `lost`, `more` and the place of fresh sectors of the loads of a
  /// block that has just run. `warps`: the requests of each warp in program order; `lines`: all
  /// lines of the block.
  void run(const std::vector<std::vector<RecordedAccess>*>& warps,
           const std::vector<TouchedLine>& lines);
  /// Sectors that the last block loaded and stored, and how many of them L1 had.
  std::uint32_t looked_up() const { return looked_up_; }
  std::uint32_t hits() const { return hits_; }
  /// The loads of the last block from global memory.
  const L1Loads& l1_loads() const { return l1_loads_; }

 private:
  struct Line {
    std::uint64_t number = 0;
    std::uint32_t block = 0;     ///< The entry is valid only for this block.
    std::uint32_t l1_clock = 0;  ///< Last use, in lines loaded into L1.
    std::uint32_t l2_clock = 0;  ///< Last use, in lines loaded into L2.
    std::uint8_t in_l1 = 0;      ///< Sectors, one bit each.
    std::uint8_t in_l2 = 0;
    std::uint8_t ever = 0;
    std::uint8_t allocated = 0;  ///< Sectors in L1 because of a load or a store.
    /// The last load that brought sectors to L1, as in TracedAccess.
    std::uint16_t fetching_warp = 0;
    std::uint32_t fetch = 0;
  };
  struct Turn {
    std::uint16_t warp = 0;
    std::uint32_t request = 0;  ///< Its number in the warp.
  };

  /// Sets `fresh_begin` and `fresh_end`. `most`: requests of the warp that has most.
  static void place_fresh(const std::vector<std::vector<RecordedAccess>*>& warps, std::size_t most);
  void touch(RecordedAccess& request, const std::vector<TouchedLine>& lines, const Turn& turn);
  void bring(TracedAccess& access, Line& line, std::uint32_t sectors);
  /// Removes from a store the sectors of the one before it, if both have few lines.
  static void join_store(const RecordedAccess& last, RecordedAccess& next,
                         const std::vector<TouchedLine>& lines);
  Line& find(std::uint64_t number);
  void grow();

  std::uint64_t l1_bytes_;
  std::uint64_t l2_bytes_;
  std::uint32_t block_ = 0;
  std::uint32_t looked_up_ = 0;
  std::uint32_t hits_ = 0;
  L1Loads l1_loads_;
  std::uint32_t l1_clock_ = 0;
  std::uint32_t l2_clock_ = 0;
  std::size_t used_ = 0;
  std::vector<Line> table_ = std::vector<Line>(1024);  ///< Hashed; the size is a power of two.
};

// Local memory: arrays of a thread, and spilled registers, whose accesses only machine code has.
//
// The words at one place on the stacks of a warp's 32 lanes are adjacent: a 128-byte line. So an
// access of 4 bytes per lane uses one line for a spilled register, and one for each different index
// of an array. Stores write through L1 to L2. Loads hit a cache that has not evicted the line. A
// new block reuses the stacks of the block that ended. DRAM writes what L2 evicts before the new
// block overwrites it.

/// The request of a warp of the block; its lines are appended to `touched`.
RecordedAccess spill_request(const SpillAccess& spill, std::uint32_t warp,
                             std::vector<TouchedLine>& touched);

/// The request of `event`, an access to an array in local memory. `access` and `lines`: as the
/// classifier has them. Its lines are appended to `touched`.
RecordedAccess array_request(const run::MemoryEvent& event, const memory::GlobalAccess& access,
                             const memory::Lines& lines, std::vector<TouchedLine>& touched);

/// DRAM rates of local memory of `blocks` concurrent blocks. L2 keeps a stored sector until the
/// next block overwrites it if it has room for everything that these blocks access in between. Of
/// the sectors that blocks store again and again it writes as many as a cache that replaces lines
/// at random: 37, 64 and 93 % if they have 1.25, 1.6 and 2.8 times its size. An H200 writes 55 and
/// 77 % at 1.25 and 2.8 (`gauss_jordan_local_4_300000` and `registers_spilled` in
/// tests/evidence/launches), an RTX 2080 Ti 65 % at 1.6 (KTT's CoulombSum3d). Both write 5 % of
/// what L2 could hold, which is ignored.
BufferRates local_rates(const device::Profile& profile, const Trace& trace, double blocks);

/// Adds the bytes that DRAM moves for the local memory of a launch of `blocks` blocks.
void add_local(const Trace& trace, const BufferRates& rates, double blocks, DramTraffic& traffic);

}  // namespace warpgrade::timing
