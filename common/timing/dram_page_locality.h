// SPDX-License-Identifier: Apache-2.0
// Measures how much of each DRAM page neighbouring blocks use together, if addresses are hashed.
//
// DRAM opens a page for accesses within a short time, which come from blocks that are adjacent in
// the order of dispatch. Neighbours in a row-wise copy read and write neighbouring lines.
// Neighbours in a transpose write lines that are rows apart, and the adjacent lines follow a grid
// width of blocks later. If such a line begins within a sector, DRAM writes it in two turns. An
// observer of a window of blocks counts the touched pages and their sectors.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"
#include "common/run/runner.h"

namespace warpgrade::timing {

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

}  // namespace warpgrade::timing
