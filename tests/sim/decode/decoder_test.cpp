// SPDX-License-Identifier: Apache-2.0
// The decoder names every form that the simulator lacks before the launch, with line and PTX line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim {
namespace decoder_test {

using base::DiagnosticKind;
using testing::HasSubstr;

TEST(Faults, WhatTheTableLacksIsUnsupportedWithItsLine) {
  const auto run = run_body("setmaxnreg.inc.sync.aligned.u32 232;");
  expect_fault(DiagnosticKind::kUnsupported, "is not supported: of the tensor cores, only", run);
  EXPECT_EQ(1U, run.result.diagnostics[0].where.line);
}

TEST(Faults, TooFewOperandsAreUnsupported) {
  for (const auto* body :
       {"match.all.sync.b32 %r1|%p1, -1;", "shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31;",
        "bar.red.popc.u32 %r1, 0;", "setp.eq.u32 %p1|%p2, %r1;", "elect.sync %r1, 0, -1;"}) {
    expect_fault(DiagnosticKind::kUnsupported, "operands", run_body(body));
  }
}

TEST(Faults, AModifierThatIsNotHonouredIsUnsupported) {
  expect_fault(DiagnosticKind::kUnsupported, "'ld.global.L1::evict_whatever.u32'",
               run_body("ld.global.L1::evict_whatever.u32 %r1, [%rd2];"));
}

TEST(Decoder, EveryFormThatItLacksIsToldOnceWithItsPtxLine) {
  const auto run = run_body(
      ".loc 1 5 1\nmul.u32 %r1, %r2, %r3;\n.loc 1 6 1\nadd.f32 %f1, %f2, %f3;\n"
      ".loc 1 7 1\ncvt.s32.f32 %r1, %f1;");
  ASSERT_EQ(2U, run.result.diagnostics.size());
  EXPECT_EQ(5U, run.result.diagnostics[0].where.line);
  EXPECT_EQ(7U, run.result.diagnostics[1].where.line);
  EXPECT_THAT(run.result.diagnostics[1].message, HasSubstr("does not execute this form of 'cvt'"));
  EXPECT_THAT(run.result.diagnostics[1].message, HasSubstr("PTX line "));
}

TEST(Decoder, NothingRunsWhereAFormIsLacking) {
  const auto run = run_body("st.global.u64 [%rd1], %rd2; mul.u32 %r1, %r2, %r3;");
  EXPECT_EQ(0U, run.out[0]);
  EXPECT_TRUE(run.result.instructions.empty());
}

TEST(Decoder, ABodyMayEndWithoutARet) {
  // run_ptx() adds a ret; behind a label that is jumped over, nothing but it is left.
  expect_clean(run_body("bra $end; mov.u32 %r1, 1; $end:"));
}

TEST(Decoder, BlocksInAnyOrderGoWhereTheTextSays) {
  const auto run = run_body(
      "mov.u64 %rd5, 1; bra $third; $second: add.u64 %rd5, %rd5, %rd5; bra $store;"
      "$third: add.u64 %rd5, %rd5, 10; bra $second; $store: st.global.u64 [%rd1], %rd5;");
  expect_clean(run);
  EXPECT_EQ(22U, run.out[0]);
}

}  // namespace decoder_test
}  // namespace warpgrade::sim
