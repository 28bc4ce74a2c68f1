// SPDX-License-Identifier: Apache-2.0
// Finds reads of elements of an output buffer that the kernel has not written yet, and
// records which elements were written.
//
// Shadow: for each cell (an element, or 4 bytes of a longer one) of initially undefined
// buffers, the block that wrote it, or "several". If the kernel has loads through the
// read-only data cache, all writable buffers have a shadow, because ReadOnlyLoads needs
// the writers. Within a block the order of events decides: a read before the block's own
// first write is early. Between blocks it does not, because they run in any order and on
// several observers: an early read is valid if another block writes the cell at any time.
// Therefore early reads are stored and evaluated at the end, after all observers have been
// joined.
//
// Not modelled: a store to part of a cell counts as a store to all of it; whether another
// block's write really precedes the read; early reads beyond the first million.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/check/checker.h"
#include "common/check/undefined_read.h"
#include "common/check/writer_map.h"

namespace warpgrade::check {

class GlobalInit final : public Checker<GlobalInit> {
 public:
  static constexpr Needs kNeeds = Needs::kGlobalMemory;

  /// The early reads that no other block's write can justify.
  Findings findings() const;
  /// Reads of uninitialised global memory, one per source line.
  std::vector<UndefinedRead> undefined_reads() const;
  /// Whether any of `bytes` bytes at `offset` in that buffer was written; false for buffers without
  /// a shadow.
  bool is_written(std::uint32_t buffer, std::uint64_t offset, std::uint32_t bytes) const;
  /// One bit per byte of that undefined buffer, set if this launch or an earlier one of its
  /// sequence has written it.
  std::vector<bool> written(std::uint32_t buffer) const;

 private:
  friend Checker<GlobalInit>;
  /// The writers of one buffer's cells, if it has a shadow.
  struct Shadow {
    std::uint32_t cell_bytes = 4;
    WriterMap writers;
    bool is_touched = false;
  };
  /// `lanes` consecutive lanes of `warp`, from `lane` on, each read the next `cells` cells.
  struct EarlyRead {
    Moment moment;
    std::uint64_t first_cell = 0;
    std::uint64_t repeats = 1;
    std::uint32_t instruction = 0;
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint32_t lanes = 1;
    std::uint32_t cells = 1;
    std::uint32_t buffer = 0;
  };

  void begin_launch(const run::LaunchContext& context);
  void memory(const run::MemoryEvent& event);
  void begin_launch_beside(const run::LaunchContext& context, GlobalInit& first);
  void merge(GlobalInit& other);
  void access(const run::MemoryEvent& event, std::uint32_t buffer, std::uint32_t lane,
              std::uint32_t lanes);
  void keep(const EarlyRead& read);
  template <typename Function>
  void for_each_undefined(const Function& function) const;

  bool any_shadow_ = false;
  // By buffer; one for all blocks of a cooperative launch.
  std::shared_ptr<std::vector<Shadow>> shadows_ = std::make_shared<std::vector<Shadow>>();
  std::vector<EarlyRead> early_reads_;
};

}  // namespace warpgrade::check
