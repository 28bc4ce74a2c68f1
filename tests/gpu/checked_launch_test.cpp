// SPDX-License-Identifier: Apache-2.0
// One timed launch with a fake driver: the calls around it, and the result of each cheat.
#include "common/gpu/checked_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "checked_launch_fixture.h"
#include "common/base/finding_text.h"

namespace warpgrade::gpu::checked_launch_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(CheckedLaunchTest, ARightLaunchMatchesAndIsTimedByBothClocks) {
  const auto launch = run();
  EXPECT_TRUE(launch.diagnostics.empty());
  EXPECT_TRUE(launch.matches);
  EXPECT_TRUE(launch.buffers.empty());
  EXPECT_NEAR(1e-4, launch.timing.seconds, 3e-6);
  EXPECT_GE(launch.timing.host_seconds, launch.timing.seconds);
  EXPECT_EQ("", contradiction(launch.timing));
}

TEST_F(CheckedLaunchTest, EachContentHasItsOwnResult) {
  auto launches = runner();
  EXPECT_TRUE(launches->run(0, 0).matches);
  EXPECT_TRUE(launches->renew(false, 1));
  EXPECT_TRUE(launches->run(0, 1).matches);
  // A kernel that has memorized one result.
  fake().kernels["copy"] = [](void** arguments) {
    for (int i = 0; i < 4; ++i) pointer(arguments, 0)[i] = static_cast<float>(i + 1);
  };
  auto learnt = runner();
  EXPECT_TRUE(learnt->run(0, 0).matches);
  EXPECT_FALSE(learnt->run(0, 1).matches);
}

TEST_F(CheckedLaunchTest, AWrongResultIsReadBackAndTheRightOneCanBe) {
  fake().kernels["copy"] = [](void** arguments) { pointer(arguments, 0)[2] = 9; };
  auto launches = runner();
  const auto launch = launches->run(0, 1);
  EXPECT_TRUE(launch.diagnostics.empty());
  EXPECT_FALSE(launch.matches);
  ASSERT_EQ(2U, launch.buffers.size());
  EXPECT_EQ(bytes_of({-1, -1, 9, -1}), launch.buffers[0].bytes);
  EXPECT_TRUE(launch.buffers[1].bytes.empty());
  const auto expected = launches->expected(0, 1);
  ASSERT_EQ(2U, expected.size());
  EXPECT_EQ(bytes_of({3, 4, 1, 2}), expected[0].bytes);
  EXPECT_TRUE(expected[1].bytes.empty());
}

TEST_F(CheckedLaunchTest, AKernelThatWorksOnlyTheFirstTimeIsFoundAtTheSecond) {
  fake().kernels["copy"] = [](void** arguments) {
    static int launches = 0;
    if (++launches == 1) std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
  };
  auto launches = runner();
  EXPECT_TRUE(launches->run(0, 0).matches);
  EXPECT_FALSE(launches->run(0, 0).matches);
}

// The kernel computes out = in + 1. At first a second launch follows, with the two buffers
// exchanged. Then the second launch goes, and the buffers change places after each launch.
TEST_F(CheckedLaunchTest, BuffersThatHaveChangedPlacesAreComparedByName) {
  fake().kernels["copy"] = [](void** arguments) {
    for (int i = 0; i < 4; ++i) pointer(arguments, 0)[i] = pointer(arguments, 1)[i] + 1;
  };
  program_.before[0].is_compared = false;
  program_.before[1].read_only = false;
  program_.make_expected = [](Session& /*session*/, const DeviceBuffers& memory) {
    memory[1]->write(bytes_of({3, 4, 5, 6}));
  };
  program_.contents = {{0, 0}};
  auto second = program_.sequence.first();
  second.arguments = {run::BufferArgument{1}, run::BufferArgument{0}};
  program_.sequence.launches.push_back(second);
  EXPECT_TRUE(run().matches);

  program_.sequence.launches.pop_back();
  program_.sequence.places = {1, 0};
  EXPECT_FALSE(run().matches);  // one step too few ...
  program_.make_expected = [](Session& /*session*/, const DeviceBuffers& memory) {
    memory[1]->write(bytes_of({2, 3, 4, 5}));
  };
  EXPECT_TRUE(run().matches);  // ... and found in the other buffer
  program_.sequence.places.clear();
  EXPECT_FALSE(run().matches);
}

TEST_F(CheckedLaunchTest, AWriteToAnInputIsFound) {
  fake().kernels["copy"] = [](void** arguments) {
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    pointer(arguments, 1)[3] = 0;
  };
  const auto launch = run();
  ASSERT_EQ(1U, launch.diagnostics.size());
  EXPECT_EQ("the kernel copy wrote to its input in, first at element 3",
            base::text(launch.diagnostics[0]));
}

TEST_F(CheckedLaunchTest, AWritePastABufferIsFound) {
  fake().kernels["copy"] = [](void** arguments) {
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    pointer(arguments, 0)[5] = 1;
  };
  const auto launch = run();
  ASSERT_EQ(1U, launch.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, launch.diagnostics[0].kind);
}

TEST_F(CheckedLaunchTest,
       FlushAndFillsAreOutsideOfTheWindowAndOurKernelComesAfterTheStudentsIsGone) {
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

TEST_F(CheckedLaunchTest, SharedMemoryIsOverwrittenWhenAKernelHasRun) {
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
  for (const char* kernel : {"", "", "copy", "copy"}) {  // First both expected results.
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

TEST_F(CheckedLaunchTest, AFaultLosesTheDeviceAndIsTheKernels) {
  fake().kernels["copy"] = [](void**) { fake().failures["event_query"] = 700; };
  auto launches = runner();
  const auto launch = launches->run(0, 0);
  ASSERT_EQ(1U, launch.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, launch.diagnostics[0].kind);
  EXPECT_TRUE(launch.device_lost);
  EXPECT_THROW(launches->run(0, 0), base::ToolError);
  EXPECT_TRUE(fake().failures.empty());  // The fault was in another process.
}

TEST_F(CheckedLaunchTest, AKernelWithoutEndIsARunaway) {
  fake().kernels["copy"] = [](void**) { fake().never_ends = true; };
  const auto launch = run();
  ASSERT_EQ(1U, launch.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRunaway, launch.diagnostics[0].kind);
  EXPECT_TRUE(launch.device_lost);
}

TEST_F(CheckedLaunchTest, WhatAKernelPrintsComesBack) {
  fake().kernels["copy"] = [](void**) { std::printf("hello\n"); };
  EXPECT_EQ("hello\n", run().printed);
}

TEST_F(CheckedLaunchTest, ALaunchThatDoesNotFitIsUsage) {
  program_.sequence.launches[0].block = {4096, 1, 1};
  EXPECT_THROW(run(), base::UsageError);
}

TEST_F(CheckedLaunchTest, EventsThatSayMoreThanTheHostWaitedAreAContradiction) {
  fake().event_scale = 1.5;
  EXPECT_THAT(contradiction(run().timing), HasSubstr("the device says that a launch took 0.00015"));
}

TEST_F(CheckedLaunchTest, RenewingLeavesNothing) {
  auto launches = runner();
  EXPECT_TRUE(launches->renew(true, 0));
  EXPECT_TRUE(launches->run(0, 1).matches);
  platform_.driver.context_reset = nullptr;
  EXPECT_FALSE(runner()->renew(true, 0));
}

TEST_F(CheckedLaunchTest, ConditionsAreThoseOfTheCard) {
  fake().sm_mhz = 1410;
  fake().clock_reasons = 0x20;
  fake().processes = {1};  // init: no sibling of a test.
  const auto launch = run();
  EXPECT_TRUE(launch.conditions.known);
  EXPECT_EQ(1410U, launch.conditions.sm_mhz);
  EXPECT_TRUE(is_slowed_down(launch.conditions));
  EXPECT_EQ("it is too hot (by the driver's limit)", slowdown_text(launch.conditions));
  EXPECT_EQ(1U, launch.conditions.other_processes);
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

}  // namespace warpgrade::gpu::checked_launch_test
