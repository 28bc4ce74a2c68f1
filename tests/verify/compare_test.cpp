// SPDX-License-Identifier: Apache-2.0
#include "common/verify/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/verify/element.h"
#include "tests/verify/matrices.h"

namespace warpgrade::verify::compare_test {

// The wording of each cause of a wrong element, on small matrices whose values show their place.

TEST(Cause, NeverWritten) {
  const Floats poison = {-5, -6, -7, -8};
  EXPECT_EQ(
      "out[1][0]: expected 3, got -7 (never written: this is the content from before the launch); "
      "2 "
      "of "
      "4 elements differ",
      explain(2, 2, {1, 2, 3, 4}, {1, 2, -7, -8}, {}, poison));
}

TEST(Cause, OnlyAnElementWithItsOwnPoisonIsUnwritten) {
  const Floats poison = {-5, -6};
  const auto at_first = [&](const Floats& got) {
    const auto out = matrix(1, 2, got);
    const Floats expected = {1, 2};
    const auto found = compare(matrix(1, 2, expected), out, std::as_bytes(std::span(poison)), {});
    return describe(found.value(), out, "out").kind == CauseKind::kUnwritten;
  };
  EXPECT_TRUE(at_first({-5, 2}));
  EXPECT_FALSE(at_first({-6, 2}));
  EXPECT_FALSE(at_first({1, 7}));
}

TEST(Cause, PoisonOfAnotherPlaceIsNotNeverWritten) {
  EXPECT_EQ("out[0]: expected 1, got -6; 1 of 2 elements differs",
            explain(1, 2, {1, 2}, {-6, 2}, {}, {-5, -6}));
}

TEST(Cause, EveryWrongElementIsCutToAWholeNumber) {
  EXPECT_EQ(
      "out[0][0]: expected 1.5, got 1 (every wrong value is the expected one without its fraction: "
      "does it pass through an int?); 2 of 4 elements differ",
      explain(2, 2, {1.5F, 2, -0.25F, 4}, {1, 2, 0, 4}, {}));
  EXPECT_EQ("out[0][0]: expected 1.5, got 1; 2 of 4 elements differ",
            explain(2, 2, {1.5F, 2, 3.5F, 4}, {1, 2, 4, 4}, {}))
      << "one of them is rounded up";
  EXPECT_EQ("out[0]: expected 2, got 1; 1 of 2 elements differs", explain(1, 2, {2, 3}, {1, 3}, {}))
      << "no fraction";
}

// Sums of fractions kept in an int: all results are whole numbers, but none is its truncated
// expected value.
TEST(Cause, WholeNumbersWhereFractionsAreExpectedComeFromAnInt) {
  EXPECT_EQ(
      "out[0]: expected 225.5, got 215 (every element is a whole number: is a sum kept in an "
      "int?); 5 of 5 elements differ",
      explain(1, 5, {225.5F, -31.25F, 7.5F, 8.125F, 3}, {215, -20, 3, 5, 1}, {}));
  EXPECT_EQ("out[0]: expected 225.5, got 215; 4 of 5 elements differ",
            explain(1, 5, {225.5F, -31.25F, 7.5F, 8.125F, 0.5F}, {215, -20, 3, 5, 0.5F}, {}))
      << "the last one has its fraction";
}

// A half has 11 bits: from 512 on it represents only multiples of 0.5, from 1024 on only whole
// numbers.
TEST(Cause, CloseValuesOfElevenBitsComeFromAHalf) {
  EXPECT_EQ(
      "out[0]: expected -801.25, got -801 (close, but with no more digits than a half: is a sum "
      "kept in a half?); 4 of 5 elements differ",
      explain(1, 5, {-801.25F, 600.125F, 700.625F, 900.25F, 0.25F},
              {-801, 600, 700.5F, 900.5F, 0.25F}, {}));
}

TEST(Cause, WhatAnotherElementOfTheOutputShouldHold) {
  EXPECT_EQ(
      "out[1]: expected 2.5, got 3.5 (this is what out[2] should hold); 4 of 6 elements differ",
      explain(1, 6, {1.5F, 2.5F, 3.5F, 4.5F, 5.5F, 6.5F}, {1.5F, 3.5F, 5.5F, 2.5F, 4.5F, 6.5F},
              {}));
  EXPECT_EQ(
      "out[1]: expected 2.5, got 3.5; 4 of 6 elements differ",
      explain(1, 6, {1.5F, 2.5F, 3.5F, 4.5F, 5.5F, 6.5F}, {1.5F, 3.5F, 7.5F, 8.5F, 9.5F, 6.5F}, {}))
      << "one of four may be chance";
}

TEST(Cause, ANanOfTheKernelsOwn) {
  EXPECT_EQ(
      "out[0]: expected 1.5, got NaN 0x7fc00000 (a NaN that the kernel computed: from an "
      "uninitialized variable, 0/0, two infinities, or memory that was never written?); 1 of 2 "
      "elements differs",
      explain(1, 2, {1.5F, 2}, {std::nanf(""), 2}, matrix(1, 2, {1.5F, 2})));
}

TEST(Cause, UntransposedElement) {
  const auto in = numbered(4, 4);
  EXPECT_EQ(
      "out[0][1]: expected 101, got 2 (this is in[0][1], the untransposed element: in[1][0] "
      "belongs "
      "here); 12 of 16 elements differ",
      explain(4, 4, transposed(4, 4, in), in, matrix(4, 4, in)));
}

TEST(Cause, TransposedElementInACopy) {
  const auto in = numbered(4, 4);
  EXPECT_EQ(
      "out[0][1]: expected 2, got 101 (this is in[1][0], the transposed element: in[0][1] belongs "
      "here); 12 of 16 elements differ",
      explain(4, 4, in, transposed(4, 4, in), matrix(4, 4, in)));
}

TEST(Cause, NeighboursOnAllFourSides) {
  const auto in = numbered(5, 7);
  const auto cause = [&](std::size_t row, std::size_t column) {
    auto got = in;
    got[2 * 7 + 3] = in[row * 7 + column];
    return compare(matrix(5, 7, in), matrix(5, 7, got), {}, matrix(5, 7, in))->cause.text;
  };
  EXPECT_EQ("this is in[2][4], the right-hand neighbour of in[2][3], which belongs here",
            cause(2, 4));
  EXPECT_EQ("this is in[2][2], the left-hand neighbour of in[2][3], which belongs here",
            cause(2, 2));
  EXPECT_EQ("this is in[3][3], the neighbour below in[2][3], which belongs here", cause(3, 3));
  EXPECT_EQ("this is in[1][3], the neighbour above in[2][3], which belongs here", cause(1, 3));
}

TEST(Cause, OffByOneAcrossTheEndOfARow) {
  const auto in = numbered(5, 7);
  auto got = in;
  got[2 * 7 + 6] = in[3 * 7];
  EXPECT_EQ(
      "out[2][6]: expected 207, got 301 (this is in[3][0], the first element of the next row: off "
      "by "
      "one, in[2][6] belongs here); 1 of 35 elements differs",
      explain(5, 7, in, got, matrix(5, 7, in)));
  got = in;
  got[2 * 7] = in[1 * 7 + 6];
  EXPECT_EQ(
      "out[2][0]: expected 201, got 107 (this is in[1][6], the last element of the row before: off "
      "by "
      "one, in[2][0] belongs here); 1 of 35 elements differs",
      explain(5, 7, in, got, matrix(5, 7, in)));
}

TEST(Cause, WrongRowLengthWhenReading) {
  // out[y][x] = in[y * height + x] with width 7 and height 4.
  const auto in = numbered(4, 7);
  auto got = in;
  for (std::size_t y = 0; y < 4; ++y) {
    for (std::size_t x = 0; x < 7; ++x) got[y * 7 + x] = in[y * 4 + x];
  }
  EXPECT_EQ(
      "out[1][0]: expected 101, got 5 (this is in[0][4], read as if a row of in had 4 elements "
      "instead of 7; in[1][0] belongs here); 21 of 28 elements differ",
      explain(4, 7, in, got, matrix(4, 7, in)));
}

TEST(Cause, WrongRowLengthWhenWriting) {
  // out[x * width + y] = in[y][x] with width 7 and height 4; writes outside the output are lost.
  const auto in = numbered(4, 7);
  Floats got(28, -1);
  for (std::size_t x = 0; x < 7; ++x) {
    for (std::size_t y = 0; y < 4; ++y) {
      if (x * 7 + y < 28) got[x * 7 + y] = in[y * 7 + x];
    }
  }
  // out[1][3] is index 7, which x = 1, y = 0 wrote.
  got[4] = got[5] = got[6] = 0;
  auto expected = transposed(4, 7, in);
  expected[4] = expected[5] = expected[6] = 0;
  EXPECT_EQ(
      "out[1][3]: expected 302, got 2 (this is in[0][1], written as if a row of out had 7 elements "
      "instead of 4; in[3][1] belongs here); 21 of 28 elements differ",
      explain(7, 4, expected, got, matrix(4, 7, in)));
}

TEST(Cause, AnElementFromElsewhere) {
  const auto in = numbered(5, 7);
  auto got = in;
  got[0] = in[4 * 7 + 5];
  EXPECT_EQ(
      "out[0][0]: expected 1, got 406 (this is in[4][5], in[0][0] belongs here); 1 of 35 elements "
      "differs",
      explain(5, 7, in, got, matrix(5, 7, in)));
}

TEST(Cause, ParametersKeepTheirNames) {
  const auto in = numbered(1, 4);
  auto got = in;
  got[0] = in[3];
  auto input = matrix(1, 4, in);
  input.name = "source";
  EXPECT_EQ("this is source[3], source[0] belongs here",
            compare(matrix(1, 4, in), matrix(1, 4, got), {}, input)->cause.text);
}

TEST(Cause, ZerosAloneAreNoTruncation) {
  const auto difference = compare(matrix(1, 2, {0.5F, 0.25F}), matrix(1, 2, {0, 0}), {}, {});
  EXPECT_THAT(difference->cause.text, testing::Not(testing::HasSubstr("int")));
}

TEST(Cause, AZeroThatTheInputDoesNotHold) {
  const auto in = numbered(2, 2);
  EXPECT_EQ(
      "out[1][1]: expected 102, got 0 (a zero, but in contains none: was it read before any "
      "store?); 1 of 4 elements differs",
      explain(2, 2, in, {1, 2, 101, 0}, matrix(2, 2, in)));
}

TEST(Cause, NothingIsSaidOfValuesThatOccurTwice) {
  const Floats in = {3, 5, 3, 7};
  EXPECT_EQ("out[1]: expected 5, got 3; 1 of 4 elements differs",
            explain(1, 4, in, {3, 3, 3, 7}, matrix(1, 4, in)));
}

TEST(Cause, ADifferenceOfAFewUlpsIsRounding) {
  EXPECT_EQ(
      "out[0]: expected 8, got 8.000001 (1 unit in the last place apart: rounding, for example "
      "of a constant or by a different order of additions); 1 of 1 element differs",
      explain(1, 1, {8}, {8 + 0x1p-20F}, {}));
  EXPECT_EQ("out[0]: expected 8, got 8.001; 1 of 1 element differs",
            explain(1, 1, {8}, {8.001F}, {}));
}

TEST(Cause, BeyondATolerance) {
  const auto text = [](float expected, float got) {
    const Floats right = {expected};
    const Floats wrong = {got};
    const auto out = matrix(1, 1, wrong);
    return describe(compare(matrix(1, 1, right), out, {}, {}, {.ulps = 4}).value(), out, "out");
  };
  const auto near = text(8, 8 + 0x1p-16F);
  EXPECT_EQ("16 units in the last place apart; 4 are allowed", near.cause);
  EXPECT_EQ(CauseKind::kInaccurate, near.kind);
  EXPECT_DOUBLE_EQ(0x1p-19, near.deviation.relative);
  EXPECT_EQ("38 % too small", text(8, 5).cause);
  EXPECT_EQ("12 % too large", text(-8, -7).cause);
}

TEST(Cause, TwiceTheExpectedValueInAllWrongElements) {
  EXPECT_EQ("out[0]: expected 3, got 6 (twice the expected value); 2 of 3 elements differ",
            explain(1, 3, {3, 7, 5}, {6, 7, 10}, {}));
  EXPECT_EQ("out[0]: expected 3, got 6; 2 of 3 elements differ",
            explain(1, 3, {3, 7, 5}, {6, 7, 11}, {}));
}

OutputDifference integers(const std::vector<std::uint32_t>& right,
                          const std::vector<std::uint32_t>& wrong) {
  const Matrix expected{ElementType::kU32, 1, right.size(), std::as_bytes(std::span(right)), {}};
  const Matrix got{ElementType::kU32, 1, wrong.size(), std::as_bytes(std::span(wrong)), {}};
  return describe(compare(expected, got, {}, {}).value(), got, "out");
}

TEST(Cause, CountsAreTooFewOrTooMany) {
  const auto few = integers({22, 5}, {21, 5});
  EXPECT_EQ("1 too few", few.cause);
  EXPECT_EQ(CauseKind::kCount, few.kind);
  EXPECT_EQ(-1, few.deviation.difference);
  EXPECT_EQ(1U, few.deviation.wrong);
  EXPECT_EQ(2U, few.deviation.elements);
  EXPECT_EQ("1,079 too many", integers({22}, {1101}).cause);
  EXPECT_EQ("", integers({4000000000U}, {3000000000U}).cause);
}

TEST(Cause, IntegersThatAgreeInTheirLowBitsPassThroughANarrowType) {
  const auto found = integers({0x50001, 0x60002, 0x70003, 0x80004}, {1, 2, 3, 4});
  EXPECT_EQ(CauseKind::kNarrowInteger, found.kind);
  EXPECT_THAT(found.cause, testing::HasSubstr("lowest 16 bits are right"));
  EXPECT_EQ(CauseKind::kNarrowInteger, integers({540001}, {15713}).kind) << "540001 modulo 65536";
  EXPECT_EQ(CauseKind::kCount, integers({0x50001, 0x60002}, {0x10001, 0x20002}).kind)
      << "may be an accident";
}

// Finds the elements that differ, and describes the first difference.

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
  const Tolerance both{.ulps = 2, .moves_bits = true};
  EXPECT_FALSE(compare(matrix(1, 1, nan), matrix(1, 1, nan), {}, {}, both));
  EXPECT_TRUE(compare(matrix(1, 1, nan), matrix(1, 1, quiet), {}, {}, both));
}

}  // namespace warpgrade::verify::compare_test
