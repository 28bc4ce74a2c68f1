// SPDX-License-Identifier: Apache-2.0
// Finds reads of elements of an output buffer that the kernel has not written yet, and knows which
// elements were written.
//
// Shadow: for each cell (an element, or 4 bytes of a longer one) of the buffers that start
// undefined the block that has written it, or that several have. If the kernel has loads through
// the read-only data cache, all buffers that may be written have a shadow, since ReadOnlyLoads asks
// who wrote. Within a block the order of events
// decides: a read before the block's own first write is early. Between blocks it does not, since
// they run in any order and on several observers: an early read is right where another block writes
// the cell at any time. So early reads are kept and judged in the end, when all observers have been
// joined.
//
// Not modelled: a store to a part of a cell counts as one to all of it; whether another block's
// write really came before the read; early reads past the first million.
#pragma once

#include <cstdint>
#include <vector>

#include "common/check/checker.h"
#include "common/check/undefined_read.h"
#include "common/check/writer_map.h"

namespace warpgrade::check {

class GlobalInit final : public Checker<GlobalInit> {
 public:
  /// The early reads that no other block's write can have justified.
  Findings findings() const;
  /// Reads of global memory that nobody has written, one a source line.
  std::vector<UndefinedRead> undefined_reads() const;
  /// Whether any of `bytes` bytes at `offset` in that buffer was written; false for a buffer
  /// without a shadow.
  bool is_written(std::uint32_t buffer, std::uint64_t offset, std::uint32_t bytes) const;
  /// A bit a byte of that buffer, set for those that this launch or earlier ones of its sequence
  /// have written; of a buffer that is not defined.
  std::vector<bool> written(std::uint32_t buffer) const;

 private:
  friend Checker<GlobalInit>;
  /// Who wrote the cells of one buffer, if it has any.
  struct Shadow {
    std::uint32_t cell_bytes = 4;
    WriterMap writers;
    bool is_touched = false;
  };
  /// `lanes` consecutive lanes from `warp`, `lane` on read `cells` cells each, one after the other.
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
  void merge(GlobalInit& other);
  void access(const run::MemoryEvent& event, std::uint32_t buffer, std::uint32_t lane,
              std::uint32_t lanes);
  void keep(const EarlyRead& read);
  template <typename Function>
  void for_each_undefined(const Function& function) const;

  bool any_shadow_ = false;
  std::vector<Shadow> shadows_;  // By buffer.
  std::vector<EarlyRead> early_reads_;
};

}  // namespace warpgrade::check
