// SPDX-License-Identifier: Apache-2.0
// L1 hits of a block on its own earlier loads, and the size of its share of L1.
#include "common/memory/block_l1.h"

#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::block_l1_test {

TEST(BlockL1, HoldsWhatTheBlockLoadedSectorBySector) {
  BlockL1 l1(4096);
  l1.begin_block();
  EXPECT_EQ(2U, l1.load(Range{0x1000, 64}));
  EXPECT_EQ(0U, l1.load(Range{0x1000, 64}));
  EXPECT_EQ(2U, l1.load(Range{0x1000, 128}));  // the line's other half
  EXPECT_EQ(1U, l1.load(Range{0x1080, 1}));
}

TEST(BlockL1, ANewBlockStartsWithNothing) {
  BlockL1 l1(4096);
  l1.begin_block();
  l1.load(Range{0x1000, 128});
  l1.begin_block();
  EXPECT_EQ(4U, l1.load(Range{0x1000, 128}));
}

TEST(BlockL1, OneSetOfFourReplacesTheOldestLine) {
  BlockL1 l1(0);  // at least one set
  l1.begin_block();
  for (std::uint64_t line = 0; line < 4; ++line) l1.load(Range{line * 128, 32});
  EXPECT_EQ(0U, l1.load(Range{0, 32}));
  l1.load(Range{4 * 128, 32});
  EXPECT_EQ(1U, l1.load(Range{0, 32}));
  EXPECT_EQ(0U, l1.load(Range{3 * 128, 32}));
}

TEST(BlockL1, AllFormsOfARequestMeetTheSameLines) {
  BlockL1 l1(1 << 16);
  l1.begin_block();
  const auto columns = lanes([](auto l) { return l * 256; });
  const Request request{columns.data(), run::kFullMask, 4};
  Lines lines;
  gather(request, lines);
  EXPECT_EQ(32U, l1.load(lines));
  EXPECT_EQ(0U, l1.load(*as_apart(request, 256)));
  EXPECT_EQ(0U, l1.load(Apart{request, 0}));
}

TEST(L1Share, IsWhatSharedMemoryAndTheNeighboursLeave) {
  device::Profile profile;
  profile.l1.bytes = 100'000;
  profile.shared.bytes = 64'000;
  profile.sm.limits.blocks = 4;
  profile.sm.limits.warps = 64;
  run::LaunchContext context;
  context.warps_per_block = 8;
  EXPECT_EQ(25'000U, l1_share(profile, context));
  context.warps_per_block = 32;  // two blocks
  EXPECT_EQ(50'000U, l1_share(profile, context));
  context.shared_bytes = 10'000;
  EXPECT_EQ(40'000U, l1_share(profile, context));
  run::Launch launch;
  context.launch = &launch;
  profile.sm.count = 2;
  launch.grid = {2, 1, 1};  // one block per SM
  EXPECT_EQ(90'000U, l1_share(profile, context));
  launch.grid = {2, 2, 1};
  EXPECT_EQ(40'000U, l1_share(profile, context));
  profile.l1.bytes = 20'000;  // all of it is shared memory
  EXPECT_EQ(0U, l1_share(profile, context));
}

}  // namespace warpgrade::memory::block_l1_test
