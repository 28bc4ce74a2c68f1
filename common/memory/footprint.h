// SPDX-License-Identifier: Apache-2.0
// The bytes of global memory that a launch reads and writes.
//
// Pages of 256 KiB of address space are created on first touch, so any address works: buffers,
// variables of the module, the device heap. A page has a bit per 4-byte word, set if the whole
// word was touched. That is what kernels with floats do, and it is small enough for the host's
// caches even with large matrices. Words touched in part have a bit per byte, allocated on demand.
// Unions of footprints do not depend on the order, so results do not depend on the number of host
// threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

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

}  // namespace warpgrade::memory
