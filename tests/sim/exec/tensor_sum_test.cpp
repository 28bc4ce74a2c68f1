// SPDX-License-Identifier: Apache-2.0
// Sums of products by hand: truncation, rounding and special values.
// tests/evidence/golden/mma_test.cpp compares them with an H200.
#include "common/sim/exec/tensor_sum.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace warpgrade::sim::tensor_sum_test {

constexpr std::uint32_t kOne = 0x3c00;  // in f16
constexpr std::uint32_t kInfinity = 0x7c00;

// addend + a[0] * 1 + a[1] * 1 + ..., with factors in f16.
std::uint32_t sum(const std::vector<std::uint32_t>& a, float addend,
                  std::string_view target = "sm_90", Element result = Element::kF32) {
  std::vector<TensorNumber> x;
  std::vector<TensorNumber> y;
  for (const auto bits : a) {
    x.push_back(tensor_source(Element::kF16, bits));
    y.push_back(tensor_source(Element::kF16, kOne));
  }
  return tensor_step(x.data(), y.data(), static_cast<std::uint32_t>(x.size()),
                     tensor_addend(Element::kF32, std::bit_cast<std::uint32_t>(addend)),
                     tensor_rule(target), result);
}
float single(const std::vector<std::uint32_t>& a, float addend, std::string_view target = "sm_90") {
  return std::bit_cast<float>(sum(a, addend, target));
}

TEST(TensorSum, CutsOffBelowTwentyFiveBitsOnHopperAndTwentyFourBefore) {
  // Added twice to 1, 2^-24 (the least f16) makes one unit in the last place of f32, 2^-23.
  const std::vector<std::uint32_t> tiny = {1, 1};
  EXPECT_EQ(1 + 0x1p-23F, single(tiny, 1));
  EXPECT_EQ(1 + 0x1p-23F, single(tiny, 1, "sm_80"));
  // Next to 2, 2^-24 is the last of 25 bits, so four of them make 2^-22. With 24 bits all are cut
  // off.
  EXPECT_EQ(2 + 0x1p-22F, single({1, 1, 1, 1}, 2));
  EXPECT_EQ(2, single({1, 1, 1, 1}, 2, "sm_75"));
  EXPECT_EQ(4, single({1, 1, 1, 1}, 4));
}

TEST(TensorSum, CutsOffTowardsZero) {
  EXPECT_EQ(2, single({1}, 2));
  EXPECT_EQ(-2, single({0x8001}, -2));
  EXPECT_EQ(2 - 0x1p-23F, single({0x8001}, 2)) << "2 - 2^-24, cut off at 23 bits";
}

TEST(TensorSum, RoundsF16ToNearestEven) {
  const auto half = [](float addend) { return sum({0}, addend, "sm_90", Element::kF16); };
  EXPECT_EQ(0x3c00U, half(1 + 0x1p-11F));
  EXPECT_EQ(0x3c02U, half(1 + 3 * 0x1p-11F));
  EXPECT_EQ(0x7c00U, half(65520));
  EXPECT_EQ(0U, half(-0x1p-26F)) << "a sum that rounds to zero has no sign";
}

TEST(TensorSum, ZerosGivePlusZero) { EXPECT_EQ(0U, sum({0x8000}, -0.0F)); }

TEST(TensorSum, SpecialsFollowIeee) {
  EXPECT_EQ(0x7f800000U, sum({kInfinity}, 1));
  EXPECT_EQ(0xff800000U, sum({kInfinity | 0x8000}, 1));
  EXPECT_EQ(0x7fffffffU, sum({kInfinity, kInfinity | 0x8000}, 1));
  EXPECT_EQ(0x7fffU, sum({0x7e00}, 1, "sm_90", Element::kF16));
  const auto infinity = tensor_source(Element::kF16, kInfinity);
  const auto zero = tensor_source(Element::kF16, 0);
  EXPECT_EQ(0x7fffffffU, tensor_step(&infinity, &zero, 1, tensor_addend(Element::kF32, 0),
                                     tensor_rule("sm_90"), Element::kF32));
}

TEST(TensorSum, Tf32LeavesOutThirteenBits) {
  EXPECT_EQ(tensor_source(Element::kTf32, 0x3f800000).significand,
            tensor_source(Element::kTf32, 0x3f801fff).significand);
}

TEST(TensorSum, ConvertsBetweenHalfAndSingle) {
  for (const std::uint32_t bits : {0U, 0x8000U, 1U, 0x8001U, 0x3ffU, 0x400U, 0x7bffU, 0x7c00U}) {
    EXPECT_EQ(bits, round_to_f16(widen_f16(bits)));
  }
  EXPECT_EQ(0x33800000U, widen_f16(1));
  EXPECT_EQ(0x7fffU, round_to_f16(0x7fc00000));
}

}  // namespace warpgrade::sim::tensor_sum_test
