// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/uncommon/mma.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::mma_test {

// Sums of products by hand: truncation, rounding and special values.
// tests/evidence/golden/mma_test.cpp compares them with an H200.

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

// Matrix products of a warp with elements small enough to calculate by hand, and the lanes that
// they need. The tests of TensorSum are on sums of floats.

using testing::Each;
using testing::HasSubstr;

TEST(Mma, AddsProductsOfEveryK) {
  // 16 products of 1 and 2, plus 3.
  EXPECT_THAT(words("mov.b32 %r5, 0x3c003c00; mov.b32 %r6, 0x40004000; mov.b32 %r7, 0x40400000;"
                    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r4, %r8, %r9, %r10},"
                    "{%r5, %r5, %r5, %r5}, {%r6, %r6}, {%r7, %r7, %r7, %r7};"),
              Each(0x420c0000U));  // 35
}

TEST(Mma, RowsAreThoseOfALanesGroup) {
  // Each element of a is its row's number, and each element of b is 1. Lane l has rows l / 4 and l
  // / 4 + 8.
  const auto rows = words(
      "shr.u32 %r5, %r29, 2; mul.lo.u32 %r5, %r5, 0x01010101; add.u32 %r6, %r5, 0x08080808;"
      "mov.b32 %r7, 0x01010101; mov.b32 %r8, 0;"
      "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%r4, %r9, %r10, %r11}, {%r5, %r6}, {%r7},"
      "{%r8, %r8, %r8, %r8};");
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(16 * (lane / 4), rows[lane]);
}

constexpr std::string_view kInteger =
    "mov.b32 %r5, 0x7f7f7f7f; mov.b32 %r6, 0x7fffffff;"
    "mma.sync.aligned.m8n8k16.row.col";

TEST(Mma, IntegersWrapUnlessTheySaturate) {
  const auto sum = [](const char* saturation) {
    return word(std::string(kInteger) + saturation +
                ".s32.s8.s8.s32 {%r4, %r7}, {%r5}, {%r5}, {%r6, %r6};");
  };
  EXPECT_EQ(0x7fffffffU + 16 * 127 * 127, sum(""));
  EXPECT_EQ(0x7fffffffU, sum(".satfinite"));
}

TEST(Mma, DoublesAreAddedInTheOrderOfK) {
  EXPECT_EQ(0x4014000000000000U,  // 5
            long_word("mov.b64 %rd5, 0x3ff0000000000000;"
                      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd4, %rd6}, {%rd5},"
                      "{%rd5}, {%rd5, %rd5};"));
}

TEST(Mma, DoublesMayChangePlaces) {
  // 4 products of 1 and 1, plus 1 or 2: the first result replaces the second addend.
  const std::string product =
      "mov.b64 %rd5, 0x3ff0000000000000; mov.b64 %rd6, %rd5; mov.b64 %rd4, 0x4000000000000000;"
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%rd4, %rd6}, {%rd5}, {%rd5}, {%rd6, %rd4};";
  EXPECT_EQ(0x4014000000000000U, long_word(product));                          // 5
  EXPECT_EQ(0x4018000000000000U, long_word(product + "mov.b64 %rd4, %rd6;"));  // 6
}

TEST(Mma, ARegisterMayBeSourceAndResult) {
  EXPECT_THAT(words("mov.b32 %r5, 0x3c003c00; mov.b32 %r4, 0x3f800000; mov.b32 %r6, %r4;"
                    "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r4, %r6, %r7, %r8},"
                    "{%r5, %r5}, {%r5}, {%r6, %r4, %r4, %r4};"),
              Each(0x41100000U));  // 9
}

TEST(Mma, WmmaReadsTheFirstOfRepeatedRegisters) {
  const std::string a = "{%r5, %r5, %r5, %r5, %r6, %r6, %r6, %r6}";
  EXPECT_THAT(words("mov.b32 %r5, 0x3c003c00; mov.b32 %r6, 0x7e007e00; mov.b32 %r7, 0;"
                    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32"
                    "{%r4, %r8, %r9, %r10, %r11, %r12, %r13, %r14}, " +
                    a + ", " + a + ", {%r7, %r7, %r7, %r7, %r7, %r7, %r7, %r7};"),
              Each(0x41800000U));  // 16
}

TEST(Mma, LanesThatAreMissingAreAFault) {
  const std::string product =
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r4, %r7}, {%r5}, {%r5}, {%r6, %r6};";
  EXPECT_THAT(fault("setp.lt.u32 %p1, %r29, 16;\n@!%p1 bra OUT;\n" + product + "OUT:\n"),
              HasSubstr("only 16 of the 32 lanes"));
  EXPECT_THAT(fault("setp.lt.u32 %p1, %r29, 31;\n@%p1 " + product),
              HasSubstr("only 31 of the 32 lanes"));
  expect_fault(base::DiagnosticKind::kDivergentBarrier, "a multiple of 32 threads",
               run_body(product, 48));
}

}  // namespace warpgrade::sim::mma_test
