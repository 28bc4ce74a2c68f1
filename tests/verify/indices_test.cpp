// SPDX-License-Identifier: Apache-2.0
// Indices stay in their bounds, starts of rows ascend from 0 to the number of elements, and mostly
// equal elements have the stated share.
#include "common/verify/indices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace warpgrade::verify::indices_test {

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

template <class Element>
std::vector<Element> mostly_equal(ElementType type, std::uint64_t percent, std::uint64_t seed) {
  std::vector<Element> out(100000);
  fill_indices(type, 0, std::as_writable_bytes(std::span(out)),
               {IndexKind::kMostlyEqual, percent, out.size()}, seed);
  return out;
}

template <class Element>
std::map<Element, double> counts_of(const std::vector<Element>& elements) {
  std::map<Element, double> counts;
  for (const auto element : elements) ++counts[element];
  return counts;
}

template <class Element>
std::pair<Element, double> most_frequent(const std::vector<Element>& elements) {
  const auto counts = counts_of(elements);
  return *std::ranges::max_element(counts, {}, [](const auto& found) { return found.second; });
}

// 90,000 of 100,000 bytes are equal by construction, and one in 256 of the other 10,000 by chance:
// 90,039, with a standard deviation of 95. The other 255 values occur 39 times each, with a
// standard deviation of 6.
TEST(Indices, TheShareOfMostlyEqualBytesIsEqual) {
  const auto bytes = mostly_equal<std::uint8_t>(ElementType::kU8, 90, 7);
  const auto [value, count] = most_frequent(bytes);
  EXPECT_NEAR(90039, count, 400);
  const auto counts = counts_of(bytes);
  EXPECT_EQ(256U, counts.size());
  for (const auto& [other, times] : counts) {
    if (other != value) {
      EXPECT_NEAR(39, times, 32) << int{other};
    }
  }
}

// One in 256 of 100,000 random bytes is 391, with a standard deviation of 20.
TEST(Indices, NoneOrAllOfThemCanBeEqual) {
  EXPECT_EQ(100000, most_frequent(mostly_equal<std::uint8_t>(ElementType::kU8, 100, 7)).second);
  EXPECT_NEAR(391, most_frequent(mostly_equal<std::uint8_t>(ElementType::kU8, 0, 7)).second, 120);
}

TEST(Indices, TheEqualValueDependsOnTheSeed) {
  std::set<std::uint8_t> values;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    values.insert(most_frequent(mostly_equal<std::uint8_t>(ElementType::kU8, 90, seed)).first);
  }
  EXPECT_LT(70U, values.size());  // 256 * (1 - (255 / 256)^100) = 83 on average.
}

// Random elements of 16 bits and more hardly ever repeat.
TEST(Indices, IntegersOfAllSizesCanBeMostlyEqual) {
  EXPECT_NEAR(50000, most_frequent(mostly_equal<std::int16_t>(ElementType::kI16, 50, 3)).second,
              700);
  const auto words = mostly_equal<std::uint32_t>(ElementType::kU32, 50, 3);
  EXPECT_NEAR(50000, most_frequent(words).second, 700);
  EXPECT_NEAR(50001, static_cast<double>(counts_of(words).size()), 700);
  const auto wide = mostly_equal<std::uint64_t>(ElementType::kU64, 50, 3);
  EXPECT_NEAR(50000, most_frequent(wide).second, 700);
  // Half of the elements that differ have the top bit.
  const auto common = most_frequent(wide).first;
  const auto is_high = [=](auto element) { return element != common && element >> 63 != 0; };
  EXPECT_NEAR(25000, static_cast<double>(std::ranges::count_if(wide, is_high)), 700);
}

TEST(Indices, APartOfMostlyEqualElementsIsThatOfTheWhole) {
  const auto whole = mostly_equal<std::uint16_t>(ElementType::kU16, 30, 5);
  std::vector<std::uint16_t> part(100);
  fill_indices(ElementType::kU16, 70001, std::as_writable_bytes(std::span(part)),
               {IndexKind::kMostlyEqual, 30, whole.size()}, 5);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 70001));
}

// 61 rows are three times all lengths, which have 6,049 elements together.
TEST(Indices, EdgeStartsHaveRowsOfEachLength) {
  constexpr std::uint64_t kElements = 20000;
  std::vector<std::uint32_t> starts(62);
  fill_indices(ElementType::kU32, 0, std::as_writable_bytes(std::span(starts)),
               {IndexKind::kEdgeStarts, kElements, starts.size()}, 9);
  EXPECT_EQ(0U, starts.front());
  EXPECT_EQ(kElements, starts.back());
  std::map<std::uint32_t, unsigned> lengths;
  for (std::size_t row = 0; row < 60; ++row) ++lengths[starts[row + 1] - starts[row]];
  EXPECT_EQ(kEdgeLengths.size(), lengths.size());
  for (const auto length : kEdgeLengths) EXPECT_EQ(3U, lengths[length]) << length;
  EXPECT_EQ(kElements - 3 * 6049, starts[61] - starts[60]);
}

}  // namespace warpgrade::verify::indices_test
