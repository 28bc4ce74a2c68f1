// SPDX-License-Identifier: Apache-2.0
#include "common/run/launch_limits.h"

#include <gtest/gtest.h>

namespace warpgrade::run::launch_limits_test {

constexpr std::uint32_t kMost = 0xffffffff;

LaunchLimits k40() {
  device::Profile profile;
  profile.name = "k40";
  profile.sm.limits.threads_per_block = 512;
  profile.shared.max_bytes_per_block = 49152;
  return limits_of(profile);
}

TEST(LaunchLimits, WhatCudaTakesIsRight) {
  EXPECT_EQ("", wrong_grid({0x7fffffff, 65535, 65535}, {}));
  EXPECT_EQ("", wrong_block({1024, 1, 1}, {}));
  EXPECT_EQ("", wrong_block({1, 1024, 1}, {}));
  EXPECT_EQ("", wrong_block({4, 4, 64}, {}));
  EXPECT_EQ("", wrong_shared_bytes(232448, {}));
  EXPECT_EQ("", wrong_launch({1, 1, 1}, {1, 1, 1}, 0, {}));
}

TEST(LaunchLimits, AGridIsLimitedInEachDimension) {
  const auto* text = "a grid is at most 2147483647 x 65535 x 65535 blocks";
  EXPECT_EQ(text, wrong_grid({0x80000000, 1, 1}, {}));
  EXPECT_EQ(text, wrong_grid({1, 65536, 1}, {}));
  EXPECT_EQ(text, wrong_grid({1, 1, 65536}, {}));
}

TEST(LaunchLimits, ABlockIsLimitedInItsThreadsAndInZ) {
  const auto* text = "a block has at most 1024 threads, and 64 in z";
  EXPECT_EQ(text, wrong_block({1025, 1, 1}, {}));
  EXPECT_EQ(text, wrong_block({1, 1025, 1}, {}));
  EXPECT_EQ(text, wrong_block({1, 1, 65}, {}));
  EXPECT_EQ(text, wrong_block({32, 33, 1}, {}));
  EXPECT_EQ(text, wrong_block({kMost, kMost, kMost}, {}));
}

TEST(LaunchLimits, NoDimensionIsEmpty) {
  EXPECT_EQ("a grid has at least one block in each dimension", wrong_grid({1, 0, 1}, {}));
  EXPECT_EQ("a block has at least one thread in each dimension", wrong_block({1, 1, 0}, {}));
}

TEST(LaunchLimits, AProfileNarrowsThem) {
  EXPECT_EQ("", wrong_block({512, 1, 1}, k40()));
  EXPECT_EQ("a block has at most 512 threads on k40, and 64 in z", wrong_block({513, 1, 1}, k40()));
  EXPECT_EQ("", wrong_shared_bytes(49152, k40()));
  EXPECT_EQ("a block has at most 49152 bytes of shared memory on k40",
            wrong_shared_bytes(49153, k40()));
  EXPECT_EQ("a grid is at most 2147483647 x 65535 x 65535 blocks on k40",
            wrong_grid({1, 1, 65536}, k40()));
}

TEST(LaunchLimits, ALaunchsProblemNamesItsCause) {
  EXPECT_EQ("grid 1 x 70000 x 1: a grid is at most 2147483647 x 65535 x 65535 blocks",
            wrong_launch({1, 70000, 1}, {2048, 1, 1}, 0, {}));
  EXPECT_EQ("block 64 x 32 x 1: a block has at most 1024 threads, and 64 in z",
            wrong_launch({1, 1, 1}, {64, 32, 1}, 0, {}));
  EXPECT_EQ("232449 bytes of shared memory: a block has at most 232448 bytes of shared memory",
            wrong_launch({1, 1, 1}, {64, 1, 1}, 232449, {}));
}

}  // namespace warpgrade::run::launch_limits_test
