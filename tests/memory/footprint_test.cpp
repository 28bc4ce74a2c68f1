// SPDX-License-Identifier: Apache-2.0
// Compares the footprint with a plain set of bytes.
#include "common/memory/footprint.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "tests/memory/patterns.h"

namespace warpgrade::memory::footprint_test {

Extent extent_of(const std::set<std::uint64_t>& bytes) {
  std::set<std::uint64_t> sectors, granules;
  for (const std::uint64_t byte : bytes) {
    sectors.insert(byte / 32);
    granules.insert(byte / 64);
  }
  return {bytes.size(), sectors.size(), granules.size()};
}

/// Adds the bytes of a random request, in one of the forms that callers use.
class Marker {
 public:
  void add(ByteSet& set, std::set<std::uint64_t>& bytes) {
    const std::uint64_t size = std::uint64_t{1} << random_() % 5;
    // The addresses are on both sides of the end of a page, and some accesses touch only parts of
    // words.
    const std::uint64_t first =
        7 * (std::uint64_t{1} << 18) - 4096 + random_() % 8192 / size * size;
    const std::uint64_t stride = random_() % 4 == 0 ? 1024 : random_() % 64 * size;
    const Addresses address = lanes([&](auto l) { return first + l * stride; });
    const Request request{address.data(), static_cast<std::uint32_t>(random_()) | 1U,
                          static_cast<std::uint32_t>(size)};
    if (random_() % 3 == 0) {
      const Range range{first, static_cast<std::uint32_t>(1 + random_() % 1024)};
      set.add(range);
      for (std::uint64_t i = 0; i < range.bytes; ++i) bytes.insert(first + i);
      return;
    }
    if (const auto apart = as_apart(request, filter_); apart && random_() % 2 == 0) {
      set.add(*apart);
    } else {
      gather(request, lines_);
      set.add(lines_);
    }
    for_each_address(request, request.mask, [&](std::uint64_t at) {
      for (std::uint64_t i = 0; i < size; ++i) bytes.insert(at + i);
    });
  }
  bool coin() { return random_() % 2 == 0; }

 private:
  std::mt19937_64 random_{5};
  Lines lines_;
  KeyFilter filter_;
};

TEST(Footprint, IsASetOfBytesInWholeWordsAndParts) {
  Marker marker;
  for (int round = 0; round < 100; ++round) {
    Footprint left, right;
    std::set<std::uint64_t> read, written;
    for (int step = 0; step < 20; ++step) {
      Footprint& footprint = marker.coin() ? left : right;
      if (marker.coin()) {
        marker.add(footprint.read, read);
      } else {
        marker.add(footprint.written, written);
      }
    }
    left.take(right);
    ASSERT_EQ(extent_of(read), left.read.extent());
    ASSERT_EQ(extent_of(written), left.written.extent());
    ASSERT_EQ(Extent{}, right.read.extent());
  }
}

TEST(Footprint, WordsTouchedInPartTwiceAreCountedOnce) {
  ByteSet set;
  set.add(Range{0, 2});
  set.add(Range{1, 3});  // the word is whole now, in two pieces
  set.add(Range{0, 4});  // and in one
  set.add(Range{126, 4});
  EXPECT_EQ((Extent{8, 3, 3}), set.extent());
}

TEST(Footprint, WhatIsMarkedAfterATakeCounts) {
  ByteSet left, right;
  left.add(Range{0, 101});  // Ends within a word, as do the next ranges.
  right.add(Range{256, 101});
  left.take(right);
  EXPECT_EQ(Extent{}, right.extent());
  left.add(Range{512, 101});
  right.add(Range{512, 101});  // No longer part of `left`.
  EXPECT_EQ(303u, left.extent().bytes);
  EXPECT_EQ(101u, right.extent().bytes);
}

}  // namespace warpgrade::memory::footprint_test
