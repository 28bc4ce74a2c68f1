// SPDX-License-Identifier: Apache-2.0
// Shifts and divisions give the same result. The width and the number of partitions may be powers
// of two or not.
#include "common/memory/divisor.h"

#include <gtest/gtest.h>

namespace warpgrade::memory::divisor_test {

TEST(Divisor, DividesByPowersOfTwoAndByOthers) {
  constexpr std::uint64_t kFar = 0x7f00'0000'0000 + 6 * 1792 + 5;
  for (const std::uint64_t value : {1U, 2U, 6U, 7U, 8U, 256U, 1000U}) {
    const Divisor divisor(value);
    EXPECT_EQ(value, divisor.value());
    for (const std::uint64_t n : {std::uint64_t{0}, value - 1, value, 3 * value + 1, kFar}) {
      EXPECT_EQ(n / value, divisor.quotient(n)) << n << " by " << value;
      EXPECT_EQ(n % value, divisor.remainder(n)) << n << " by " << value;
    }
  }
}

}  // namespace warpgrade::memory::divisor_test
