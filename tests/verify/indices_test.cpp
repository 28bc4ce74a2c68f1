// SPDX-License-Identifier: Apache-2.0
// Indices stay in their bounds, and starts of rows ascend from 0 to the number of elements.
#include "common/verify/indices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace warpgrade::verify {
namespace indices_test {

std::vector<std::uint32_t> indices(IndexKind kind, std::uint64_t bound, std::uint64_t count,
                                   std::uint64_t seed) {
  std::vector<std::uint32_t> out(count);
  fill_indices(ElementType::kU32, 0, std::as_writable_bytes(std::span(out)), {kind, bound, count},
               seed);
  return out;
}

std::vector<std::uint32_t> lengths(const std::vector<std::uint32_t>& starts) {
  std::vector<std::uint32_t> out;
  for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
    EXPECT_LE(starts[row], starts[row + 1]);
    out.push_back(starts[row + 1] - starts[row]);
  }
  return out;
}

TEST(Indices, BelowABoundReachAllOfIt) {
  const auto found = indices(IndexKind::kBelow, 10, 1000, 1);
  for (std::uint32_t value = 0; value < 10; ++value) {
    EXPECT_LT(50, std::ranges::count(found, value)) << value;
  }
  EXPECT_EQ(9U, std::ranges::max(found));
  EXPECT_NE(found, indices(IndexKind::kBelow, 10, 1000, 2));
}

TEST(Indices, StartsAscendFrom0ToTheBound) {
  for (const std::uint64_t rows : {1, 2, 100, 1000}) {
    for (const std::uint64_t total : {1, 50, 32000}) {
      const auto starts = indices(IndexKind::kStarts, total, rows + 1, 7);
      EXPECT_EQ(0U, starts.front());
      EXPECT_EQ(total, starts.back());
      EXPECT_EQ(rows, lengths(starts).size());
    }
  }
}

TEST(Indices, RowsHaveUpToTwiceTheirMeanLength) {
  const auto rows = lengths(indices(IndexKind::kStarts, 32000, 1001, 7));
  EXPECT_GE(64U, std::ranges::max(rows));
  EXPECT_LT(50U, std::ranges::max(rows));
  EXPECT_GT(14U, std::ranges::min(rows));
}

// Half of 65536 elements over 4 long rows are 8192 each; the 1024 rows share the other half, up to
// 64 each.
TEST(Indices, OneRowIn256IsLongIfTheyAreSkewed) {
  const auto rows = lengths(indices(IndexKind::kSkewedStarts, 65536, 1025, 7));
  for (std::size_t first = 0; first < rows.size(); first += 256) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
    EXPECT_EQ(1, std::count_if(begin, begin + 256, [](auto n) { return n >= 8192 && n <= 8256; }));
    EXPECT_EQ(255, std::count_if(begin, begin + 256, [](auto n) { return n <= 64; }));
  }
}

TEST(Indices, FewSkewedRowsHaveOneLongRow) {
  const auto starts = indices(IndexKind::kSkewedStarts, 1000, 11, 3);
  EXPECT_EQ(0U, starts.front());
  EXPECT_EQ(1000U, starts.back());
  EXPECT_LE(500U, std::ranges::max(lengths(starts)));
}

TEST(Indices, APartIsThatOfTheWhole) {
  const auto whole = indices(IndexKind::kSkewedStarts, 65536, 1025, 7);
  std::vector<std::uint32_t> part(100);
  fill_indices(ElementType::kU32, 200, std::as_writable_bytes(std::span(part)),
               {IndexKind::kSkewedStarts, 65536, 1025}, 7);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 200));
}

}  // namespace indices_test
}  // namespace warpgrade::verify
