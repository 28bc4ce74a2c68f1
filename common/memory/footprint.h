// SPDX-License-Identifier: Apache-2.0
// Which bytes of global memory a launch read and which it wrote.
//
// Pages of 256 KiB of address space, made on first touch, so that any address will do: buffers,
// variables of the module, the device heap. A page has a bit for each of its words of 4 bytes, set
// where all of the word was touched: what kernels do that work on floats, and little enough for a
// large matrix to stay in the host's caches. Words that were touched in part have a bit a byte,
// made where there is one. A union of footprints is the same in any order, so what is counted from
// it does not depend on the number of host threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "common/memory/lines.h"

namespace warpgrade::memory {

/// Distinct bytes, and distinct aligned units of 32 and 64 bytes that hold any of them.
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
  /// Adds what `other` has, which is empty afterwards.
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
    std::unique_ptr<Bytes> bytes;  ///< Words touched in part, by line; nullptr: none is.

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
  /// Ranges that are not in the pages yet: the host is fetching their words.
  std::array<Range, 64> waiting_;
  std::size_t waiting_count_ = 0;
};

struct Footprint {
  ByteSet read;
  ByteSet written;

  /// Adds what `other` has, which is empty afterwards.
  void take(Footprint& other) {
    read.take(other.read);
    written.take(other.written);
  }
};

}  // namespace warpgrade::memory
