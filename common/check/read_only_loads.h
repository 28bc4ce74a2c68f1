// SPDX-License-Identifier: Apache-2.0
// Finds loads through the read-only data cache of elements that the same launch writes.
//
// ld.global.nc, which __ldg() and pointers that are const and __restrict__ become, may return what
// the cache holds: its memory must not be written while the kernel runs (PTX ISA 9.0, 9.7.9.8). In
// which order load and store come does not matter.
//
// Loads of inputs are not kept, since nobody may write those. GlobalInit knows which elements of
// other buffers were written; it is asked when the launch is over.
//
// Not modelled: variables in device memory; loads past the first 65,536 of warps, in the order of
// the blocks.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/check/checker.h"

namespace warpgrade::check {

class ReadOnlyLoads final : public Checker<ReadOnlyLoads> {
 public:
  /// Whether any of `bytes` bytes at `offset` in that buffer was written.
  using IsWritten =
      std::function<bool(std::uint32_t buffer, std::uint64_t offset, std::uint32_t bytes)>;

  /// Whether the kernel has such a load at all: else it need not be told of events.
  bool is_needed() const { return view_.has_read_only_loads(); }
  /// The loads of elements that were written.
  Findings findings(const IsWritten& is_written) const;

 private:
  friend Checker<ReadOnlyLoads>;
  /// One load of a warp, as the event told it.
  struct Load {
    Moment moment;
    std::uint32_t instruction = 0;
    std::uint32_t warp = 0;
    std::uint32_t mask = 0;
    std::uint32_t bytes = 0;
    std::array<std::uint64_t, run::kWarpSize> address{};
  };

  void begin_launch(const run::LaunchContext& context);
  void memory(const run::MemoryEvent& event);
  void merge(ReadOnlyLoads& other);
  void keep(const run::MemoryEvent& event);

  std::vector<Load> loads_;  ///< Loads of buffers that may be written.
};

}  // namespace warpgrade::check
