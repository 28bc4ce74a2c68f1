// SPDX-License-Identifier: Apache-2.0
// The local memory that a chain of calls needs, and the calls that are refused. exec/call_test.cpp
// tests the effects of calls.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/base/counted.h"
#include "common/base/error.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::call_decoder_test {

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

}  // namespace warpgrade::sim::call_decoder_test
