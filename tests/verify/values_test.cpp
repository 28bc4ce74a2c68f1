// SPDX-License-Identifier: Apache-2.0
#include "common/verify/values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "common/verify/element.h"
#include "tests/sanitized.h"

namespace warpgrade::verify::values_test {

// Inputs and poison: distinctness checked on all values, formats and counts by hand.

constexpr ElementType kAllTypes[] = {ElementType::kI8,  ElementType::kU8,  ElementType::kI16,
                                     ElementType::kU16, ElementType::kI32, ElementType::kU32,
                                     ElementType::kI64, ElementType::kU64, ElementType::kF16,
                                     ElementType::kF32, ElementType::kF64};

std::vector<std::uint64_t> bits_of(ElementType type, const std::vector<std::byte>& bytes) {
  std::vector<std::uint64_t> bits(bytes.size() / size_of(type));
  for (std::size_t i = 0; i < bits.size(); ++i) {
    std::memcpy(&bits[i], bytes.data() + i * size_of(type), size_of(type));
  }
  return bits;
}

template <class T>
std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Values, DistinctElementsAreAllDifferent) {
  constexpr std::uint64_t kMany = kIsSanitized ? 1 << 17 : 1 << 20;
  const std::pair<ElementType, std::uint64_t> room[] = {
      {ElementType::kI8, 240},    {ElementType::kU8, 240},    {ElementType::kI16, 61440},
      {ElementType::kU16, 61440}, {ElementType::kF16, 61440}, {ElementType::kI32, kMany},
      {ElementType::kU32, kMany}, {ElementType::kI64, kMany}, {ElementType::kU64, kMany},
      {ElementType::kF32, kMany}, {ElementType::kF64, kMany}};
  for (const auto& [type, count] : room) {
    auto bits = bits_of(type, fill(type, count, Fill::kDistinct, 7));
    std::sort(bits.begin(), bits.end());
    EXPECT_EQ(bits.end(), std::adjacent_find(bits.begin(), bits.end())) << static_cast<int>(type);
  }
}

TEST(Values, DistinctFloatsAreNormalNumbersOfModerateSize) {
  for (const float value : values_of<float>(fill(ElementType::kF32, 1 << 16, Fill::kDistinct, 1))) {
    ASSERT_TRUE(std::fabs(value) >= 1 && std::fabs(value) < 256) << value;
  }
  for (const double value :
       values_of<double>(fill(ElementType::kF64, 1 << 16, Fill::kDistinct, 1))) {
    ASSERT_TRUE(std::fabs(value) >= 1 && std::fabs(value) < 256) << value;
  }
  for (const auto bits :
       values_of<std::uint16_t>(fill(ElementType::kF16, 61440, Fill::kDistinct, 1))) {
    ASSERT_TRUE(std::isnormal(half_to_float(bits))) << bits;
  }
}

TEST(Values, NeighboursAreUnrelated) {
  // Differences of neighbours are distinct, too, so the values contain no arithmetic progression.
  const auto bits = bits_of(ElementType::kF32, fill(ElementType::kF32, 1024, Fill::kDistinct, 5));
  std::set<std::uint64_t> steps;
  for (std::size_t i = 1; i < bits.size(); ++i) steps.insert(bits[i] - bits[i - 1]);
  EXPECT_GE(steps.size(), 1020U);
}

TEST(Values, AnElementDependsOnSeedAndIndexOnly) {
  for (const auto type : kAllTypes) {
    for (const auto how :
         {Fill::kDistinct, Fill::kSmallWhole, Fill::kOddEighths, Fill::kIota, Fill::kRandom,
          Fill::kSignedRandom, Fill::kSignedWhole, Fill::kAnyBits}) {
      const auto longer = fill(type, 70000, how, 9);
      const auto shorter = fill(type, 1000, how, 9);
      EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
    }
    const auto longer = poison(type, 70000, 9);
    const auto shorter = poison(type, 1000, 9);
    EXPECT_TRUE(std::equal(shorter.begin(), shorter.end(), longer.begin()));
  }
}

TEST(Values, AnotherSeedGivesOtherValues) {
  for (const auto type : kAllTypes) {
    const auto first = bits_of(type, fill(type, 4096, Fill::kDistinct, 1));
    const auto second = bits_of(type, fill(type, 4096, Fill::kDistinct, 2));
    std::size_t equal = 0;
    for (std::size_t i = 0; i < first.size(); ++i) equal += first[i] == second[i] ? 1 : 0;
    EXPECT_LT(equal, size_of(type) == 1 ? 512U : 64U) << static_cast<int>(type);
    EXPECT_NE(poison(type, 64, 1), poison(type, 64, 2));
  }
}

TEST(Values, PoisonIsNoDistinctValue) {
  for (const auto type : kAllTypes) {
    const auto inputs = bits_of(type, fill(type, 70000, Fill::kDistinct, 4));
    const std::set<std::uint64_t> taken(inputs.begin(), inputs.end());
    for (const auto bits : bits_of(type, poison(type, 4096, 4))) {
      ASSERT_FALSE(taken.contains(bits)) << static_cast<int>(type) << " " << bits;
    }
  }
}

TEST(Values, PoisonOfFloatsIsANanThatArithmeticDoesNotMake) {
  for (const auto bits : values_of<std::uint32_t>(poison(ElementType::kF32, 4096, 4))) {
    ASSERT_EQ(0x7fc00000U, bits & 0x7fc00000U);
    ASSERT_NE(0x7fffffffU, bits & 0x7fffffffU);
    ASSERT_NE(0x7fc00000U, bits & 0x7fffffffU);
  }
  for (const auto bits : values_of<std::uint64_t>(poison(ElementType::kF64, 64, 4))) {
    ASSERT_EQ(0x7ff8000000000000U, bits & 0x7ff8000000000000U);
  }
  for (const auto bits : values_of<std::uint16_t>(poison(ElementType::kF16, 64, 4))) {
    ASSERT_EQ(0x7e00U, bits & 0x7e00U);
  }
}

TEST(Values, SmallWholeNumbersAreZeroToSeven) {
  std::set<float> seen;
  for (const float value : values_of<float>(fill(ElementType::kF32, 1000, Fill::kSmallWhole, 1))) {
    seen.insert(value);
  }
  EXPECT_EQ((std::set<float>{0, 1, 2, 3, 4, 5, 6, 7}), seen);
}

TEST(Values, OddEighthsAreAllThoseBelow32) {
  std::set<float> seen;
  for (const float value : values_of<float>(fill(ElementType::kF32, 8192, Fill::kOddEighths, 1))) {
    ASSERT_EQ(1, std::abs(std::fmod(value * 8, 2.0F))) << value;
    seen.insert(value);
  }
  EXPECT_EQ(256U, seen.size());
  EXPECT_EQ(-255.0F / 8, *seen.begin());
  EXPECT_EQ(255.0F / 8, *seen.rbegin());
  const auto wide = values_of<double>(fill(ElementType::kF64, 100, Fill::kOddEighths, 1));
  const auto narrow = values_of<float>(fill(ElementType::kF32, 100, Fill::kOddEighths, 1));
  EXPECT_TRUE(std::equal(narrow.begin(), narrow.end(), wide.begin()));
}

// As many elements as a reduction on a card sums. Their total, and so any part of it, is far below
// 2^21.
TEST(Values, SumsOfOddEighthsStayExact) {
  std::vector<float> piece(1 << 16);
  double total = 0;
  double most = 0;
  for (std::uint64_t first = 0; first < (1U << 24); first += piece.size()) {
    fill(ElementType::kF32, first, std::as_writable_bytes(std::span(piece)), Fill::kOddEighths, 3);
    for (const float value : piece) total += value;
    most = std::max(most, std::abs(total));
  }
  EXPECT_LT(most, 18.5 * 4 * 4096);  // four standard deviations of 2^24
}

// Halves have 11 bits, so most sums of 512 elements do not fit.
TEST(Values, SumsOf512OddEighthsDoNotFitIntoHalves) {
  const auto values = values_of<float>(fill(ElementType::kF32, 512 * 64, Fill::kOddEighths, 1));
  int too_wide = 0;
  for (std::size_t i = 0; i < values.size(); i += 512) {
    std::uint16_t sum = 0;
    float exact = 0;
    for (std::size_t k = 0; k < 512; ++k) {
      exact += values[i + k];
      sum = half_from_float(half_to_float(sum) + values[i + k]);
    }
    too_wide += half_to_float(sum) != exact ? 1 : 0;
  }
  EXPECT_GT(too_wide, 32);
}

TEST(Values, IotaCountsAndWrapsOrRounds) {
  EXPECT_EQ((std::vector<double>{0, 1, 2}),
            values_of<double>(fill(ElementType::kF64, 3, Fill::kIota, 1)));
  EXPECT_EQ(std::uint8_t{1},
            values_of<std::uint8_t>(fill(ElementType::kU8, 258, Fill::kIota, 1))[257]);
  // 2049 is halfway between the halves 2048 and 2050; the tie goes to the even mantissa.
  EXPECT_EQ(
      2048.0F,
      half_to_float(values_of<std::uint16_t>(fill(ElementType::kF16, 2050, Fill::kIota, 1))[2049]));
}

TEST(Values, ZerosAreZeros) {
  EXPECT_EQ(std::vector<std::byte>(12), fill(ElementType::kF32, 3, Fill::kZeros, 1));
  EXPECT_TRUE(fill(ElementType::kF32, 0, Fill::kDistinct, 1).empty());
}

TEST(Values, RandomFloatsFillTheUnitInterval) {
  double sum = 0;
  for (const float value : values_of<float>(fill(ElementType::kF32, 1 << 16, Fill::kRandom, 1))) {
    ASSERT_TRUE(value >= 0 && value < 1) << value;
    sum += value;
  }
  EXPECT_NEAR(0.5, sum / (1 << 16), 0.01);
}

TEST(Values, RandomHalvesAreAllMultiplesOfOne2048th) {
  std::map<float, int> seen;
  for (const auto bits :
       values_of<std::uint16_t>(fill(ElementType::kF16, 1 << 16, Fill::kRandom, 1))) {
    ++seen[half_to_float(bits) * 2048];
  }
  ASSERT_EQ(2048U, seen.size());
  float next = 0;
  for (const auto& [value, count] : seen) EXPECT_EQ(next++, value);
}

TEST(Bits, PermutationHitsEveryValueOnce) {
  for (const unsigned bits : {4U, 11U, 16U, 21U}) {
    const Permutation<std::uint32_t> permute(bits, 11);
    std::vector<bool> seen(std::size_t{1} << bits);
    for (std::uint32_t i = 0; i < (1U << bits); ++i) {
      ASSERT_LT(permute(i), 1U << bits);
      ASSERT_FALSE(seen[permute(i)]);
      seen[permute(i)] = true;
    }
  }
}

TEST(Values, PartsAreThoseOfTheWhole) {
  constexpr std::uint64_t kCount = 40000;  // several of the pieces in which values are made
  for (const auto type : kAllTypes) {
    const std::uint64_t size = size_of(type);
    for (const auto how :
         {Fill::kDistinct, Fill::kSmallWhole, Fill::kOddEighths, Fill::kIota, Fill::kRandom,
          Fill::kSignedRandom, Fill::kSignedWhole, Fill::kAnyBits}) {
      const auto all = fill(type, kCount, how, 7);
      for (const std::uint64_t first : {0, 1, 2047, 8192, 20001}) {
        std::vector<std::byte> part((kCount - first) * size);
        fill(type, first, part, how, 7);
        EXPECT_TRUE(std::equal(part.begin(), part.end(),
                               all.begin() + static_cast<std::ptrdiff_t>(first * size)))
            << static_cast<int>(type) << " from " << first;
      }
    }
    const auto all = poison(type, kCount, 7);
    std::vector<std::byte> part(3 * size);
    poison(type, 8191, part, 7);
    EXPECT_TRUE(std::equal(part.begin(), part.end(),
                           all.begin() + static_cast<std::ptrdiff_t>(8191 * size)));
  }
  std::vector<std::byte> zeros(12, std::byte{1});
  fill(ElementType::kF32, 5, zeros, Fill::kZeros, 1);
  EXPECT_EQ(std::vector<std::byte>(12), zeros);
}

// Expected among 4,096 elements: 16 NaNs, 16 denormals, and four zeros and infinities together.
TEST(Values, AnyBitsHoldWhatOnlyAMoveKeeps) {
  unsigned nans = 0, signalling = 0, denormals = 0, infinities = 0, zeros = 0;
  for (const float value : values_of<float>(fill(ElementType::kF32, 4096, Fill::kAnyBits, 1))) {
    const bool is_quiet = (std::bit_cast<std::uint32_t>(value) & 0x400000U) != 0;
    nans += std::isnan(value) ? 1 : 0;
    signalling += std::isnan(value) && !is_quiet ? 1 : 0;
    denormals += std::fpclassify(value) == FP_SUBNORMAL ? 1 : 0;
    infinities += std::isinf(value) ? 1 : 0;
    zeros += value == 0 ? 1 : 0;
  }
  EXPECT_NEAR(16, nans, 12);
  EXPECT_LT(0U, signalling);
  EXPECT_LT(signalling, nans);
  EXPECT_NEAR(16, denormals, 12);
  EXPECT_NEAR(4, infinities + zeros, 4);
}

TEST(Values, SignedValuesAreOnBothSidesOfZero) {
  const auto mean = [](Fill how) {
    const auto all = values_of<float>(fill(ElementType::kF32, 10000, how, 1));
    return std::accumulate(all.begin(), all.end(), 0.0) / 10000;
  };
  EXPECT_NEAR(0, mean(Fill::kSignedRandom), 0.03);    // standard deviation 0.58 / 100
  EXPECT_NEAR(-0.5, mean(Fill::kSignedWhole), 0.25);  // -8 to 7: 4.6 / 100
}

// Indices stay in their bounds, starts of rows ascend from 0 to the number of elements, and mostly
// equal elements have the stated share.

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

TEST(Indices, ShuffledNumbersOccurOnceEach) {
  for (const std::uint32_t bound : {1U, 21U, 1000U, 4096U}) {
    auto numbers = indices(IndexKind::kShuffled, bound, bound, 7);
    EXPECT_EQ(bound < 3, std::ranges::is_sorted(numbers)) << bound;
    std::ranges::sort(numbers);
    for (std::uint32_t i = 0; i < bound; ++i) EXPECT_EQ(i, numbers[i]) << bound;
  }
}

TEST(Indices, TheSeedDecidesTheOrderOfShuffledNumbers) {
  EXPECT_NE(indices(IndexKind::kShuffled, 1000, 1000, 7),
            indices(IndexKind::kShuffled, 1000, 1000, 8));
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

}  // namespace warpgrade::verify::values_test
