// SPDX-License-Identifier: Apache-2.0
// Sums that absorb a product, as in ptxas. The bits of the result show it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::fma_contraction_test {

using testing::Each;

PtxLaunch launch_of(const std::string& body) {
  PtxLaunch launch;
  launch.body = body;
  return launch;
}

// (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24 with one fma, but 0 with two roundings.
constexpr std::uint64_t kFactor = 0x3f800800;
constexpr std::uint32_t kFused = 0x33800000;

std::vector<std::uint32_t> difference(const std::string& instructions) {
  auto launch = launch_of(
      "ld.global.u32 %r1, [%rd2]; mov.b32 %f1, %r1; mov.b32 %f2, 0xbf801000;\n" + instructions +
      "mov.b32 %r2, %f4; cvt.u64.u32 %rd6, %r2; st.global.u64 [%rd1], %rd6;");
  launch.in.assign(32, kFactor);
  return low_words(run_ptx(launch).out);
}

TEST(FmaContraction, TakesAProductThatNothingElseReads) {
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; add.f32 %f4, %f3, %f2;"), Each(kFused));
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; neg.f32 %f2, %f2; sub.f32 %f4, %f3, %f2;"),
              Each(kFused));
}

TEST(FmaContraction, LeavesWhatARoundingModifierOrAnotherReaderKeepsApart) {
  EXPECT_THAT(difference("mul.rn.f32 %f3, %f1, %f1; add.f32 %f4, %f3, %f2;"), Each(0U));
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; add.rn.f32 %f4, %f3, %f2;"), Each(0U));
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; add.f32 %f4, %f3, %f2;\n"
                         "st.global.f32 [%rd1+4], %f3;"),
              Each(0U));
}

// ptxas 13.0 does the same in its machine code for sm_90.
TEST(FmaContraction, LooksThroughCopiesAndNegation) {
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; mov.b32 %r9, %f3; mov.b32 %f5, %r9;\n"
                         "add.f32 %f4, %f5, %f2;"),
              Each(kFused));
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; neg.f32 %f5, %f3; sub.f32 %f4, %f2, %f5;"),
              Each(kFused));
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; neg.f32 %f5, %f3; neg.f32 %f6, %f2;\n"
                         "sub.f32 %f7, %f5, %f2; add.f32 %f7, %f5, %f6; neg.f32 %f4, %f7;"),
              Each(kFused));
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; abs.f32 %f5, %f3; add.f32 %f4, %f5, %f2;"),
              Each(0U));
  EXPECT_THAT(difference("{ .reg .b16 %h<2>; mul.f32 %f3, %f1, %f1; mov.b32 {%h0, %h1}, %f3;\n"
                         "mov.b32 %f5, {%h0, %h1}; add.f32 %f4, %f5, %f2; }"),
              Each(0U));
}

// A sum first absorbs a product that has no other reader. A product with several readers is
// absorbed only if none of the sums that read it has absorbed another product.
TEST(FmaContraction, TakesProductsOfOneReaderFirst) {
  const std::string products = "mul.f32 %f3, %f1, %f1; mul.f32 %f5, %f1, %f2;\n";
  const std::string store = "st.global.f32 [%rd1+4], %f6;\n";
  EXPECT_THAT(difference(products + "add.f32 %f4, %f3, %f2; add.f32 %f6, %f3, %f5;" + store),
              Each(0U));
  EXPECT_THAT(difference(products + "add.f32 %f4, %f3, %f2; add.f32 %f6, %f3, %f1;" + store),
              Each(kFused));
}

TEST(FmaContraction, TakesProductsOfSeveralReadersSumBySum) {
  const std::string products = "mul.f32 %f3, %f1, %f1; mul.f32 %f5, %f1, %f2;\n";
  const std::string own = "add.f32 %f4, %f3, %f2;\n";
  const std::string other = "add.f32 %f6, %f5, %f3; add.f32 %f7, %f5, %f1;\n";
  const std::string store = "st.global.f32 [%rd1+4], %f6; st.global.f32 [%rd1+4], %f7;\n";
  EXPECT_THAT(difference(products + own + other + store), Each(kFused));
  EXPECT_THAT(difference(products + other + own + store), Each(0U));
}

// ptxas turns a + b < 0 into a < -b, which absorbs no product. A product whose only reader is the
// sum is absorbed before that.
TEST(FmaContraction, MakesComparisonsOfSumsWithZero) {
  const auto beside = [](const std::string& sum, const std::string& comparison) {
    return difference("mul.f32 %f3, %f1, %f1;" + sum + comparison +
                      "add.f32 %f4, %f3, %f2; selp.u32 %r9, 1, 2, %p1;");
  };
  const std::string sum = "add.f32 %f6, %f3, %f1;\n";
  for (const auto* kind : {"lt", "gt", "ne", "leu", "geu", "equ"}) {
    const auto setp = "setp." + std::string(kind);
    EXPECT_THAT(beside(sum, setp + ".f32 %p1, %f6, 0f00000000;"), Each(0U)) << kind;
    EXPECT_THAT(beside(sum, setp + ".f32 %p1, 0f00000000, %f6;"), Each(0U)) << kind;
    EXPECT_THAT(beside(sum, setp + ".f32 %p1, %f6, 0f3f800000;"), Each(kFused)) << kind;
  }
  for (const auto* kind : {"le", "ge", "eq", "ltu", "gtu", "neu"}) {
    const auto setp = "setp." + std::string(kind);
    EXPECT_THAT(beside(sum, setp + ".f32 %p1, %f6, 0f00000000;"), Each(kFused)) << kind;
  }
  EXPECT_THAT(beside("sub.f32 %f6, %f1, %f3;", "setp.lt.f32 %p1, %f6, 0f80000000;"), Each(0U));
  EXPECT_THAT(beside(sum,
                     "neg.f32 %f7, %f6; mov.f32 %f8, %f7; mov.b32 %f9, 0f00000000;\n"
                     "setp.lt.f32 %p1, %f8, %f9;"),
              Each(0U));
  EXPECT_THAT(beside(sum, "set.lt.u32.f32 %r9, %f6, 0f00000000; setp.eq.u32 %p1, %r9, 0;"),
              Each(0U));
  EXPECT_THAT(beside(sum, "abs.f32 %f7, %f6; setp.gt.f32 %p1, %f7, 0f00000000;"), Each(kFused));
  EXPECT_THAT(beside(sum,
                     "setp.eq.u32 %p2, %r1, 0;\n"
                     "setp.lt.and.f32 %p1, %f6, 0f00000000, %p2;"),
              Each(kFused));
  EXPECT_THAT(difference("mul.f32 %f3, %f1, %f1; add.f32 %f4, %f3, %f2;\n"
                         "setp.lt.f32 %p1, %f4, 0f00000000; selp.u32 %r9, 1, 2, %p1;"),
              Each(kFused));
}

// (1 + 2^-6)^2 - (1 + 2^-5), in both halves, is 2^-12 with one fma, but 0 with two roundings.
TEST(FmaContraction, LooksThroughAPairTakenApart) {
  const auto pair_difference = [](const std::string& instructions) {
    auto launch =
        launch_of("ld.global.u32 %r1, [%rd2]; mov.b32 %r2, 0xbc20bc20; mul.f16x2 %r3, %r1, %r1;\n" +
                  instructions + "cvt.u64.u32 %rd6, %r4; st.global.u64 [%rd1], %rd6;");
    launch.in.assign(32, 0x3c103c10);
    return low_words(run_ptx(launch).out);
  };
  EXPECT_THAT(pair_difference("mov.b32 {%h0, %h1}, %r3; mov.b16 %h2, %h0;\n"
                              "mov.b32 %r5, {%h2, %h1}; add.f16x2 %r4, %r5, %r2;"),
              Each(0x0c000c00U));
  EXPECT_THAT(pair_difference("mov.b32 {%h0, %h1}, %r3; mov.b32 %r5, {%h1, %h0};\n"
                              "add.f16x2 %r4, %r5, %r2;"),
              Each(0U));
}

TEST(FmaContraction, StopsAtWhatBecomesABranchUnlessAFactorIsConstant) {
  const auto across = [](const std::string& between, const std::string& factor) {
    return difference("mov.b32 %f7, " + factor + "; mul.f32 %f3, %f1, %f7;\n" + between +
                      "add.f32 %f4, %f3, %f2;");
  };
  const std::string same = "%r1";
  for (const auto* between :
       {"div.rn.f32 %f8, %f1, %f2;", "sqrt.rn.f32 %f8, %f1;", "rcp.rz.ftz.f32 %f8, %f1;",
        "rem.s32 %r9, %r1, 7;", "div.u64 %rd7, %rd1, %rd2;", "bfind.u64 %r9, %rd1;", "membar.gl;",
        "setp.eq.u32 %p1, %r1, 0; @%p1 st.global.u64 [%rd1], %rd2;",
        "setp.eq.u32 %p1, %r1, 0; @%p1 bra $next; mov.u32 %r9, 0; $next:"}) {
    EXPECT_THAT(across(between, same), Each(0U)) << between;
    EXPECT_THAT(across(between, "0f3F800800"), Each(kFused)) << between;
  }
  for (const auto* between :
       {"div.full.f32 %f8, %f1, %f2;", "rem.u32 %r9, %r1, 7;", "bfind.u32 %r9, %r1;", "bar.sync 0;",
        "setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r9, 0;"}) {
    EXPECT_THAT(across(between, same), Each(kFused)) << between;
  }
}

}  // namespace warpgrade::sim::fma_contraction_test
