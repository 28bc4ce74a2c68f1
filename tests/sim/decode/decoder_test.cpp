// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::decoder_test {

// The local memory that a chain of calls needs, and the calls that are refused.
// exec/control_test.cpp tests the effects of calls.

using base::DiagnosticKind;

// A function with `bytes` of local memory that executes `calls`.
std::string function(const std::string& name, int bytes, const std::string& calls = {}) {
  return fmt::format(
      ".func {0}() {{ .reg .b64 %rd<4>; .local .align 16 .b8 own[{1}]; mov.u64 %rd1, own;\n"
      "st.local.u8 [%rd1], 1; {2} ret; }}\n",
      name, bytes, calls);
}

// Expects that the message about an access far past the thread's local memory names this size.
void expect_local_bytes(std::uint32_t bytes, const std::string& functions,
                        const std::string& calls) {
  PtxLaunch launch;
  launch.before = functions;
  launch.body = calls + " mov.u64 %rd5, 0; mov.u64 %rd6, 16777216; ld.local.u8 %r1, [%rd6];";
  expect_fault(DiagnosticKind::kOutOfBounds,
               fmt::format("local arrays, which have {} bytes together", base::grouped(bytes)),
               run_ptx(launch));
}

TEST(StackBytes, AreThoseOfTheDeepestChain) {
  const auto leaves = function("a", 32) + function("b", 64);
  expect_local_bytes(32, function("a", 32), "call a;");
  expect_local_bytes(64, leaves, "call a; call b;");  // one after the other
  expect_local_bytes(16 + 64, leaves + function("c", 16, "call a; call b;"), "call c; call a;");
}

TEST(StackBytes, AnUnusedFunctionTakesNone) {
  expect_local_bytes(32, function("a", 32) + function("b", 4096), "call a;");
}

TEST(StackBytes, ARecursionGetsAWholeStack) {
  expect_local_bytes(64 * 1024, ".func a();\n" + function("a", 32, "call a; "),
                     "setp.ne.u32 %p1, %r29, %r29; @%p1 call a;");
}

TEST(Calls, OfAKernelOrWithOtherArgumentsAreRefused) {
  PtxLaunch launch;
  launch.before = ".func (.param .b32 r) f(.param .b32 x) { ret; }\n";
  launch.body = "{ .param .b32 r; call (r), f; }";
  expect_fault(DiagnosticKind::kUnsupported, "a call with another number of arguments",
               run_ptx(launch));
}

TEST(Arguments, OutsideTheirVariableAreRefused) {
  PtxLaunch launch;
  launch.body = "{ .param .b32 x; st.param.b64 [x], %rd1; }";
  expect_fault(DiagnosticKind::kUnsupported, "a place outside the variable", run_ptx(launch));
  launch.body = "{ .param .b32 x; st.param.b16 [x+3], %h1; }";
  expect_fault(DiagnosticKind::kUnsupported, "a place outside the variable", run_ptx(launch));
}

TEST(Arguments, PassThroughVariablesByteByByte) {
  PtxLaunch launch;
  launch.body =
      "{ .param .align 8 .b8 x[8]; st.param.v2.b16 [x+4], {1, 2}; st.param.b32 [x], 3;"
      "ld.param.b64 %rd5, [x]; } st.global.u64 [%rd1], %rd5;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_EQ(0x0002000100000003U, run.out[0]);
}

// A form that the simulator lacks is reported with its line, but only if a thread executes it.
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

TEST(Decoder, TheFormThatItLacksIsReportedWithItsPtxLine) {
  const auto run = run_body(
      ".loc 1 5 1\nadd.f32 %f1, %f2, %f3;\n.loc 1 6 1\nmul.u32 %r1, %r2, %r3;\n"
      ".loc 1 7 1\ncvt.s32.f32 %r1, %f1;");
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(6U, run.result.diagnostics[0].where.line);
  EXPECT_THAT(base::text(run.result.diagnostics[0]),
              HasSubstr("does not execute this form of 'mul'"));
  EXPECT_THAT(base::text(run.result.diagnostics[0]), HasSubstr("PTX line "));
}

TEST(Decoder, WhatIsInFrontOfARefusedFormRuns) {
  const auto run = run_body("st.global.u64 [%rd1], 7; mul.u32 %r1, %r2, %r3;");
  EXPECT_EQ(7U, run.out[0]);
  expect_fault(DiagnosticKind::kUnsupported, "this form of 'mul'", run);
}

// Instructions from each of the five places that refuse one: a row, a form, an address, a special
// register, the decoder.
TEST(Decoder, ARefusedInstructionMattersOnlyIfItIsExecuted) {
  for (const auto* refused :
       {"setmaxnreg.inc.sync.aligned.u32 232;", "ld.global.L1::evict_whatever.u32 %r1, [%rd2];",
        "ld.global.u32 %r1, [%rd1, %rd2];", "mov.u32 %r1, %frobnicate;", "mul.u32 %r1, %r2, %r3;",
        "frobnicate.u32 %r1;"}) {
    const auto text = std::string(refused);
    const auto skipped =
        run_body("setp.ne.u32 %p1, 0, 0; @%p1 " + text + " @%p1 bra $bad; bra $end; $bad: " + text +
                 " $end: st.global.u64 [%rd1], 5;");
    expect_clean(skipped);
    EXPECT_EQ(5U, skipped.out[0]) << text;
    EXPECT_EQ(DiagnosticKind::kUnsupported,
              run_body("setp.eq.u32 %p1, 0, 0; @%p1 " + text).result.diagnostics.at(0).kind);
  }
}

TEST(Decoder, TheReservedSharedMemoryCanBeReadAndWritten) {
  const auto run = run_body(
      "mov.u32 %r1, %reserved_smem_offset_1; st.shared.u32 [%r1+284], 9;"
      "ld.shared.u32 %r2, [%r1+284]; cvt.u64.u32 %rd2, %r2; st.global.u64 [%rd1], %rd2;");
  expect_clean(run);
  EXPECT_EQ(9U, run.out[0]);
}

// The reserved memory is outside the kernel's own: an array does not overlap it, and it adds
// nothing to the kernel's size.
TEST(Decoder, TheReservedSharedMemoryIsCountedForNoKernel) {
  PtxLaunch launch;
  launch.before = ".shared .align 4 .b8 own[8];";
  launch.body =
      "mov.u32 %r1, %reserved_smem_offset_1; st.shared.u32 [%r1], 9; mov.u32 %r2, own;"
      "st.shared.u32 [%r2], 4; ld.shared.u32 %r3, [%r1]; mov.u32 %r4, %total_smem_size;"
      "mad.lo.u32 %r3, %r4, 256, %r3; cvt.u64.u32 %rd2, %r3; st.global.u64 [%rd1], %rd2;";
  const auto run = run_ptx(launch);
  expect_clean(run);
  EXPECT_EQ(256U * 8 + 9, run.out[0]);
}

TEST(Decoder, ABodyMayEndWithoutARet) {
  // Only the ret that run_ptx() adds follows the label.
  expect_clean(run_body("bra $end; mov.u32 %r1, 1; $end:"));
}

TEST(Decoder, BlocksInAnyOrderGoWhereTheTextSays) {
  const auto run = run_body(
      "mov.u64 %rd5, 1; bra $third; $second: add.u64 %rd5, %rd5, %rd5; bra $store;"
      "$third: add.u64 %rd5, %rd5, 10; bra $second; $store: st.global.u64 [%rd1], %rd5;");
  expect_clean(run);
  EXPECT_EQ(22U, run.out[0]);
}

}  // namespace warpgrade::sim::decoder_test
