// SPDX-License-Identifier: Apache-2.0
#include "common/run/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/run/runner.h"

namespace warpgrade::run::launch_test {

using testing::ElementsAre;

const std::vector<std::uint64_t> kAddresses = {0x1122334455667788, 0x0102030405060708};

std::vector<int> numbers(const Argument& argument) {
  std::vector<int> out;
  for (const auto byte : bytes_of(argument, kAddresses)) out.push_back(std::to_integer<int>(byte));
  return out;
}

TEST(ArgumentBytes, ABufferIsItsAddressLittleEndian) {
  EXPECT_THAT(numbers(BufferArgument{1}), ElementsAre(8, 7, 6, 5, 4, 3, 2, 1));
}

TEST(ArgumentBytes, AValueIsItself) {
  EXPECT_THAT(numbers(ValueArgument{std::byte{5}}), ElementsAre(5));
}

TEST(ArgumentBytes, AStructHasAddressesAtTheirPlaces) {
  StructArgument argument{ValueArgument(12, std::byte{9}), {{4, 0}}};
  EXPECT_THAT(numbers(argument),
              ElementsAre(9, 9, 9, 9, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11));
  EXPECT_EQ(ValueArgument(12, std::byte{9}), argument.bytes);
}

TEST(ArgumentBytes, ABufferThatIsNotThereAndAnAddressThatDoesNotFitAreRefused) {
  EXPECT_THROW(bytes_of(BufferArgument{2}, kAddresses), base::UsageError);
  EXPECT_THROW(bytes_of(StructArgument{ValueArgument(8), {{0, 2}}}, kAddresses), base::UsageError);
  EXPECT_THROW(bytes_of(StructArgument{ValueArgument(8), {{1, 0}}}, kAddresses), base::UsageError);
  EXPECT_THROW(bytes_of(StructArgument{ValueArgument(7), {{0, 0}}}, kAddresses), base::UsageError);
  EXPECT_EQ(8u, bytes_of(StructArgument{ValueArgument(8), {{0, 0}}}, kAddresses).size());
}

// A pattern fills a buffer by repeating its content.

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

TEST(Pattern, ABuffersIsItsContentAgainAndAgain) {
  Buffer buffer;
  buffer.name = "in";
  buffer.bytes = bytes_of({1, 2, 3});
  buffer.element_bytes = 1;
  buffer.read_only = true;
  const auto pattern = pattern_of(buffer, 8);
  EXPECT_EQ(3U, pattern.period);
  const auto whole = made(pattern);
  EXPECT_EQ("in", whole.name);
  EXPECT_EQ(1U, whole.element_bytes);
  EXPECT_TRUE(whole.read_only);
  EXPECT_EQ(bytes_of({1, 2, 3, 1, 2, 3, 1, 2}), whole.bytes);
}

TEST(Pattern, APartIsThatOfTheWhole) {
  Buffer buffer;
  buffer.bytes = bytes_of({1, 2, 3, 4, 5});
  const auto pattern = pattern_of(buffer, 5);
  std::vector<std::byte> part(2);
  pattern.make(2, part);
  EXPECT_EQ(bytes_of({3, 4}), part);
}

TEST(Pattern, OneOfNoBytesMakesNone) {
  EXPECT_TRUE(made(patterns_of({Buffer()})).at(0).bytes.empty());
}

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

// Launches that need cudaFuncSetAttribute() on a card. Up to 48 KB of shared memory, static and
// dynamic together, do not need it.

using testing::HasSubstr;

Launch with_shared(const std::string& kernel, std::uint32_t bytes) {
  Launch out;
  out.kernel = kernel;
  out.dynamic_shared_bytes = bytes;
  return out;
}

compile::Program with_static(std::uint32_t bytes) {
  compile::Program out;
  out.kernels.resize(2);
  out.kernels[0].name = "_Z4fillPi";
  out.kernels[0].resources.static_shared_bytes = bytes;
  out.kernels[1].name = "plain";
  return out;
}

TEST(SharedAttribute, MoreThan48KilobytesNeedTheCall) {
  EXPECT_EQ("", shared_attribute_text(with_shared("plain", 49152), with_static(0)));
  EXPECT_EQ(
      "A launch with more than 48 KB of shared memory a block fails on a card unless the host code "
      "calls cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 49153) "
      "before it.",
      shared_attribute_text(with_shared("plain", 49153), with_static(0)));
}

TEST(SharedAttribute, StaticBytesCountButTheAttributeIsTheDynamicOnes) {
  EXPECT_EQ("", shared_attribute_text(with_shared("_Z4fillPi", 40960), with_static(8192)));
  EXPECT_THAT(shared_attribute_text(with_shared("_Z4fillPi", 40960), with_static(8196)),
              HasSubstr("(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 40960)"));
  EXPECT_EQ("", shared_attribute_text(with_shared("plain", 40960), with_static(8196)));
}

TEST(SharedAttribute, ALaunchWithoutDynamicBytesHasNothingToSet) {
  EXPECT_EQ("", shared_attribute_text(with_shared("_Z4fillPi", 0), with_static(60000)));
}

TEST(SharedAttribute, TheLaunchWithMostCounts) {
  Sequence all;
  all.launches = {with_shared("plain", 50000), with_shared("plain", 98304),
                  with_shared("plain", 65536)};
  EXPECT_THAT(shared_attribute_text(all, with_static(0)), HasSubstr(", 98304)"));
}

}  // namespace warpgrade::run::launch_test
