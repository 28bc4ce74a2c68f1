// SPDX-License-Identifier: Apache-2.0
#include "common/timing/l1_sharing.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "common/timing/l1_loads.h"
#include "common/timing/trace.h"

namespace warpgrade::timing::l1_sharing_test {

// Blocks 0 and 1 of one SM, whose L1 has room for 1000 lines.
constexpr L1Use kTwoBlocks{.bytes = 128000, .resident = 2, .blocks = 2, .row = 1, .sms = 1};

constexpr TracedAccess load(std::uint16_t sectors) {
  TracedAccess out;
  out.kind = TracedAccess::Kind::kLoad;
  out.sectors = sectors;
  out.buffer = 0;
  out.is_in_l1 = true;
  return out;
}

// A block that loads these lines, all four sectors of each, by one request.
BlockTrace block_of(std::uint64_t linear, const std::vector<std::uint64_t>& lines) {
  BlockTrace out;
  out.linear = linear;
  for (const std::uint64_t line : lines) out.l1_loads.add({line, 0xf, 0, true});
  out.requests = {load(static_cast<std::uint16_t>(4 * lines.size()))};
  return out;
}

// Eight blocks load one line 50 times each, and L1 keeps it: one of 400 loads misses.
TEST(L1Sharing, ALineThatAllBlocksLoadComesOnce) {
  Trace trace;
  for (std::uint64_t b = 0; b < 8; ++b) {
    trace.blocks.push_back(block_of(b, std::vector<std::uint64_t>(50, 7)));
  }
  auto use = kTwoBlocks;
  use.blocks = 8;
  share_l1(use, trace);
  double left = 0;
  for (const BlockTrace& block : trace.blocks) left += block.requests[0].sectors;
  EXPECT_LE(left, 8) << "a rest of less than a sector for each block";
  EXPECT_EQ(200, trace.blocks[3].requests[0].sectors + trace.blocks[3].requests[0].more);
  EXPECT_EQ(trace.blocks[3].requests[0].more, static_cast<int>(trace.blocks[3].l1_hits));
}

// One of both blocks is the first: half of the sectors are there.
TEST(L1Sharing, OfTwoBlocksOneFindsTheLinesOfTheOther) {
  Trace trace;
  trace.blocks = {block_of(0, {1, 2, 3, 4}), block_of(1, {1, 2, 3, 4})};
  share_l1(kTwoBlocks, trace);
  EXPECT_NEAR(16, trace.blocks[0].requests[0].sectors + trace.blocks[1].requests[0].sectors, 2)
      << "a rest of less than a sector for each block";
}

TEST(L1Sharing, LinesOfABlockAloneAreItsOwn) {
  Trace trace;
  trace.blocks = {block_of(0, {1, 2}), block_of(1, {3, 4})};
  share_l1(kTwoBlocks, trace);
  EXPECT_EQ(8, trace.blocks[0].requests[0].sectors);
}

TEST(L1Sharing, BlocksOfOtherSmsDoNotCount) {
  Trace trace;
  trace.blocks = {block_of(0, {1, 2}), block_of(1, {1, 2})};
  auto use = kTwoBlocks;
  use.row = use.sms = 2;
  share_l1(use, trace);
  EXPECT_EQ(8, trace.blocks[0].requests[0].sectors);
}

TEST(L1Sharing, ABlockThatIsAloneOnItsSmFindsNothing) {
  Trace trace;
  trace.blocks = {block_of(0, {1, 2}), block_of(1, {1, 2})};
  auto use = kTwoBlocks;
  use.resident = 1;
  share_l1(use, trace);
  EXPECT_EQ(8, trace.blocks[0].requests[0].sectors);
}

// Two blocks have 1000 lines each, and share 7. L1 holds 1000, so it replaces a line 2.01 times in
// the time of a block. A shared line is asked for once by the other block in that time: it is there
// with 1 / 3.01, and half of all loads are the first ones. Of 28 sectors, 4.65 are found.
TEST(L1Sharing, ALineThatIsReplacedSoonIsOftenGone) {
  Trace trace;
  for (std::uint64_t b = 0; b < 2; ++b) {
    BlockTrace block;
    block.linear = b;
    block.requests = {load(4000), load(28)};
    block.requests[0].buffer = 1;
    for (std::uint64_t k = 0; k < 1000; ++k) block.l1_loads.add({1000 * (b + 1) + k, 0xf, 1, true});
    for (std::uint64_t k = 0; k < 7; ++k) block.l1_loads.add({k, 0xf, 0, true});
    trace.blocks.push_back(block);
  }
  share_l1(kTwoBlocks, trace);
  EXPECT_EQ(4000, trace.blocks[0].requests[0].sectors);
  EXPECT_EQ(28 - 4, trace.blocks[0].requests[1].sectors);
}

TEST(L1Loads, KeepsAPartOfManyLines) {
  L1Loads loads;
  for (std::uint64_t line = 0; line < 100000; ++line) loads.add({line, 1, 0, true});
  EXPECT_EQ(100000U, loads.lines());
  EXPECT_LE(loads.kept().size(), 1024U);
  EXPECT_GE(loads.kept().size(), 400U);
  EXPECT_NEAR(100000, static_cast<double>(loads.kept().size() << loads.halvings()), 8000);
}

}  // namespace warpgrade::timing::l1_sharing_test
