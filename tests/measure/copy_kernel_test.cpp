// SPDX-License-Identifier: Apache-2.0
// The launch of the copy baseline, and the contents of its buffers.
#include "common/measure/copy_kernel.h"

#include <gtest/gtest.h>

#include <cstring>

namespace warpgrade::measure::copy_kernel_test {

TEST(CopyKernel, MovesWholeWordsAndAtLeastOne) {
  EXPECT_EQ(4U, copied_bytes(0));
  EXPECT_EQ(4U, copied_bytes(1));
  EXPECT_EQ(8U, copied_bytes(5));
  EXPECT_EQ(4096U, copied_bytes(4096));
}

TEST(CopyKernel, HasAThreadForEachPieceAndEachWordThatIsLeft) {
  EXPECT_EQ(1U, copy_launch(16).grid.x);
  EXPECT_EQ(256U, copy_launch(16).block.x);
  EXPECT_EQ(1U, copy_launch(256 * 16).grid.x);
  EXPECT_EQ(2U, copy_launch(256 * 16 + 4).grid.x);
  EXPECT_EQ(1U, copy_launch(252 * 16 + 12).grid.x);  // 252 pieces and 3 words
}

TEST(CopyKernel, TheOutputIsPoisonedAndTheInputVaries) {
  const auto made = copy_case(1 << 12);
  ASSERT_EQ(2U, made.buffers.size());
  EXPECT_EQ("out", made.buffers[0].name);
  EXPECT_FALSE(made.buffers[0].defined);
  EXPECT_TRUE(made.buffers[1].read_only);
  EXPECT_EQ(made.buffers[0].bytes.size(), made.buffers[1].bytes.size());
  for (std::size_t at = 4; at < made.buffers[1].bytes.size(); at += 4) {
    EXPECT_NE(0, std::memcmp(&made.buffers[1].bytes[at - 4], &made.buffers[1].bytes[at], 4));
  }
}

TEST(CopyKernel, ALargeInputRepeatsItself) {
  const auto patterns = copy_patterns(std::uint64_t{1} << 32);
  ASSERT_EQ(2U, patterns.size());
  EXPECT_EQ(std::uint64_t{1} << 32, patterns[1].bytes);
  EXPECT_GE(std::uint64_t{1} << 20, patterns[1].period);
}

}  // namespace warpgrade::measure::copy_kernel_test
