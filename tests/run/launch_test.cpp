// SPDX-License-Identifier: Apache-2.0
#include "common/run/launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

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

}  // namespace warpgrade::run::launch_test
