// SPDX-License-Identifier: Apache-2.0
#include "common/run/argument_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::run::argument_bytes_test {

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

}  // namespace warpgrade::run::argument_bytes_test
