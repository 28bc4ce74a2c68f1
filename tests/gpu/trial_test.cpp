// SPDX-License-Identifier: Apache-2.0
// One timed launch with a fake driver: what is done around it, and what comes of each cheat.
#include "common/gpu/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "common/gpu/trial_runner.h"
#include "fake_driver.h"

namespace warpgrade::gpu {
namespace {

using testing::bytes_of;
using ::testing::ElementsAre;
using testing::fake;
using ::testing::HasSubstr;
using testing::pointer;

constexpr double kLimit = 0.01;
constexpr FingerprintKey kKey{1, 2};

// out = in, 4 floats; two contents.
class TrialTest : public ::testing::Test {
 protected:
  TrialTest() {
    platform_ = testing::fake_platform();
    fake().parameter_sizes = {8, 8};
    fingerprint_.machine_code.resize(8);
    subject_.machine_code = &code_;
    subject_.launch.kernel = "copy";
    subject_.launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
    for (auto& content : contents_) {
      run::Buffer out;
      out.name = "out";
      out.bytes = bytes_of({-1, -1, -1, -1});
      out.defined = false;
      run::Buffer in;
      in.name = "in";
      in.read_only = true;
      content = {out, in};
    }
    contents_[0][1].bytes = bytes_of({1, 2, 3, 4});
    contents_[1][1].bytes = bytes_of({5, 6, 7, 8});
    for (const auto& content : contents_) {
      const auto right = fingerprint(content[1].bytes, kKey);
      subject_.contents.push_back({&content, {0, 0}, {right, right}});
    }
    fake().kernels["copy"] = [](void** arguments) {
      std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    };
    fake().durations["copy"] = [] { return 1e-4; };
  }

  // In a process of its own, as in earnest; the fake as it is now is copied into it.
  TrialRunner runner() { return {platform_, kLimit, {subject_}, fingerprint_, kKey, {}}; }
  Trial run(std::size_t content = 0) { return runner().run(0, content, 0); }

  // In this process, so that the fake's notes can be read.
  Trial run_here(int times = 1) {
    Session session(platform_.driver, kLimit, platform_.now);
    const Monitor monitor(platform_.nvml, session.device().bus, is_sibling);
    TrialTools tools;
    tools.fingerprint_code = &fingerprint_.machine_code;
    tools.key = kKey;
    tools.monitor = &monitor;
    fake().calls.clear();
    auto trial = run_trial(session, subject_, 0, 4096, tools);
    for (int i = 1; i < times; ++i) trial = run_trial(session, subject_, 0, 4096, tools);
    return trial;
  }

  Platform platform_;
  std::vector<char> code_ = std::vector<char>(8);
  compile::Program fingerprint_;
  std::vector<run::Buffer> contents_[2];
  Subject subject_;
};

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
  EXPECT_TRUE(trials.run(0, 0, 0).matches);
  EXPECT_TRUE(trials.run(0, 1, 4096).matches);
  // A kernel that has learnt one result by heart.
  fake().kernels["copy"] = [](void** arguments) {
    for (int i = 0; i < 4; ++i) pointer(arguments, 0)[i] = static_cast<float>(i + 1);
  };
  auto learnt = runner();
  EXPECT_TRUE(learnt.run(0, 0, 0).matches);
  EXPECT_FALSE(learnt.run(0, 1, 0).matches);
}

TEST_F(TrialTest, AWrongResultIsReadBack) {
  fake().kernels["copy"] = [](void** arguments) { pointer(arguments, 0)[2] = 9; };
  const auto trial = run();
  EXPECT_TRUE(trial.diagnostics.empty());
  EXPECT_FALSE(trial.matches);
  ASSERT_EQ(2U, trial.buffers.size());
  EXPECT_EQ(bytes_of({-1, -1, 9, -1}), trial.buffers[0].bytes);
  EXPECT_TRUE(trial.buffers[1].bytes.empty());
}

TEST_F(TrialTest, WhatIsJudgedByItsValuesIsReadBackThoughRight) {
  subject_.contents[0].after[0].reset();
  const auto trial = run();
  EXPECT_FALSE(trial.matches);
  ASSERT_EQ(2U, trial.buffers.size());
  EXPECT_EQ(bytes_of({1, 2, 3, 4}), trial.buffers[0].bytes);
}

TEST_F(TrialTest, AKernelThatWorksOnlyTheFirstTimeIsFoundAtTheSecond) {
  fake().kernels["copy"] = [](void** arguments) {
    static int launches = 0;
    if (++launches == 1) std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
  };
  auto trials = runner();
  EXPECT_TRUE(trials.run(0, 0, 0).matches);
  EXPECT_FALSE(trials.run(0, 0, 0).matches);
}

TEST_F(TrialTest, NothingOfALaunchIsLeftInMemoryThatIsFreed) {
  fake().keep_freed = true;
  static const float* out;
  static const float* in;
  fake().kernels["copy"] = [](void** arguments) {
    out = pointer(arguments, 0);
    in = pointer(arguments, 1);
    std::copy_n(in, 4, pointer(arguments, 0));
  };
  ASSERT_TRUE(run_here().matches);
  for (const auto* buffer : {out, in}) {
    const std::vector<std::byte> left(reinterpret_cast<const std::byte*>(buffer),
                                      reinterpret_cast<const std::byte*>(buffer + 4));
    EXPECT_EQ(std::vector<std::byte>(16, std::byte{0xa5}), left);
  }
  EXPECT_EQ(0U, fake().memory.size());
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

TEST_F(TrialTest, SharedMemoryIsOverwrittenWhenTheKernelHasRun) {
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
  EXPECT_THAT(order, ElementsAre("copy", "overwrite 232448", "overwrite 0", "copy",
                                 "overwrite 232448", "overwrite 0"));
}

TEST(CanKeepState, OnlyHeapAndLocalMemoryOutliveALaunch) {
  EXPECT_FALSE(can_keep_state(".visible .entry k() { .shared .b8 s[4]; ret; }"));
  EXPECT_TRUE(can_keep_state(".entry k() { .local .align 4 .b8 __local_depot0[64]; ret; }"));
  EXPECT_TRUE(can_keep_state(".extern .func (.param .b64 r) malloc (.param .b64 n);"));
}

TEST_F(TrialTest, AFaultLosesTheDeviceAndIsTheKernels) {
  fake().kernels["copy"] = [](void**) { fake().failures["event_query"] = 700; };
  auto trials = runner();
  const auto trial = trials.run(0, 0, 0);
  ASSERT_EQ(1U, trial.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, trial.diagnostics[0].kind);
  EXPECT_TRUE(trial.device_lost);
  EXPECT_THROW(trials.run(0, 0, 0), base::ToolError);
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
  EXPECT_TRUE(runner().renew());
  platform_.driver.context_reset = nullptr;
  EXPECT_FALSE(runner().renew());
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

TEST_F(TrialTest, SecretsAreGoneInTheWorkerAndStayHere) {
  std::vector<std::byte> secret(100'003, std::byte{7});
  static std::span<const std::byte> seen;
  seen = secret;
  fake().kernels["copy"] = [](void**) {
    const bool gone =
        std::all_of(seen.begin(), seen.end(), [](std::byte b) { return b == std::byte{0}; });
    std::printf("%s", gone ? "gone" : "there");
  };
  TrialRunner trials(platform_, kLimit, {subject_}, fingerprint_, kKey, {secret});
  EXPECT_EQ("gone", trials.run(0, 0, 0).printed);
  EXPECT_EQ("there", run().printed);
  EXPECT_EQ(std::byte{7}, secret[50'000]);
}

TEST(PeriodOf, WordsAndMebibytesAreFound) {
  constexpr std::size_t kMebibyte = std::size_t{1} << 20;
  std::vector<std::byte> words(3 * kMebibyte + 5);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::byte>(i % 8);
  EXPECT_EQ(8U, period_of(words));
  auto mebibytes = words;
  mebibytes[77] = mebibytes[kMebibyte + 77] = mebibytes[2 * kMebibyte + 77] = std::byte{99};
  EXPECT_EQ(kMebibyte, period_of(mebibytes));
  mebibytes.back() ^= std::byte{1};
  EXPECT_EQ(0U, period_of(mebibytes));
  EXPECT_EQ(0U, period_of(std::vector<std::byte>(8)));
}

// Of 2.5 MiB: sent is one, and the fake's kernel finds all of it.
TEST_F(TrialTest, AContentThatRepeatsItselfIsSentOnceAndIsWhole) {
  auto& out = contents_[0][0].bytes;
  out.assign((std::size_t{5} << 19) + 4, std::byte{3});
  subject_.contents[0].periods = {8, 0};
  static std::size_t size;
  size = out.size();
  fake().kernels["copy"] = [](void** arguments) {
    const auto* first = reinterpret_cast<const std::byte*>(pointer(arguments, 0));
    const bool whole =
        std::all_of(first, first + size, [](std::byte b) { return b == std::byte{3}; });
    std::printf(whole ? "whole" : "not whole");
  };
  EXPECT_EQ("whole", run().printed);
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
