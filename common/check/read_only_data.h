// SPDX-License-Identifier: Apache-2.0
// Finds writes to memory that a kernel must not write: inputs, and what it loads as read-only.
//
// An input buffer is for reading alone. ld.global.nc, generated for __ldg() and for const
// __restrict__ pointers, may return cached data, so the same launch must not write what it loads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/check/launch_view.h"

namespace warpgrade::check {

// Finds stores and atomics to input buffers, which a kernel must not modify.

class InputModified final : public Checker<InputModified> {
 public:
  static constexpr Needs kNeeds = Needs::kGlobalWrites;

 private:
  friend Checker<InputModified>;
  void memory(const run::MemoryEvent& event);

  void report(const run::MemoryEvent& event, std::uint32_t lane, const BufferView& buffer);
};

// Finds loads through the read-only data cache of elements that the same launch writes.
//
// ld.global.nc, generated for __ldg() and for const __restrict__ pointers, may return cached data:
// its memory must not be written while the kernel runs (PTX ISA, "ld.global.nc").
//
// Loads of inputs are not stored, because no thread may write inputs. GlobalInit knows the written
// elements of other buffers and is queried after the launch.
//
// Not modelled: variables in device memory; warp-level loads beyond the first 65,536, in the order
// of the blocks.

class ReadOnlyLoads final : public Checker<ReadOnlyLoads> {
 public:
  static constexpr Needs kNeeds = Needs::kGlobalMemory;

  /// Whether any of `bytes` bytes at `offset` in that buffer was written.
  using IsWritten =
      std::function<bool(std::uint32_t buffer, std::uint64_t offset, std::uint32_t bytes)>;

  /// The loads of written elements.
  Findings findings(const IsWritten& is_written) const;

 private:
  friend Checker<ReadOnlyLoads>;
  /// One load of a warp, from its event.
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

  std::vector<Load> loads_;  ///< Loads from writable buffers.
};

}  // namespace warpgrade::check
