// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/matrix_warp.h"

#include <gtest/gtest.h>

namespace warpgrade::sim::matrix_warp_test {

TEST(TransposeTile, ExchangesRowsAndColumns) {
  std::uint32_t words[run::kWarpSize];  // element (row, column) is 16 * row + column
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    const auto first = 16 * (lane / 4) + 2 * (lane % 4);
    words[lane] = first | (first + 1) << 16;
  }
  std::uint32_t turned[run::kWarpSize];
  transpose_tile(words, turned);
  EXPECT_EQ(0U | 16U << 16, turned[0]);
  EXPECT_EQ((16U * 4 + 7) | (16U * 5 + 7) << 16, turned[30]);
  std::uint32_t back[run::kWarpSize];
  transpose_tile(turned, back);
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) EXPECT_EQ(words[lane], back[lane]);
}

}  // namespace warpgrade::sim::matrix_warp_test
