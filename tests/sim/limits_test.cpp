// SPDX-License-Identifier: Apache-2.0
// Limits on the time, memory and call depth that a program may use on the host. Past a limit a
// message appears soon.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/base/finding_text.h"
#include "common/sim/memory/heap.h"
#include "common/sim/micro_op.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::limits_test {

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
  EXPECT_THAT(base::text(run.result.diagnostics[0]), HasSubstr(message));
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
  launch.options.block_budget = 10'000;  // a block needs a little more than 3,000
  EXPECT_TRUE(run_ptx(launch).result.diagnostics.empty());
  launch.options.launch_budget = 200'000;
  for (const std::uint32_t threads : {1U, 2U, 7U}) {
    launch.options.threads = threads;
    expect_runaway("the launch did not finish within 200,000 units of work", launch);
  }
}

// The driver refuses such a launch, too: CUDA_ERROR_INVALID_VALUE.
TEST(Limits, ABlockHasNoMoreThreadsThanItsLaunchBoundsAllow) {
  PtxLaunch launch;
  launch.attributes = ".maxntid 8, 4 .minnctapersm 2";
  launch.threads = 32;
  EXPECT_EQ("no error", error_of<base::UsageError>(launch));
  launch.threads = 33;
  EXPECT_EQ("a block has 33 threads, but its __launch_bounds__ allow 32 at most",
            error_of<base::UsageError>(launch));
}

// The kernel has no backward branch, at which the budget would be checked.
TEST(Limits, WhatPrintfTakesCountsAgainstTheBudget) {
  PtxLaunch launch;
  launch.before = kPrintf;
  launch.body = "mov.u64 %rd3, wide;";
  for (int i = 0; i < 400; ++i) launch.body += kCallPrintf;
  launch.options.block_budget = 100'000;  // 400 * 32 * 4,096 bytes are 52 million
  expect_runaway("100,000 units of work", launch);
}

TEST(Limits, ForgettingWhatIsWrittenOfLocalMemoryCountsAgainstTheBudget) {
  PtxLaunch launch;
  launch.threads = 1024;
  launch.body = ".local .align 8 .b8 much[400000]; mov.u64 %rd5, much; st.local.u64 [%rd5], 1;";
  EXPECT_TRUE(run_ptx(launch).result.diagnostics.empty());
  launch.options.launch_budget = 100'000;  // 1024 * 400,000 bits are 800,000 * 64 bytes
  expect_runaway("the launch did not finish within 100,000 units of work", launch);
}

class Silent final : public run::Observer {
 public:
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Silent>(); }
  void join(Observer& /*other*/) override {}
};

// A loop that executes `body` `rounds` times.
std::string loop(const std::string& body, int rounds) {
  return fmt::format(
      "mov.u32 %r1, 0; $l: {} add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, {}; @%p1 bra $l;", body,
      rounds);
}

std::uint64_t work_of(PtxLaunch launch, bool is_observed = false) {
  Silent observer;
  if (is_observed) launch.options.observers = {&observer};
  const auto run = run_ptx(launch);
  EXPECT_TRUE(run.result.diagnostics.empty());
  return run.result.work;
}

TEST(Limits, AccessesThatAreObservedCountForMoreTheMoreTheyScatter) {
  PtxLaunch launch;
  launch.body = loop("ld.global.u64 %rd3, [%rd1];", 1000);
  const auto alone = work_of(launch);
  const auto row = work_of(launch, true);
  EXPECT_EQ(alone + 1000 * kRequestWork, row);
  // Lane i loads the word of lane i * i mod 32, so the addresses have no stride.
  launch.body =
      "mov.u32 %r2, %laneid; mul.lo.u32 %r3, %r2, %r2; and.b32 %r3, %r3, 31;"
      "sub.s32 %r3, %r3, %r2; mad.wide.s32 %rd1, %r3, 8, %rd1;" +
      loop("ld.global.u64 %rd3, [%rd1];", 1000);
  EXPECT_LE(row + 32 * 1000 * kScatteredLaneWork, work_of(launch, true));
}

TEST(Limits, AnEndlessLoopOverMemoryEndsSoonerThanOneOfArithmetic) {
  Silent observer;
  PtxLaunch launch;
  launch.options.block_budget = 1'000'000;
  launch.options.observers = {&observer};
  const auto executed_by = [&](const std::string& body) {
    launch.body = "$l: " + body + " bra $l;";
    const auto run = run_ptx(launch);
    expect_fault(DiagnosticKind::kRunaway, "1,000,000 units of work", run);
    return executed(run);
  };
  EXPECT_LT(10 * executed_by("ld.volatile.global.u64 %rd3, [%rd1];"),
            executed_by("add.u32 %r1, %r1, 1;"));
}

TEST(Limits, HalfPrecisionCountsForMoreByTheNumbersThatItRounds) {
  PtxLaunch launch;
  const std::string registers = "mov.u32 %r2, 0; cvt.u16.u32 %h1, %r2; ";
  const auto added = [&](const std::string& instruction) {
    launch.body = registers + loop(instruction, 1000);
    const auto with = work_of(launch);
    launch.body = registers + loop("", 1000);
    return with - work_of(launch);
  };
  EXPECT_EQ(1000 * (1 + kHalfWork), added("fma.rn.f16 %h1, %h1, %h1, %h1;"));
  EXPECT_EQ(1000 * (1 + 2 * kHalfWork), added("fma.rn.f16x2 %r2, %r2, %r2, %r2;"));
  EXPECT_EQ(1000 * (1 + 2 * kHalfTanhWork), added("tanh.approx.f16x2 %r2, %r2;"));
  EXPECT_EQ(1000 * (1 + kHalfConversionWork), added("cvt.rn.f16.f32 %h1, %f1;"));
  EXPECT_EQ(1000 * (1 + 2 * kHalfConversionWork), added("cvt.rn.f16x2.f32 %r2, %f1, %f1;"));
}

// The limit is checked within a basic block, not only at the end of a loop iteration.
TEST(Limits, AccessesWithoutABranchBackwardsAreStopped) {
  Silent observer;
  PtxLaunch launch;
  launch.options.block_budget = 1000;
  launch.options.observers = {&observer};
  for (int i = 0; i < 1000; ++i) launch.body += "ld.global.u64 %rd3, [%rd1];";
  const auto run = run_ptx(launch);
  expect_fault(DiagnosticKind::kRunaway, "1,000 units of work", run);
  EXPECT_GT(40U, executed(run));  // 1000 / (1 + kRequestWork), plus those before the loads
}

class Costly final : public run::Observer {
 public:
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Costly>(); }
  void join(Observer& /*other*/) override {}
  bool wants_instructions() const override { return true; }
  std::uint64_t on_instruction(std::uint32_t /*warp*/, std::uint32_t /*instruction*/) override {
    return 1000;
  }
};

TEST(Limits, WhatAnObserverDoesForAnInstructionCounts) {
  Costly observer;
  PtxLaunch launch;
  launch.options.block_budget = 100'000;
  launch.options.observers = {&observer};
  launch.body = "$l: add.u32 %r1, %r1, 1; bra $l;";
  const auto run = run_ptx(launch);
  expect_fault(DiagnosticKind::kRunaway, "100,000 units of work", run);
  EXPECT_EQ(101U, executed(run));
}

TEST(Limits, InstructionsThatAPredicateTurnsOffCount) {
  PtxLaunch launch;
  launch.body = "setp.ne.u32 %p2, 0, 0;";
  std::string body;
  for (int i = 0; i < 100; ++i) body += "@%p2 add.u32 %r2, %r2, 1;";
  launch.body += loop(body, 100);
  EXPECT_LE(100U * 100U, work_of(launch));
}

TEST(Limits, EveryCallOfPrintfCountsHoweverShortItsText) {
  PtxLaunch launch;
  launch.before = kPrintf;
  launch.before.replace(launch.before.find("{37,"), std::string::npos, "{10, 0, 0, 0, 0, 0, 0};\n");
  launch.body = "mov.u64 %rd3, wide;" + loop(kCallPrintf, 100);
  EXPECT_LE(100 * 32 * kPrintWork, work_of(launch));
}

TEST(Limits, PiecesOfTheHeapCountByTheAddressesThatTheyTake) {
  PtxLaunch launch;
  launch.before =
      ".extern .func (.param .b64 r) malloc(.param .b64 n);\n"
      ".extern .func free(.param .b64 p);\n";
  launch.body = loop(
      "{ .param .b64 n; .param .b64 r; st.param.b64 [n], 16; call (r), malloc, (n);"
      "ld.param.b64 %rd3, [r]; }"
      "{ .param .b64 p; st.param.b64 [p], %rd3; call free, (p); }",
      10);
  EXPECT_LE(10 * 32 * (2 * kHeapWork + Heap::kGap / kHeapBytesPerUnit), work_of(launch));
}

TEST(Limits, AClockCountsByTheInstructionsThatItAddsUp) {
  PtxLaunch launch;
  launch.body = "bra $start;";
  for (int i = 0; i < 8000; ++i) launch.body += "add.u32 %r2, %r2, 1;";
  launch.body += "$start: " + loop("mov.u32 %r3, %clock;", 100);
  EXPECT_LE(100 * 8000 / kCountsPerUnit, work_of(launch));
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
  EXPECT_THAT(base::text(run.result.diagnostics[0]), HasSubstr("stack overflow"));
}

TEST(Limits, AFunctionOfTheSystemTakesWhatItTakes) {
  PtxLaunch launch;
  launch.before = ".extern .func (.param .b64 r) malloc();";
  launch.body = "{ .param .b64 r; call (r), malloc; }";
  const auto run = run_ptx(launch);
  ASSERT_EQ(1U, run.result.diagnostics.size());
  EXPECT_EQ(DiagnosticKind::kUnsupported, run.result.diagnostics[0].kind);
  EXPECT_THAT(base::text(run.result.diagnostics[0]), HasSubstr("the target 'malloc'"));
}

}  // namespace warpgrade::sim::limits_test
