// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic: the lanes that an instruction leaves alone, the carry flag of each lane, and
// the edges of every width.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/sim/lane_rules.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::integer_test {

TEST(IntegerInstructions, KeepInactiveLanesAndMayWriteASource) {
  for (const auto* form :
       {"add.u32 $d, %r1, %r2", "sub.s32 $d, %r1, %r2", "mul.lo.u32 $d, %r1, %r2",
        "mul.hi.s32 $d, %r1, %r2", "mad.lo.s32 $d, %r1, %r2, %r3", "mad.hi.u32 $d, %r1, %r2, %r3",
        "div.s32 $d, %r1, %r2", "rem.u32 $d, %r1, %r2", "min.s32 $d, %r1, %r2",
        "max.u32 $d, %r1, %r2", "sad.s32 $d, %r1, %r2, %r3", "abs.s32 $d, %r1", "neg.s32 $d, %r1",
        "mul24.lo.u32 $d, %r1, %r2", "add.sat.s32 $d, %r1, %r2", "add.cc.u32 $d, %r1, %r1"}) {
    expect_lane_rules("r", form);
  }
  expect_lane_rules("rd", "mul.wide.s32 $d, %r1, %r2");
  expect_lane_rules("rd", "mad.wide.u32 $d, %r1, %r2, %rd11");
  expect_lane_rules("rd", "mul.hi.u64 $d, %rd11, %rd12");
  expect_lane_rules("h", "mad.lo.u16 $d, %h1, %h2, %h3");
}

TEST(IntegerInstructions, SixteenBitsWrapWithoutTouchingTheirNeighbours) {
  EXPECT_EQ(1U, word("mov.u16 %h4, 0xffff; mov.u16 %h5, 0xffff; mul.lo.u16 %h6, %h4, %h5;"
                     "cvt.u32.u16 %r4, %h6;"));
  EXPECT_EQ(0xfffe0001U, word("mov.u16 %h4, 0xffff; mul.wide.u16 %r4, %h4, %h4;"));
  EXPECT_EQ(0x8000U, word("mov.u16 %h4, 0x8000; neg.s16 %h5, %h4; cvt.u32.u16 %r4, %h5;"));
}

TEST(IntegerInstructions, HighProductsOfSixtyFourBitsKeepTheSign) {
  EXPECT_EQ(~0ULL, long_word("mov.u64 %rd5, -1; mul.hi.s64 %rd4, %rd5, 2;"));
  EXPECT_EQ(1ULL, long_word("mov.u64 %rd5, -1; mul.hi.u64 %rd4, %rd5, 2;"));
}

TEST(IntegerInstructions, TheLeastNumberHasNoAbsoluteValueAndNoQuotientByMinusOne) {
  EXPECT_EQ(0x80000000U, word("mov.u32 %r5, 0x80000000; abs.s32 %r4, %r5;"));
  EXPECT_EQ(0x80000000U, word("mov.u32 %r5, 0x80000000; div.s32 %r4, %r5, -1;"));
  EXPECT_EQ(0U, word("mov.u32 %r5, 0x80000000; rem.s32 %r4, %r5, -1;"));
}

// Quotient and remainder, calculated in 64 bits without overflow and cut to T.
template <typename T>
std::array<T, 2> divided(T a, T b) {
  const auto wide_a = static_cast<std::int64_t>(a);
  const auto wide_b = static_cast<std::int64_t>(b);
  if (wide_b == 0) return {static_cast<T>(-1), static_cast<T>(-1)};
  return {static_cast<T>(wide_a / wide_b), static_cast<T>(wide_a % wide_b)};
}

// Divides each edge value of T by each edge value, in whole warps.
template <typename T>
void expect_quotients(const std::string& type) {
  const std::array<std::uint32_t, 32> edges = {
      0,          1,          2,          3,          5,          7,          10,
      31,         255,        0x7ffe,     0x7fff,     0x8000,     0x8001,     0xfffd,
      0xfffe,     0xffff,     0x10000,    0x10001,    46341,      65537,      0x3fffffff,
      0x55555555, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaab, 0xc0000001,
      0xfffffff6, 0xfffffffd, 0xfffffffe, 0xffffffff};
  std::vector<std::uint64_t> in;
  for (const auto a : edges) {
    for (const std::uint64_t b : edges) in.push_back(a | b << 32);
  }
  const auto r = [&](int number) {
    return (sizeof(T) == 2 ? "%h" : "%r") + std::to_string(number);
  };
  std::string body = "ld.global.u64 %rd4, [%rd2]; mov.b64 {%r1, %r2}, %rd4;";
  if (sizeof(T) == 2) body += "cvt.u16.u32 %h1, %r1; cvt.u16.u32 %h2, %r2;";
  body += "div." + type + " " + r(3) + ", " + r(1) + ", " + r(2) + ";";
  body += "rem." + type + " " + r(4) + ", " + r(1) + ", " + r(2) + ";";
  if (sizeof(T) == 2) body += "cvt.u32.u16 %r3, %h3; cvt.u32.u16 %r4, %h4;";
  body += "mov.b64 %rd5, {%r3, %r4}; st.global.u64 [%rd1], %rd5;";
  const auto run = run_ptx(
      {.body = body, .before = "", .threads = static_cast<std::uint32_t>(in.size()), .in = in});
  expect_clean(run);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto a = static_cast<T>(in[i]);
    const auto b = static_cast<T>(in[i] >> 32);
    const auto [quotient, remainder] = divided(a, b);
    EXPECT_EQ(quotient, static_cast<T>(run.out[i])) << type << ": " << a << " / " << b;
    EXPECT_EQ(remainder, static_cast<T>(run.out[i] >> 32)) << type << ": " << a << " % " << b;
  }
}

TEST(IntegerInstructions, DivideEachNumberByEachAsWideOnesAreDivided) {
  expect_quotients<std::int32_t>("s32");
  expect_quotients<std::uint32_t>("u32");
  expect_quotients<std::int16_t>("s16");
  expect_quotients<std::uint16_t>("u16");
}

TEST(IntegerInstructions, SaturationStopsAtBothEnds) {
  EXPECT_EQ(0x7fffffffU, word("mov.u32 %r5, 0x7fffffff; add.sat.s32 %r4, %r5, 1;"));
  EXPECT_EQ(0x80000000U, word("mov.u32 %r5, 0x80000000; sub.sat.s32 %r4, %r5, 1;"));
  EXPECT_EQ(0x7fffffffU, word("mov.u32 %r5, 0x40000000; mov.u32 %r6, 0x7fffffff;"
                              "mad.hi.sat.s32 %r4, %r5, %r5, %r6;"));
}

TEST(IntegerInstructions, EachLaneHasACarryOfItsOwn) {
  // Lanes 0 to 3 overflow.
  const auto sums = words(
      "setp.lt.u32 %p3, %r29, 4; selp.u32 %r5, -1, 1, %p3; add.cc.u32 %r6, %r5, 1;"
      "addc.u32 %r4, 0, 0;");
  for (std::size_t lane = 0; lane < sums.size(); ++lane) EXPECT_EQ(lane < 4 ? 1U : 0U, sums[lane]);
}

TEST(IntegerInstructions, ALaneThatIsKeptOutKeepsItsCarry) {
  // Every lane sets its carry; odd lanes clear it again.
  const auto sums = words(
      "mov.u32 %r5, -1; add.cc.u32 %r6, %r5, 1; @%p15 add.cc.u32 %r6, 0, 0; addc.u32 %r4, 0, 0;");
  for (std::size_t lane = 0; lane < sums.size(); ++lane) EXPECT_EQ(1 - lane % 2, sums[lane]);
}

TEST(IntegerInstructions, WithoutCcTheCarryStays) {
  EXPECT_EQ(1U, word("mov.u32 %r5, -1; add.cc.u32 %r6, %r5, 1; add.u32 %r7, 1, 1;"
                     "addc.u32 %r8, 0, 0; addc.u32 %r4, 0, 0;"));
}

TEST(IntegerInstructions, ABorrowIsACarryThatIsMissing) {
  // 0x1'00000000 - 1, in two halves.
  EXPECT_EQ(0U, word("sub.cc.u32 %r5, 0, 1; subc.u32 %r4, 1, 0;"));
  EXPECT_EQ(1U, word("sub.cc.u32 %r5, 1, 1; subc.u32 %r4, 1, 0;"));
}

TEST(IntegerInstructions, FormsThatPtxDoesNotHaveAreRefused) {
  EXPECT_NE("", refusal("mul.u32 %r4, %r1, %r2;"));            // neither .lo nor .hi nor .wide
  EXPECT_NE("", refusal("mul.wide.u64 %rd4, %rd11, %rd12;"));  // 128 bits
  EXPECT_NE("", refusal("add.sat.u32 %r4, %r1, %r2;"));        // .sat is for .s32
  EXPECT_NE("", refusal("neg.u32 %r4, %r1;"));
}

}  // namespace warpgrade::sim::integer_test
