// SPDX-License-Identifier: Apache-2.0
// How much of each DRAM page neighbouring blocks use together, where addresses are hashed.
//
// DRAM opens a page for what comes within a short time. Of the blocks of a grid, those next to each
// other in the order of dispatch come so: a row-wise copy's neighbours read and write neighbouring
// lines, while those of a transpose write lines that are rows apart and whose neighbours follow a
// grid's width of blocks later. An observer of a window of blocks counts the pages that their
// accesses touch, and the sectors in them.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"
#include "common/run/runner.h"

namespace warpgrade::timing {

/// Pages opened for a byte that DRAM moves; 0 where nothing was seen. And the share of granules of
/// 64 bytes whose neighbour in their line of 128 is not used with them.
struct PagesPerByte {
  double read = 0;
  double written = 0;
  double lone_read = 0;
  double lone_written = 0;
};

class DramPageLocality final : public run::Observer {
 public:
  /// Watches blocks in `window`; pages have profile.dram_page_bytes. What the blocks of `next_row`
  /// write meets in L2 what those of `window` have left there.
  DramPageLocality(const device::Profile& profile, run::BlockRange window,
                   run::BlockRange next_row = {});

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;

  PagesPerByte pages_per_byte() const;

  /// Bytes from the first to the last page that neighbours use of what lies from `begin` on and
  /// before `end`.
  struct Window {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
  };
  Window window(std::uint64_t begin, std::uint64_t end) const;

 private:
  /// Page -> sectors of it that are touched, a bit each.
  using Pages = std::unordered_map<std::uint64_t, std::uint64_t>;

  const device::Profile* profile_;
  run::BlockRange window_;
  run::BlockRange next_row_;
  bool is_watched_ = false;
  bool is_in_next_row_ = false;
  std::vector<std::uint32_t> seen_;  ///< Accesses of each warp.
  Pages read_;
  Pages written_;
  Pages written_later_;  ///< By the next row.
};

}  // namespace warpgrade::timing
