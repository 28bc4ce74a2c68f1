// SPDX-License-Identifier: Apache-2.0
// Estimates the DRAM traffic of a launch from the traffic of a sample of blocks per buffer.
//
// In: the sectors that each block sends below L1, and a window of neighbouring blocks. Out: bytes
// that DRAM reads and writes, and how much of each DRAM page neighbours use together. Addresses
// must be hashed over the memory channels for the latter.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/run/observer.h"
#include "common/run/runner.h"

namespace warpgrade::timing {

// Measures how much of each DRAM page neighbouring blocks use together, if addresses are hashed.
//
// DRAM opens a page for accesses within a short time, which come from blocks that are adjacent in
// the order of dispatch. Neighbours in a row-wise copy read and write neighbouring lines.
// Neighbours in a transpose write lines that are rows apart, and the adjacent lines follow a grid
// width of blocks later. If such a line begins within a sector, DRAM writes it in two turns. An
// observer of a window of blocks counts the touched pages and their sectors.

/// Opened pages per byte that DRAM moves (0 without accesses), the share of 64-byte granules whose
/// neighbour in the 128-byte line is not used with them, and the share of written sectors to which
/// the next row of blocks writes, too.
struct PagesPerByte {
  double read = 0;
  double written = 0;
  double lone_read = 0;
  double lone_written = 0;
  double split_written = 0;
};

class DramPageLocality final : public run::Observer {
 public:
  /// Watches blocks in `window`; pages have profile.dram.page_bytes. In L2, writes of the blocks in
  /// `next_row` merge with data that the blocks in `window` left there.
  DramPageLocality(const device::Profile& profile, run::BlockRange window,
                   run::BlockRange next_row = {});

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;

  PagesPerByte pages_per_byte() const;

  /// Bytes from the first to the last page that neighbours use in [begin,
  /// end).
  struct Window {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
  };
  Window window(std::uint64_t begin, std::uint64_t end) const;

 private:
  /// Page -> its touched sectors, one bit each.
  using Pages = std::unordered_map<std::uint64_t, std::uint64_t>;

  const device::Profile* profile_;
  run::BlockRange window_;
  run::BlockRange next_row_;
  bool is_watched_ = false;
  bool is_in_next_row_ = false;
  std::vector<std::uint32_t> seen_;  ///< Accesses per warp.
  Pages read_;
  Pages written_;
  Pages written_later_;  ///< by the next row
};

/// In sectors of 32 bytes. Partly used L2 granules (profile.l2.fetch_bytes) count as
/// whole.
struct BufferDemand {
  double read = 0;    ///< For loads.
  double held = 0;    ///< Loaded sectors that earlier launches have left in L2.
  double filled = 0;  ///< Read because sectors leave L2 incomplete.
  double written = 0;
};

/// Bytes that DRAM moves for the whole launch. It fetches granules, and writes sectors.
struct DramTraffic {
  double read = 0;           ///< For loads and atomics.
  double read_again = 0;     ///< Bytes that L2 had evicted, in `read`.
  double filled = 0;         ///< Read because sectors leave L2 incomplete.
  double written = 0;        ///< Until all is written; L2 may hold some when the launch ends.
  double written_again = 0;  ///< Bytes that had been written before, in `written`.
  double local_read = 0;     ///< Bytes of local memory, in `read` and `read_again`.
  double local_written = 0;  ///< Likewise, in `written`.

  friend bool operator==(const DramTraffic&, const DramTraffic&) = default;
};

struct DramDemand {
  double read = 0;  ///< Includes `filled`.
  double written = 0;
  std::vector<BufferDemand> buffers;
  /// Sectors written by others that leave L2 to make room for this launch's, minus the sectors that
  /// this launch leaves there.
  double displaced = 0;
  DramTraffic traffic;
};

/// Whether a buffer of this size fits in L2.
bool l2_holds(const device::Profile& profile, double buffer_bytes);

/// Bytes of written data that L2 holds before it must write some to DRAM.
double l2_dirty(const device::Profile& profile);

/// The DRAM demand of the blocks counted in `buffers`, `share` of the launch's blocks, at the rates
/// of the whole launch. `buffer_bytes`: sizes of the buffers, in the same order. `held`: the share
/// of the loaded sectors of each that earlier launches have left in L2; empty: none. The traffic is
/// that of a launch alone, as Nsight Compute counts it.
DramDemand dram_demand(const device::Profile& profile,
                       const std::vector<memory::BufferCounters>& buffers,
                       const std::vector<std::uint64_t>& buffer_bytes,
                       const DramPageLocality& locality, double share,
                       const std::vector<double>& held = {});

}  // namespace warpgrade::timing
