// SPDX-License-Identifier: Apache-2.0
// Finds the elements that differ, and describes the first difference.
#include "common/verify/compare.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/verify/ulps.h"
#include "tests/verify/matrices.h"

namespace warpgrade::verify::compare_test {

TEST(Compare, EqualBitsAreNoDifference) {
  const auto in = numbered(3, 4);
  EXPECT_EQ("equal", explain(3, 4, in, in, matrix(3, 4, in)));
}

TEST(Compare, AMinusZeroIsNoZero) {
  EXPECT_EQ("out[1]: expected 0, got -0; 1 of 2 elements differs",
            explain(1, 2, {1, 0}, {1, -0.0F}, {}));
}

TEST(Compare, ANanNeverPasses) {
  const Floats nan = {1, std::nanf("")};
  EXPECT_EQ(
      "out[1]: expected NaN 0x7fc00000, got NaN 0x7fc00000 (the expected value is itself a NaN, "
      "which never passes); 1 of 2 elements differs",
      explain(1, 2, nan, nan, {}));
}

TEST(Compare, ANanOfEveryFloatTypeFails) {
  const std::pair<ElementType, std::uint64_t> nans[] = {{ElementType::kF16, 0x7c01},
                                                        {ElementType::kF16, 0xfe00},
                                                        {ElementType::kF32, 0xff800001},
                                                        {ElementType::kF64, 0x7ff0000000000001},
                                                        {ElementType::kF64, 0xfff8000000000000}};
  for (const auto& [type, bits] : nans) {
    std::byte bytes[8];
    std::memcpy(bytes, &bits, 8);
    const Matrix one{type, 1, 1, std::span<const std::byte>(bytes, size_of(type))};
    EXPECT_TRUE(compare(one, one, {}, {})) << std::hex << bits;
  }
}

TEST(Compare, InfinityAndTheLargestIntegersArePlainValues) {
  const Floats infinite = {INFINITY, -INFINITY};
  EXPECT_EQ("equal", explain(1, 2, infinite, infinite, {}));
  const std::vector<std::uint32_t> ones = {0xffffffffU, 0x7fffffffU};
  const Matrix whole{ElementType::kI32, 1, 2, std::as_bytes(std::span(ones))};
  EXPECT_FALSE(compare(whole, whole, {}, {}));
}

TEST(Compare, ReportsTheFirstDifferenceInRowMajorOrderAndCountsAll) {
  auto got = numbered(40, 400);
  for (const std::size_t i : {2 * 400 + 399, 3 * 400 + 0, 39 * 400 + 7}) got[i] = -1;
  const auto expected = numbered(40, 400);
  const auto difference = compare(matrix(40, 400, expected), matrix(40, 400, got), {}, {});
  ASSERT_TRUE(difference);
  EXPECT_EQ(3U, difference->count);
  EXPECT_EQ(2U, difference->row);
  EXPECT_EQ(399U, difference->column);
  EXPECT_EQ("600", difference->expected);
  EXPECT_EQ("-1", difference->got);
  EXPECT_EQ("", difference->cause.text);
}

TEST(Compare, RefusesShapesThatDoNotFit) {
  const auto four = numbered(2, 2);
  EXPECT_THROW((void)compare(matrix(2, 2, four), matrix(4, 1, four), {}, {}),
               std::invalid_argument);
  EXPECT_THROW((void)compare(matrix(2, 3, four), matrix(2, 3, four), {}, {}),
               std::invalid_argument);
}

TEST(Compare, OneElement) {
  EXPECT_EQ("out[0]: expected 1, got 3; 1 of 1 element differs", explain(1, 1, {1}, {3}, {}));
}

TEST(Compare, WithinTheUlpsThatAreAllowedIsRight) {
  const Floats expected = {1, 2, 3};
  const Floats got = {1 + 0x1p-23F, 2 - 0x1p-22F, 3};
  const auto at_most = [&](std::uint64_t ulps) {
    return compare(matrix(1, 3, expected), matrix(1, 3, got), {}, {}, {.ulps = ulps});
  };
  EXPECT_FALSE(at_most(2));
  ASSERT_TRUE(at_most(1));
  EXPECT_EQ(1U, at_most(1)->count);
  EXPECT_EQ(1U, at_most(1)->column);
  EXPECT_EQ("2 units in the last place apart; 1 are allowed", at_most(1)->cause.text);
  EXPECT_EQ(2U, at_most(0)->count);
}

// The bits of zeros, subnormals, ordinary numbers, the largest one, infinities and NaNs.
TEST(Compare, CountsUlpsAsBetweenTwoElements) {
  const auto check = [](ElementType type, unsigned mantissa, auto zero) {
    using Bits = decltype(zero);
    const auto infinity = static_cast<Bits>(
        ((std::uint64_t{1} << (8 * sizeof(Bits) - 1 - mantissa)) - 1) << mantissa);
    const auto sign = static_cast<Bits>(std::uint64_t{1} << (8 * sizeof(Bits) - 1));
    std::vector<Bits> all;
    for (const Bits base : {Bits{0}, static_cast<Bits>(infinity / 2), infinity}) {
      for (int step = -3; step <= 3; ++step) {
        const auto magnitude = static_cast<Bits>((base + step) & ~sign);
        all.push_back(magnitude);
        all.push_back(static_cast<Bits>(magnitude | sign));
      }
    }
    for (const Bits& a : all) {
      for (const Bits& b : all) {
        const auto of = [&](const Bits& bits) {
          return Matrix{type, 1, 1, std::as_bytes(std::span(&bits, 1))};
        };
        for (const std::uint64_t most : {1, 3, 4096}) {
          const auto steps = ulps_between(type, of(a).bytes.data(), of(b).bytes.data());
          EXPECT_EQ(steps > most, compare(of(a), of(b), {}, {}, {.ulps = most}).has_value())
              << std::hex << +a << ' ' << +b << ' ' << most;
        }
      }
    }
  };
  check(ElementType::kF16, 10, std::uint16_t{});
  check(ElementType::kF32, 23, std::uint32_t{});
  check(ElementType::kF64, 52, std::uint64_t{});
}

TEST(Compare, NoNumberOfUlpsLetsANanPass) {
  const Floats nan = {std::nanf("")};
  const Floats one = {1};
  EXPECT_TRUE(compare(matrix(1, 1, nan), matrix(1, 1, nan), {}, {}, {.ulps = 1000}));
  EXPECT_TRUE(compare(matrix(1, 1, one), matrix(1, 1, nan), {}, {}, {.ulps = 1000}));
}

// 64 + 1 - 64 in another order: 2^-18 is a unit of 64, the sum of the magnitudes is 129.
TEST(Compare, ASumThatCancelsMayBeOffByUnitsOfItsTerms) {
  const Floats right = {1};
  const Floats near = {1 + 0x1p-16F};
  const Floats far = {1 + 0x1p-14F};
  const Tolerance tolerance{.ulps = 2, .magnitude = 129};
  EXPECT_FALSE(compare(matrix(1, 1, right), matrix(1, 1, near), {}, {}, tolerance));
  const auto difference = compare(matrix(1, 1, right), matrix(1, 1, far), {}, {}, tolerance);
  ASSERT_TRUE(difference);
  EXPECT_EQ("6.1e-05 too large; 3.1e-05 is allowed", difference->cause.text);
  EXPECT_TRUE(compare(matrix(1, 1, right), matrix(1, 1, near), {}, {}, {.ulps = 2}));
}

TEST(Compare, AMovedNaNIsRightWithAllItsBits) {
  const Floats nan = {std::bit_cast<float>(0x7f812345U)};
  const Floats quiet = {std::bit_cast<float>(0x7fc12345U)};
  EXPECT_FALSE(compare(matrix(1, 1, nan), matrix(1, 1, nan), {}, {}, {.moves_bits = true}));
  EXPECT_TRUE(compare(matrix(1, 1, nan), matrix(1, 1, quiet), {}, {}, {.moves_bits = true}));
}

}  // namespace warpgrade::verify::compare_test
