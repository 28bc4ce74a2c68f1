// SPDX-License-Identifier: Apache-2.0
// The bytes of global memory that a launch reads and writes, as bits of pages.
//
// A page has a bit per 4-byte word. Words touched in part have a bit per byte, allocated on
// demand. Unions of footprints do not depend on the order of blocks or on the number of host
// threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <unordered_map>
#include <vector>

#include "common/memory/lines.h"

namespace warpgrade::memory {

/// Distinct bytes, and distinct aligned units of 32 and 64 bytes that contain any of them.
struct Extent {
  std::uint64_t bytes = 0;
  std::uint64_t sectors = 0;
  std::uint64_t granules = 0;

  friend bool operator==(const Extent&, const Extent&) = default;
};

/// A set of bytes of an address space.
class ByteSet {
 public:
  void add(const Range& range) {
    const std::uint64_t word = range.address / 4;
    __builtin_prefetch(&page(word / kPageWords).words[word % kPageWords / 64], 1);
    waiting_[waiting_count_++] = range;
    if (waiting_count_ == waiting_.size()) add_waiting();
  }
  void add(const Lines& lines);
  void add(const Apart& apart);
  /// Moves the contents of `other`, which is empty afterwards.
  void take(ByteSet& other);
  Extent extent();
  /// The extent of [begin, end), both multiples of a page (256 KiB).
  Extent extent(std::uint64_t begin, std::uint64_t end);

 private:
  static constexpr std::uint64_t kPageBytes = std::uint64_t{1} << 18;
  static constexpr std::uint64_t kPageWords = kPageBytes / 4;
  static constexpr std::uint64_t kPageLines = kPageBytes / 128;
  static constexpr std::size_t kRecent = 64;
  using Bytes = std::array<Lines::Bytes, kPageLines>;
  struct Page {
    std::array<std::uint64_t, kPageWords / 64> words{};
    std::unique_ptr<Bytes> bytes;  ///< Words touched in part, by line; nullptr if none.

    void add(std::uint64_t line, const Lines::Bytes& touched);
    void take(Page& other);
    Extent extent() const;
  };
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };

  Page& page(std::uint64_t number) {
    Recent& found = recent_[number % kRecent];
    if (found.number != number) found = {number, &make_page(number)};
    return *found.page;
  }
  Page& make_page(std::uint64_t number);
  void add_waiting();
  void add_in_pieces(const Range& range);

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::array<Recent, kRecent> recent_;
  /// Ranges not yet added to the pages, while the host prefetches their words.
  std::array<Range, 64> waiting_;
  std::size_t waiting_count_ = 0;
};

struct Footprint {
  ByteSet read;
  ByteSet written;

  /// Moves the contents of `other`, which is empty afterwards.
  void take(Footprint& other) {
    read.take(other.read);
    written.take(other.written);
  }
};

// The traffic below L1 per buffer of a launch. The input is the buffers' addresses, then the
// address of each access. Buffers are a gigabyte apart (common/sim/memory/address_space.h), so no
// two of them share a page of the footprint.

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
