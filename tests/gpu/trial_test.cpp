// SPDX-License-Identifier: Apache-2.0
// One timed launch with a fake driver: what is done around it, and what comes of each cheat.
#include "common/gpu/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "trial_fixture.h"

namespace warpgrade::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(TrialTest, ARightLaunchMatchesAndIsTimedByBothClocks) {
  const auto trial = run();
  EXPECT_TRUE(trial.diagnostics.empty());
  EXPECT_TRUE(trial.matches);
  EXPECT_TRUE(trial.buffers.empty());
  EXPECT_NEAR(1e-4, trial.timing.seconds, 3e-6);
  EXPECT_GE(trial.timing.host_seconds, trial.timing.seconds);
  EXPECT_EQ("", contradiction(trial.timing));
}

TEST_F(TrialTest, EachContentHasItsOwnResult) {
  auto trials = runner();
  EXPECT_TRUE(trials->run(0, 0).matches);
  EXPECT_TRUE(trials->renew(false, 1));
  EXPECT_TRUE(trials->run(0, 1).matches);
  // A kernel that has learnt one result by heart.
  fake().kernels["copy"] = [](void** arguments) {
    for (int i = 0; i < 4; ++i) pointer(arguments, 0)[i] = static_cast<float>(i + 1);
  };
  auto learnt = runner();
  EXPECT_TRUE(learnt->run(0, 0).matches);
  EXPECT_FALSE(learnt->run(0, 1).matches);
}

TEST_F(TrialTest, AWrongResultIsReadBackAndTheRightOneCanBe) {
  fake().kernels["copy"] = [](void** arguments) { pointer(arguments, 0)[2] = 9; };
  auto trials = runner();
  const auto trial = trials->run(0, 1);
  EXPECT_TRUE(trial.diagnostics.empty());
  EXPECT_FALSE(trial.matches);
  ASSERT_EQ(2U, trial.buffers.size());
  EXPECT_EQ(bytes_of({-1, -1, 9, -1}), trial.buffers[0].bytes);
  EXPECT_TRUE(trial.buffers[1].bytes.empty());
  const auto expected = trials->expected(0, 1);
  ASSERT_EQ(2U, expected.size());
  EXPECT_EQ(bytes_of({3, 4, 1, 2}), expected[0].bytes);
  EXPECT_TRUE(expected[1].bytes.empty());
}

TEST_F(TrialTest, AKernelThatWorksOnlyTheFirstTimeIsFoundAtTheSecond) {
  fake().kernels["copy"] = [](void** arguments) {
    static int launches = 0;
    if (++launches == 1) std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
  };
  auto trials = runner();
  EXPECT_TRUE(trials->run(0, 0).matches);
  EXPECT_FALSE(trials->run(0, 0).matches);
}

TEST_F(TrialTest, AWriteToAnInputIsFound) {
  fake().kernels["copy"] = [](void** arguments) {
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    pointer(arguments, 1)[3] = 0;
  };
  const auto trial = run();
  ASSERT_EQ(1U, trial.diagnostics.size());
  EXPECT_EQ("the kernel copy wrote to its input in, first at element 3",
            trial.diagnostics[0].message);
}

TEST_F(TrialTest, AWritePastABufferIsFound) {
  fake().kernels["copy"] = [](void** arguments) {
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    pointer(arguments, 0)[5] = 1;
  };
  const auto trial = run();
  ASSERT_EQ(1U, trial.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, trial.diagnostics[0].kind);
}

TEST_F(TrialTest, FlushAndFillsAreOutsideOfTheWindowAndOurKernelComesAfterTheStudentsIsGone) {
  ASSERT_TRUE(run_here().matches);
  std::vector<std::string> calls;
  for (const auto& call : fake().calls) {
    const bool wanted = call == "fill" || call == "event_record" || call == "launch_kernel" ||
                        call == "module_load_data" || call == "module_unload" ||
                        call == "reset_persisting_l2";
    if (wanted) calls.push_back(call);
  }
  calls.resize(11);
  EXPECT_THAT(calls, ElementsAre("module_load_data", "reset_persisting_l2", "fill", "event_record",
                                 "launch_kernel", "event_record", "module_unload",
                                 "module_load_data", "fill", "event_record", "launch_kernel"));
}

TEST_F(TrialTest, SharedMemoryIsOverwrittenWhenAKernelHasRun) {
  static std::vector<std::string> order;
  order.clear();
  fake().kernels["copy"] = [](void** arguments) {
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    order.emplace_back("copy");
  };
  fake().kernels[kOverwriteSharedKernel] = [](void** arguments) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, arguments[0], sizeof(bytes));
    order.push_back("overwrite " + std::to_string(bytes));
  };
  ASSERT_TRUE(run_here(2).matches);
  const std::vector<std::string> both = {"overwrite 232448", "overwrite 0"};
  std::vector<std::string> expected;
  for (const char* kernel : {"", "", "copy", "copy"}) {  // First what is right of two contents.
    if (*kernel != '\0') expected.emplace_back(kernel);
    expected.insert(expected.end(), both.begin(), both.end());
  }
  EXPECT_EQ(expected, order);
}

TEST(CanKeepState, OnlyHeapAndLocalMemoryOutliveALaunch) {
  EXPECT_FALSE(can_keep_state(".visible .entry k() { .shared .b8 s[4]; ret; }"));
  EXPECT_TRUE(can_keep_state(".entry k() { .local .align 4 .b8 __local_depot0[64]; ret; }"));
  EXPECT_TRUE(can_keep_state(".extern .func (.param .b64 r) malloc (.param .b64 n);"));
}

TEST_F(TrialTest, AFaultLosesTheDeviceAndIsTheKernels) {
  fake().kernels["copy"] = [](void**) { fake().failures["event_query"] = 700; };
  auto trials = runner();
  const auto trial = trials->run(0, 0);
  ASSERT_EQ(1U, trial.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, trial.diagnostics[0].kind);
  EXPECT_TRUE(trial.device_lost);
  EXPECT_THROW(trials->run(0, 0), base::ToolError);
  EXPECT_TRUE(fake().failures.empty());  // It was another process.
}

TEST_F(TrialTest, AKernelWithoutEndIsARunaway) {
  fake().kernels["copy"] = [](void**) { fake().never_ends = true; };
  const auto trial = run();
  ASSERT_EQ(1U, trial.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRunaway, trial.diagnostics[0].kind);
  EXPECT_TRUE(trial.device_lost);
}

TEST_F(TrialTest, WhatAKernelPrintsComesBack) {
  fake().kernels["copy"] = [](void**) { std::printf("hello\n"); };
  EXPECT_EQ("hello\n", run().printed);
}

TEST_F(TrialTest, ALaunchThatDoesNotFitIsUsage) {
  subject_.launch.block = {4096, 1, 1};
  EXPECT_THROW(run(), base::UsageError);
}

TEST_F(TrialTest, EventsThatSayMoreThanTheHostWaitedAreAContradiction) {
  fake().event_scale = 1.5;
  EXPECT_THAT(contradiction(run().timing), HasSubstr("the device says that a launch took 0.00015"));
}

TEST_F(TrialTest, RenewingLeavesNothing) {
  auto trials = runner();
  EXPECT_TRUE(trials->renew(true, 0));
  EXPECT_TRUE(trials->run(0, 1).matches);
  platform_.driver.context_reset = nullptr;
  EXPECT_FALSE(runner()->renew(true, 0));
}

TEST_F(TrialTest, ConditionsAreThoseOfTheCard) {
  fake().sm_mhz = 1410;
  fake().clock_reasons = 0x20;
  fake().processes = {1};  // init: no sibling of a test.
  const auto trial = run();
  EXPECT_TRUE(trial.conditions.known);
  EXPECT_EQ(1410U, trial.conditions.sm_mhz);
  EXPECT_TRUE(is_slowed_down(trial.conditions));
  EXPECT_EQ("it is too hot (by the driver's limit)", slowdown_text(trial.conditions));
  EXPECT_EQ(1U, trial.conditions.other_processes);
  platform_.nvml.reset();
  EXPECT_FALSE(run().conditions.known);
}

TEST(Timing, TheHostMayWaitABitLongerButNotLess) {
  EXPECT_EQ("", contradiction({1e-4, 1e-4}));
  EXPECT_EQ("", contradiction({1e-4, 1.0}));
  EXPECT_NE("", contradiction({1.1e-4, 1e-4}));
  EXPECT_FALSE(is_disturbed({1e-4, 1e-3}));
  EXPECT_TRUE(is_disturbed({1e-4, 1e-2}));
  EXPECT_FALSE(is_disturbed({1.0, 1.9}));
}

}  // namespace
}  // namespace warpgrade::gpu
