// SPDX-License-Identifier: Apache-2.0
// The footprint against a plain set of bytes.
#include "common/memory/footprint.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace warpgrade::memory {
namespace {

Footprint::Extent extent_of(const std::set<std::uint64_t>& bytes) {
  std::set<std::uint64_t> sectors, granules;
  for (const std::uint64_t byte : bytes) {
    sectors.insert(byte / 32);
    granules.insert(byte / 64);
  }
  return {bytes.size(), sectors.size(), granules.size()};
}

TEST(Footprint, IsASetOfBytesInWholeLinesAndParts) {
  std::mt19937_64 random(5);
  Lines lines;
  for (int round = 0; round < 50; ++round) {
    Footprint left, right;
    std::set<std::uint64_t> read, written;
    for (int step = 0; step < 40; ++step) {
      const bool is_whole = step % 2 == 0;
      const std::uint64_t address =
          65536 * 7 - 4096 + random() % 64 * 128 + (is_whole ? 0 : random() % 128);
      const auto bytes =
          static_cast<std::uint32_t>(is_whole ? 128 * (1 + random() % 4) : 1 + random() % 300);
      gather_range(address, bytes, lines);
      Footprint& footprint = random() % 2 == 0 ? left : right;
      const bool is_read = random() % 2 == 0;
      is_read ? footprint.mark_read(lines) : footprint.mark_written(lines);
      for (std::uint64_t i = 0; i < bytes; ++i) (is_read ? read : written).insert(address + i);
    }
    left.take(right);
    ASSERT_EQ(extent_of(read), left.read());
    ASSERT_EQ(extent_of(written), left.written());
  }
}

TEST(Footprint, WhatIsMarkedAfterATakeCounts) {
  Lines lines;
  Footprint left, right;
  gather_range(0, 100, lines);  // Parts of a line, on both sides.
  left.mark_read(lines);
  gather_range(256, 100, lines);
  right.mark_read(lines);
  right.mark_written(lines);
  left.take(right);
  EXPECT_EQ((Footprint::Extent{}), right.read());
  gather_range(512, 100, lines);
  left.mark_read(lines);
  left.mark_written(lines);
  right.mark_read(lines);  // Nothing that `left` has now.
  EXPECT_EQ(300u, left.read().bytes);
  EXPECT_EQ(200u, left.written().bytes);
  EXPECT_EQ(100u, right.read().bytes);
}

}  // namespace
}  // namespace warpgrade::memory
