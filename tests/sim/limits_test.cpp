// SPDX-License-Identifier: Apache-2.0
// A program may ask so much of the host: time, memory, depth. Past a limit there is a message,
// soon.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim {
namespace limits_test {

using base::DiagnosticKind;
using testing::HasSubstr;

template <class Error>
std::string error_of(const PtxLaunch& launch) {
  try {
    run_ptx(launch);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_runaway(const std::string& message, const PtxLaunch& launch) {
  const auto run = run_ptx(launch);
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(DiagnosticKind::kRunaway, run.result.diagnostics[0].kind);
  EXPECT_THAT(run.result.diagnostics[0].message, HasSubstr(message));
}

const std::string kPrintf =
    ".extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 arguments);\n"
    ".global .align 1 .b8 wide[7] = {37, 52, 48, 57, 54, 100, 0};\n";  // "%4096d"
const std::string kCallPrintf =
    "{ .param .b64 a; .param .b64 b; .param .b32 r; st.param.b64 [a], %rd3; st.param.b64 [b], %rd2;"
    "call (r), vprintf, (a, b); }";

TEST(Limits, BlocksTogetherMayNotExecuteMoreThanTheLaunchsBudget) {
  PtxLaunch launch;
  launch.blocks = 100;
  launch.body = "mov.u32 %r1, 0; $l: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 1000; @%p1 bra $l;";
  launch.options.instruction_budget = 10'000;  // a block needs 3,000 and some
  EXPECT_TRUE(run_ptx(launch).result.diagnostics.empty());
  launch.options.launch_budget = 200'000;
  for (const std::uint32_t threads : {1U, 2U, 7U}) {
    launch.options.threads = threads;
    expect_runaway("200000 warp instructions together", launch);
  }
}

// The driver refuses it, too: CUDA_ERROR_INVALID_VALUE.
TEST(Limits, ABlockHasNoMoreThreadsThanItsLaunchBoundsAllow) {
  PtxLaunch launch;
  launch.attributes = ".maxntid 8, 4 .minnctapersm 2";
  launch.threads = 32;
  EXPECT_EQ("no error", error_of<base::UsageError>(launch));
  launch.threads = 33;
  EXPECT_EQ("a block has 33 threads, but its __launch_bounds__ allow 32 at most",
            error_of<base::UsageError>(launch));
}

// Without a branch backwards that would let the budget be looked at.
TEST(Limits, WhatPrintfTakesCountsAgainstTheBudget) {
  PtxLaunch launch;
  launch.before = kPrintf;
  launch.body = "mov.u64 %rd3, wide;";
  for (int i = 0; i < 400; ++i) launch.body += kCallPrintf;
  launch.options.instruction_budget = 100'000;  // 400 * 32 * 4,096 bytes are 6,500,000
  expect_runaway("100000 warp instructions", launch);
}

TEST(Limits, ForgettingWhatIsWrittenOfLocalMemoryCountsAgainstTheBudget) {
  PtxLaunch launch;
  launch.threads = 1024;
  launch.body = ".local .align 8 .b8 much[400000]; mov.u64 %rd5, much; st.local.u64 [%rd5], 1;";
  EXPECT_TRUE(run_ptx(launch).result.diagnostics.empty());
  launch.options.launch_budget = 100'000;  // 1024 * 400,000 bits are 200,000 * 256 bytes
  expect_runaway("100000 warp instructions together", launch);
}

TEST(Limits, VariablesThatNoHostHasRoomFor) {
  PtxLaunch launch;
  launch.before = ".global .align 8 .b8 huge[1099511627776];";
  EXPECT_THAT(error_of<base::UsageError>(launch),
              HasSubstr("the simulator has room for 1073741824"));
  launch.before = ".shared .align 8 .b8 huge[4294967297];";
  EXPECT_THAT(error_of<base::ToolError>(launch), HasSubstr("variable 'huge' finds no room"));
  launch.before = ".extern .shared .align 8 .b8 dynamic[];";
  launch.body = ".local .align 8 .b8 huge[1099511627776];";
  EXPECT_THAT(error_of<base::ToolError>(launch), HasSubstr("variable 'huge' finds no room"));
}

TEST(Limits, AVariableThatIsNeverTouchedTakesNoMemory) {
  PtxLaunch launch;
  launch.before = ".global .align 8 .b8 large[1000000000];";
  launch.body =
      "mov.u64 %rd5, large; ld.global.u64 %rd6, [%rd5+999999992]; st.global.u64 [%rd1], %rd6;";
  EXPECT_EQ(0U, run_ptx(launch).out[0]);
}

TEST(Limits, ARegisterThatIsNeverUsedTakesNoMemory) {
  PtxLaunch launch;
  launch.threads = 1024;  // 1,900,000 registers of 8 bytes would be 16 GB
  launch.body =
      "{ .reg .b64 %big<1900000>; mov.u64 %big1899999, 7; st.global.u64 [%rd1], %big1899999; }";
  EXPECT_EQ(7U, run_ptx(launch).out[1023]);
}

TEST(Limits, AChainOfCallsThatIsDeeperThanAnyMayBe) {
  PtxLaunch launch;
  constexpr int kFunctions = 5000;
  for (int i = 0; i < kFunctions; ++i) launch.before += fmt::format(".func f{}();\n", i);
  for (int i = 0; i + 1 < kFunctions; ++i) {
    launch.before += fmt::format(".func f{}() {{ call f{}; ret; }}\n", i, i + 1);
  }
  launch.before += fmt::format(".func f{}() {{ ret; }}\n", kFunctions - 1);
  launch.body = "call f0;";
  const auto run = run_ptx(launch);
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_THAT(run.result.diagnostics[0].message, HasSubstr("stack overflow"));
}

TEST(Limits, AFunctionOfTheSystemTakesWhatItTakes) {
  PtxLaunch launch;
  launch.before = ".extern .func (.param .b64 r) malloc();";
  launch.body = "{ .param .b64 r; call (r), malloc; }";
  const auto run = run_ptx(launch);
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(DiagnosticKind::kUnsupported, run.result.diagnostics[0].kind);
  EXPECT_THAT(run.result.diagnostics[0].message, HasSubstr("the target 'malloc'"));
}

}  // namespace limits_test
}  // namespace warpgrade::sim
