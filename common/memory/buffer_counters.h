// SPDX-License-Identifier: Apache-2.0
// The traffic below L1 per buffer of a launch. The input is the buffers' addresses, then the
// address of each access. Buffers are a gigabyte apart (common/sim/memory/address_space.h), so no
// two of them share a page of the footprint.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "common/memory/footprint.h"

namespace warpgrade::memory {

/// Traffic below L1 that the executed blocks caused in one buffer.
struct BufferCounters {
  std::uint64_t base = 0;           ///< Device address.
  std::uint64_t load_sectors = 0;   ///< Loads that missed L1, and atomics.
  std::uint64_t store_sectors = 0;  ///< Stores and atomics.
  Extent read = {};
  Extent written = {};
};

class BufferTable {
 public:
  BufferTable() = default;
  /// Requires the buffers' addresses in ascending order.
  explicit BufferTable(const std::vector<std::uint64_t>& addresses) {
    for (const auto base : addresses) all_.push_back({.base = base});
  }

  /// The buffer that contains the address, or the nearest one below it; nullptr if all are above.
  BufferCounters* find(std::uint64_t address) {
    const auto behind = std::find_if(all_.begin(), all_.end(), [&](const BufferCounters& buffer) {
      return address < buffer.base;
    });
    return behind == all_.begin() ? nullptr : &*std::prev(behind);
  }

  /// Adds the counts of another table for the same buffers.
  void add(const BufferTable& other) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      all_[i].load_sectors += other.all_[i].load_sectors;
      all_[i].store_sectors += other.all_[i].store_sectors;
    }
  }

  /// All buffers in the order of their addresses, with their parts of `footprint`.
  std::vector<BufferCounters> with(Footprint& footprint) const {
    auto out = all_;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto end = i + 1 < out.size() ? out[i + 1].base : ~std::uint64_t{0};
      out[i].read = footprint.read.extent(out[i].base, end);
      out[i].written = footprint.written.extent(out[i].base, end);
    }
    return out;
  }

 private:
  std::vector<BufferCounters> all_;
};

}  // namespace warpgrade::memory
