// SPDX-License-Identifier: Apache-2.0
// Inputs and poison: distinctness checked on all values, formats and counts by hand.
#include "common/verify/values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "common/verify/bits.h"
#include "common/verify/half.h"
#include "tests/sanitized.h"

namespace warpgrade::verify::values_test {

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

}  // namespace warpgrade::verify::values_test
