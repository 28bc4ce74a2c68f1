// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/uncommon/mma.h"

#include <fmt/format.h>
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

// Products of many finite numbers, against tensor_step() and the figures of the manual (PTX
// ISA 9.0, 9.7.14.5) for row, column and k of each register. The handler adds finite numbers in
// another way.
struct Format {
  std::string type;
  Element source{};
  Element sum{};
  std::uint32_t k = 0;
  std::uint32_t mask = 0;  ///< Clears a bit of each exponent: the number is finite.
  std::uint32_t step_of_80 = 0;

  bool is_half() const { return sum == Element::kF16; }
};

// Register `index` of `lane` in a round: bits that look random. The same in PTX.
std::uint32_t any_bits(std::uint32_t lane, std::uint32_t index, std::uint32_t round) {
  std::uint32_t bits = (16 * lane + index + 512 * round) * 0x9e3779b1U;
  bits = (bits ^ bits >> 15) * 0x2c1b3c6dU;
  return bits ^ bits >> 13;
}
std::string any_bits_in_ptx(int destination, std::uint32_t index, std::uint32_t round) {
  return fmt::format(
      "mad.lo.u32 %r{0}, %r29, 16, {1}; mul.lo.u32 %r{0}, %r{0}, 0x9e3779b1;"
      "shr.u32 %r28, %r{0}, 15; xor.b32 %r{0}, %r{0}, %r28; mul.lo.u32 %r{0}, %r{0}, 0x2c1b3c6d;"
      "shr.u32 %r28, %r{0}, 13; xor.b32 %r{0}, %r{0}, %r28;",
      destination, index + 512 * round);
}

// Masks for f32 sums: any exponent in the first round, else those of many products.
constexpr std::uint32_t kAnySum = 0xff7fffff;
constexpr std::uint32_t kNearSum = 0x87ffffff;
constexpr std::uint32_t kNearBits = 0x38000000;

// Registers 0 to 3 are of a, 4 and 5 of b, 6 to 9 of c.
std::uint32_t register_bits(const Format& format, std::uint32_t lane, std::uint32_t index,
                            std::uint32_t round) {
  const auto bits = any_bits(lane, index, round);
  if (index < 6 || format.is_half()) return bits & format.mask;
  return round == 0 ? bits & kAnySum : (bits & kNearSum) | kNearBits;
}

// d by lane: the two words of each of four registers' pairs, as the kernel below stores them.
std::vector<std::uint64_t> product_by_ptx(const Format& format, const std::string& target,
                                          std::uint32_t round) {
  PtxLaunch launch;
  launch.target = target;
  launch.blocks = 2;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const auto r = static_cast<int>(i) + 10;
    launch.body += any_bits_in_ptx(r, i, round);
    const bool is_single = i >= 6 && !format.is_half();
    const auto mask = !is_single ? format.mask : round == 0 ? kAnySum : kNearSum;
    launch.body += fmt::format("and.b32 %r{0}, %r{0}, {1:#x};", r, mask);
    if (is_single && round > 0)
      launch.body += fmt::format("or.b32 %r{0}, %r{0}, {1:#x};", r, kNearBits);
  }
  const auto* sums = format.is_half() ? "f16" : "f32";
  const auto* a = format.source == Element::kTf32 || format.k == 16 ? "{%r10, %r11, %r12, %r13}"
                                                                    : "{%r10, %r11}";
  const auto* b = format.source == Element::kTf32 || format.k == 16 ? "{%r14, %r15}" : "{%r14}";
  launch.body += fmt::format(
      "mov.b32 %r22, 0; mov.b32 %r23, 0;"
      "mma.sync.aligned.m16n8k{0}.row.col.{1}.{2}.{2}.{1} {3}, {4}, {5}, {6};"
      "setp.eq.u32 %p1, %r30, 0; selp.b32 %r24, %r20, %r22, %p1; selp.b32 %r25, %r21, %r23, %p1;"
      "mov.b64 %rd4, {{%r24, %r25}}; st.global.u64 [%rd1], %rd4;",
      format.k, sums, format.type, format.is_half() ? "{%r20, %r21}" : "{%r20, %r21, %r22, %r23}",
      a, b, format.is_half() ? "{%r16, %r17}" : "{%r16, %r17, %r18, %r19}");
  const auto run = run_ptx(launch);
  expect_clean(run);
  return run.out;
}

// Element (outer, k) of a or b, by the figures of the manual.
TensorNumber source_of(const Format& format, bool is_a, std::uint32_t outer, std::uint32_t k,
                       std::uint32_t round) {
  const auto in_word = format.source == Element::kTf32 ? 1U : 2U;
  const auto lane = outer % 8 * 4 + k % (4 * in_word) / in_word;
  const auto upper = k / (4 * in_word);
  const auto index = is_a ? outer / 8 + 2 * upper : 4 + upper;
  const auto bits = register_bits(format, lane, index, round);
  return tensor_source(format.source, in_word == 1 ? bits : bits >> (16 * (k % 2)) & 0xffff);
}

std::vector<std::uint64_t> product_by_steps(const Format& format, const std::string& target,
                                            std::uint32_t round) {
  const auto step = target == "sm_90" ? format.k : format.step_of_80;
  std::vector<std::uint64_t> out(64);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const auto row = lane / 4 + 8 * (i / 2);
      const auto column = lane % 4 * 2 + i % 2;
      auto sum = format.is_half()
                     ? register_bits(format, lane, 6 + i / 2, round) >> (16 * (i % 2)) & 0xffff
                     : register_bits(format, lane, 6 + i, round);
      for (std::uint32_t first = 0; first < format.k; first += step) {
        std::vector<TensorNumber> a;
        std::vector<TensorNumber> b;
        for (auto k = first; k < first + step; ++k) {
          a.push_back(source_of(format, true, row, k, round));
          b.push_back(source_of(format, false, column, k, round));
        }
        sum = tensor_step(a.data(), b.data(), step, tensor_addend(format.sum, sum),
                          tensor_rule(target), format.sum);
      }
      const auto place = format.is_half() ? lane : lane + 32 * (i / 2);
      const auto shift = format.is_half() ? 16 * (i % 2) + 32 * (i / 2) : 32 * (i % 2);
      out[place] |= std::uint64_t{sum} << shift;
    }
  }
  return out;
}

TEST(Mma, FiniteNumbersAreAddedAsTensorStepAddsThem) {
  const Format formats[] = {
      {"f16", Element::kF16, Element::kF32, 16, 0xfbfffbff, 8},
      {"f16", Element::kF16, Element::kF32, 8, 0xfbfffbff, 8},
      {"f16", Element::kF16, Element::kF16, 16, 0xfbfffbff, 8},
      {"bf16", Element::kBf16, Element::kF32, 16, 0xff7fff7f, 8},
      {"tf32", Element::kTf32, Element::kF32, 8, 0xff7fffff, 4},
  };
  for (const auto& format : formats) {
    for (const auto* const target : {"sm_80", "sm_90"}) {
      for (std::uint32_t round = 0; round < 20; ++round) {
        EXPECT_EQ(product_by_steps(format, target, round), product_by_ptx(format, target, round))
            << format.type << " k = " << format.k << " on " << target << ", round " << round;
      }
    }
  }
}

}  // namespace warpgrade::sim::mma_test
