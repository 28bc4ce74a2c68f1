// SPDX-License-Identifier: Apache-2.0
// One lane's result of an instruction, for edge values that the PTX manual describes.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "common/base/finding_text.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::instructions_test {

// The result in %r4 of one instruction with the 32-bit sources a, b, c in %r1 to %r3.
std::uint32_t r32(const std::string& instruction, std::uint32_t a, std::uint32_t b = 0,
                  std::uint32_t c = 0) {
  PtxLaunch launch;
  launch.body =
      "setp.ge.u32 %p1, %r29, 1; @%p1 ret;\n"
      "ld.global.u64 %rd3, [%rd2]; cvt.u32.u64 %r1, %rd3;\n"
      "ld.global.u64 %rd3, [%rd2+8]; cvt.u32.u64 %r2, %rd3;\n"
      "ld.global.u64 %rd3, [%rd2+16]; cvt.u32.u64 %r3, %rd3;\n" +
      instruction + "\ncvt.u64.u32 %rd4, %r4; st.global.u64 [%rd1], %rd4;";
  launch.threads = 8;  // thread 0 computes; `in` has a word per thread
  launch.in = {a, b, c};
  const auto run = run_ptx(launch);
  EXPECT_TRUE(run.result.diagnostics.empty())
      << instruction << ": "
      << (run.result.diagnostics.empty() ? "" : base::text(run.result.diagnostics[0]));
  return static_cast<std::uint32_t>(run.out[0]);
}

// The same with 64-bit values in %rd5 to %rd7 and the result in %rd8.
std::uint64_t r64(const std::string& instruction, std::uint64_t a, std::uint64_t b = 0,
                  std::uint64_t c = 0) {
  PtxLaunch launch;
  launch.body =
      "setp.ge.u32 %p1, %r29, 1; @%p1 ret;\n"
      "ld.global.u64 %rd5, [%rd2]; ld.global.u64 %rd6, [%rd2+8];\n"
      "ld.global.u64 %rd7, [%rd2+16];\n" +
      instruction + "\nst.global.u64 [%rd1], %rd8;";
  launch.threads = 8;
  launch.in = {a, b, c};
  const auto run = run_ptx(launch);
  EXPECT_TRUE(run.result.diagnostics.empty()) << instruction;
  return run.out[0];
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// A float instruction on %f1 to %f3 with its result in %f4.
std::uint32_t f32(const std::string& instruction, float a, float b = 0, float c = 0) {
  return r32("mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3;\n" + instruction +
                 "\nmov.b32 %r4, %f4;",
             bits(a), bits(b), bits(c));
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kDenormal = 1e-40F;

TEST(Integers, WrapAroundUnlessSaturated) {
  EXPECT_EQ(0x80000000U, r32("add.s32 %r4, %r1, %r2;", 0x7fffffff, 1));
  EXPECT_EQ(0x7fffffffU, r32("add.sat.s32 %r4, %r1, %r2;", 0x7fffffff, 1));
  EXPECT_EQ(0x80000000U, r32("sub.sat.s32 %r4, %r1, %r2;", 0x80000000, 1));
}

TEST(Integers, ProductsGiveLowHighOrWide) {
  EXPECT_EQ(1U, r32("mul.lo.u32 %r4, %r1, %r2;", 0xffffffff, 0xffffffff));
  EXPECT_EQ(0xfffffffeU, r32("mul.hi.u32 %r4, %r1, %r2;", 0xffffffff, 0xffffffff));
  EXPECT_EQ(0U, r32("mul.hi.s32 %r4, %r1, %r2;", 0xffffffff, 0xffffffff));
  EXPECT_EQ(0xfffffffe00000001U,
            r64("cvt.u32.u64 %r1, %rd5; mul.wide.u32 %rd8, %r1, %r1;", 0xffffffff));
  EXPECT_EQ(0xffffffffffffffffU, r64("mul.hi.s64 %rd8, %rd5, %rd6;", ~0ULL, 5));
  EXPECT_EQ(7U + 6U, r32("mad.lo.s32 %r4, %r1, %r2, %r3;", 2, 3, 7));
}

TEST(Integers, CarriesGoFromOneInstructionToTheNext) {
  EXPECT_EQ(1U, r32("add.cc.u32 %r5, %r1, %r2; addc.u32 %r4, 0, 0;", 0xffffffff, 1));
  EXPECT_EQ(0U, r32("add.cc.u32 %r5, %r1, %r2; addc.u32 %r4, 0, 0;", 0xfffffffe, 1));
  EXPECT_EQ(0xffffffffU, r32("sub.cc.u32 %r5, %r1, %r2; subc.u32 %r4, 0, 0;", 0, 1));
  EXPECT_EQ(0U, r32("sub.cc.u32 %r5, %r1, %r2; subc.u32 %r4, 0, 0;", 1, 1));
  // A borrow does not set the carry (measured on an H200, in __int128's division).
  EXPECT_EQ(0U, r32("sub.cc.u32 %r5, %r1, %r2; addc.u32 %r4, 0, 0;", 0, 1));
  EXPECT_EQ(1U, r32("sub.cc.u32 %r5, %r1, %r2; addc.u32 %r4, 0, 0;", 1, 1));
  EXPECT_EQ(0xffffffffU, r32("add.cc.u32 %r5, %r1, %r2; subc.u32 %r4, 0, 0;", 1, 1));
}

TEST(Integers, FieldsAndCountsFollowTheManual) {
  EXPECT_EQ(0xfffffffaU, r32("bfe.s32 %r4, %r1, 4, 4;", 0xa0));
  EXPECT_EQ(0xaU, r32("bfe.u32 %r4, %r1, 4, 4;", 0xa0));
  EXPECT_EQ(0U, r32("bfe.u32 %r4, %r1, 4, 0;", 0xa0));
  EXPECT_EQ(0xffffffffU, r32("bfe.s32 %r4, %r1, 40, 4;", 0x80000000));
  EXPECT_EQ(0xffff12ffU, r32("bfi.b32 %r4, %r1, %r2, 8, 8;", 0x12, 0xffffffff));
  EXPECT_EQ(31U, r32("bfind.u32 %r4, %r1;", 0x80000000));
  EXPECT_EQ(0xffffffffU, r32("bfind.s32 %r4, %r1;", 0xffffffff));
  EXPECT_EQ(32U, r32("clz.b32 %r4, %r1;", 0));
  EXPECT_EQ(0x80000000U, r32("brev.b32 %r4, %r1;", 1));
}

TEST(Shifts, ByTheWidthOrMoreGiveZeroOrTheSign) {
  EXPECT_EQ(0U, r32("shl.b32 %r4, %r1, %r2;", 1, 32));
  EXPECT_EQ(0U, r32("shr.u32 %r4, %r1, %r2;", 0xffffffff, 32));
  EXPECT_EQ(0xffffffffU, r32("shr.s32 %r4, %r1, %r2;", 0x80000000, 99));
  EXPECT_EQ(0x3U, r32("shf.l.wrap.b32 %r4, %r1, %r2, 33;", 0x80000000, 1));
  EXPECT_EQ(0x80000000U, r32("shf.l.clamp.b32 %r4, %r1, %r2, 33;", 0x80000000, 1));
}

TEST(Integers, DistancesOfHalvesAndBytes) {
  // |1 - 3| and |0xffff - 2|; as signed numbers |1 - 3| and |-1 - 2|.
  EXPECT_EQ(0xfffd0002U, r32("vabsdiff2.u32.u32.u32 %r4, %r1, %r2, 0;", 0xffff0001, 0x00020003));
  EXPECT_EQ(0xffffU + 5, r32("vabsdiff2.u32.u32.u32.add %r4, %r1, %r2, 5;", 0xffff0001, 0x20003));
  EXPECT_EQ(3U + 2 + 5, r32("vabsdiff2.u32.s32.s32.add %r4, %r1, %r2, 5;", 0xffff0001, 0x20003));
  EXPECT_EQ(0x00fd0002U, r32("vabsdiff4.u32.u32.u32 %r4, %r1, %r2, 0;", 0x00ff0001, 0x00020003));
}

TEST(Logic, Lop3IsATableAndPrmtChoosesBytes) {
  EXPECT_EQ((0xf0U & 0xccU) ^ 0xaaU, r32("lop3.b32 %r4, %r1, %r2, %r3, 0x6a;", 0xf0, 0xcc, 0xaa));
  EXPECT_EQ(0x11223344U, r32("prmt.b32 %r4, %r1, %r2, 0x0123;", 0x44332211, 0));
  EXPECT_EQ(0xffffffffU, r32("prmt.b32 %r4, %r1, %r2, 0x8888;", 0x80, 0));
}

TEST(Floats, RoundAsTheModifierSays) {
  EXPECT_EQ(bits(1.0F), f32("add.rn.f32 %f4, %f1, %f2;", 1.0F, 1e-10F));
  EXPECT_EQ(bits(std::nextafter(1.0F, 2.0F)), f32("add.rp.f32 %f4, %f1, %f2;", 1.0F, 1e-10F));
  EXPECT_EQ(bits(std::nextafter(1.0F, 0.0F)), f32("sub.rz.f32 %f4, %f1, %f2;", 1.0F, 1e-10F));
  EXPECT_EQ(bits(0.33333334F), f32("div.rn.f32 %f4, %f1, %f2;", 1.0F, 3.0F));
}

TEST(Floats, FmaRoundsOnceAndMulThenAddTwice) {
  const float a = 1.0F + 0x1p-12F;  // its square needs 25 bits
  EXPECT_EQ(bits(0x1p-24F), f32("fma.rn.f32 %f4, %f1, %f1, %f2;", a, -(1.0F + 0x1p-11F)));
  EXPECT_EQ(bits(0.0F),
            f32("mul.rn.f32 %f5, %f1, %f1; add.rn.f32 %f4, %f5, %f2;", a, -(1.0F + 0x1p-11F)));
}

TEST(Floats, NanIsCanonicalAndMinMaxPreferNumbers) {
  EXPECT_EQ(0x7fffffffU, f32("add.f32 %f4, %f1, %f2;", kInfinity, -kInfinity));
  EXPECT_EQ(bits(2.0F), f32("min.f32 %f4, %f1, %f2;", kNan, 2.0F));
  EXPECT_EQ(0x7fffffffU, f32("max.NaN.f32 %f4, %f1, %f2;", kNan, 2.0F));
  EXPECT_EQ(bits(-0.0F), f32("min.f32 %f4, %f1, %f2;", 0.0F, -0.0F));
}

TEST(Floats, FtzFlushesDenormalsWithTheirSign) {
  EXPECT_EQ(bits(kDenormal), f32("add.f32 %f4, %f1, %f2;", kDenormal, 0.0F));
  EXPECT_EQ(bits(-0.0F), f32("mul.ftz.f32 %f4, %f1, %f2;", -kDenormal, 1.0F));
  EXPECT_EQ(bits(1.0F), f32("add.sat.f32 %f4, %f1, %f2;", 3.0F, 4.0F));
}

TEST(Comparisons, UnorderedOnesAreTrueForNan) {
  const std::string select = " selp.u32 %r4, 1, 0, %p2;";
  EXPECT_EQ(0U, f32("setp.lt.f32 %p2, %f1, %f2;" + select + "mov.b32 %f4, %r4;", kNan, 1.0F));
  EXPECT_EQ(1U, f32("setp.ltu.f32 %p2, %f1, %f2;" + select + "mov.b32 %f4, %r4;", kNan, 1.0F));
  EXPECT_EQ(0U, f32("setp.ne.f32 %p2, %f1, %f2;" + select + "mov.b32 %f4, %r4;", kNan, 1.0F));
  EXPECT_EQ(1U, r32("setp.lo.u32 %p2, %r1, %r2;" + select, 1, 0xffffffff));
  EXPECT_EQ(0U, r32("setp.lt.s32 %p2, %r1, %r2;" + select, 1, 0xffffffff));
}

TEST(Comparisons, SetpCombinesAndGivesItsComplement) {
  const std::string both =
      "setp.eq.u32 %p4, 0, 1; setp.lt.or.u32 %p2|%p3, %r1, %r2, %p4;"
      "selp.u32 %r5, 2, 0, %p2; selp.u32 %r6, 1, 0, %p3; or.b32 %r4, %r5, %r6;";
  EXPECT_EQ(2U, r32(both, 1, 2));
  EXPECT_EQ(1U, r32(both, 2, 1));
}

TEST(Conversions, FloatToIntegerClampsAndNanIsZero) {
  EXPECT_EQ(0x7fffffffU, f32("cvt.rzi.s32.f32 %r4, %f1; mov.b32 %f4, %r4;", 3e9F));
  EXPECT_EQ(0U, f32("cvt.rzi.u32.f32 %r4, %f1; mov.b32 %f4, %r4;", -1.0F));
  EXPECT_EQ(0U, f32("cvt.rzi.s32.f32 %r4, %f1; mov.b32 %f4, %r4;", kNan));
  EXPECT_EQ(2U, f32("cvt.rni.s32.f32 %r4, %f1; mov.b32 %f4, %r4;", 2.5F));
  EXPECT_EQ(3U, f32("cvt.rpi.s32.f32 %r4, %f1; mov.b32 %f4, %r4;", 2.25F));
  EXPECT_EQ(bits(16777216.0F), r32("cvt.rn.f32.s32 %f4, %r1; mov.b32 %r4, %f4;", 16777217));
  EXPECT_EQ(bits(16777218.0F), r32("cvt.rp.f32.s32 %f4, %r1; mov.b32 %r4, %f4;", 16777217));
}

TEST(Conversions, NarrowIntegersExtendIntoTheirRegister) {
  EXPECT_EQ(0xffffff80U, r32("cvt.s32.s8 %r4, %r1;", 0x1280));
  EXPECT_EQ(0x80U, r32("cvt.u32.u8 %r4, %r1;", 0x1280));
  EXPECT_EQ(0x7fU, r32("cvt.sat.s8.s32 %r4, %r1;", 300));
  EXPECT_EQ(0xffffffffffffff80U, r64("cvt.u32.u64 %r1, %rd5; cvt.s64.s8 %rd8, %r1;", 0x80));
}

TEST(Division, ByZeroGivesWhatTheCardGives) {
  EXPECT_EQ(0xffffffffU, r32("div.u32 %r4, %r1, %r2;", 7, 0));
  EXPECT_EQ(0xffffffffU, r32("rem.u32 %r4, %r1, %r2;", 7, 0));
  EXPECT_EQ(0x80000000U, r32("div.s32 %r4, %r1, %r2;", 0x80000000, 0xffffffff));
}

TEST(Doubles, ComputeInDoublePrecision) {
  EXPECT_EQ(bits(0.1 + 0.2), r64("mov.b64 %d1, %rd5; mov.b64 %d2, %rd6; add.f64 %d3, %d1, %d2;"
                                 "mov.b64 %rd8, %d3;",
                                 bits(0.1), bits(0.2)));
  EXPECT_EQ(bits(std::sqrt(2.0)),
            r64("mov.b64 %d1, %rd5; sqrt.rn.f64 %d3, %d1; mov.b64 %rd8, %d3;", bits(2.0)));
}

TEST(Moves, VectorsPackAndUnpack) {
  EXPECT_EQ(0x0000000200000001U,
            r64("mov.b64 {%r1, %r2}, %rd5; mov.b64 %rd8, {%r2, %r1};", 0x0000000100000002U));
  EXPECT_EQ(0x00020001U, r32("mov.b32 {%h1, %h2}, %r1; mov.b32 %r4, {%h2, %h1};", 0x00010002));
}

}  // namespace warpgrade::sim::instructions_test
