// SPDX-License-Identifier: Apache-2.0
#include "common/measure/contents.h"

#include <gtest/gtest.h>

namespace warpgrade::measure::contents_test {

std::vector<std::byte> pattern(std::size_t size, std::size_t period) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(1 + i % period);
  return bytes;
}

TEST(Contents, AreWhatWasThere) {
  for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 16U, 1001U}) {
    for (const std::size_t period : {1U, 3U, 4U, 8U, 200U}) {
      const auto bytes = pattern(size, period);
      EXPECT_EQ(bytes, Contents(bytes).bytes()) << size << " bytes, period " << period;
    }
  }
}

TEST(Contents, OfOneWordOverAndOverTakeNoRoom) {
  EXPECT_EQ(0U, Contents(pattern(4096, 4)).kept());
  auto bytes = pattern(4096, 4);
  bytes.back() = std::byte{9};
  EXPECT_EQ(4096U, Contents(bytes).kept());
  EXPECT_EQ(bytes, Contents(bytes).bytes());
}

}  // namespace warpgrade::measure::contents_test
