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

// out = in, 4 floats; the second content begins at the third of them.
class TrialTest : public ::testing::Test {
 protected:
  TrialTest() {
    platform_ = testing::fake_platform();
    fake().parameter_sizes = {8, 8};
    fingerprint_.machine_code.resize(8);
    run::Buffer out;
    out.name = "out";
    out.bytes = bytes_of({-1});
    out.defined = false;
    run::Buffer in;
    in.name = "in";
    in.read_only = true;
    in.bytes = bytes_of({1, 2, 3, 4});
    subject_.before = {run::pattern_of(out, 16), run::pattern_of(in, 16)};
    subject_.machine_code = &code_;
    subject_.launch.kernel = "copy";
    subject_.launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
    subject_.contents = {{0, 0}, {0, 8}};
    subject_.make_expected = made_by_copy();
    fake().kernels["copy"] = [](void** arguments) {
      std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    };
    fake().durations["copy"] = [] { return 1e-4; };
  }

  // In a process of its own, as in earnest; the fake as it is now is copied into it.
  std::unique_ptr<TrialRunner> runner() {
    auto made = std::make_unique<TrialRunner>(platform_, kLimit, std::vector<Subject>{subject_},
                                              fingerprint_, kKey);
    made->begin();
    return made;
  }
  Trial run(std::size_t content = 0) { return runner()->run(0, content); }

  // In this process, so that the fake's notes can be read.
  Trial run_here(int times = 1) {
    Session session(platform_.driver, kLimit, platform_.now);
    const Monitor monitor(platform_.nvml, session.device().bus, is_sibling);
    TrialTools tools;
    tools.fingerprint_code = &fingerprint_.machine_code;
    tools.key = kKey;
    tools.monitor = &monitor;
    std::vector<Subject> subjects = others_;
    subjects.insert(subjects.begin(), subject_);
    Trials trials(session, subjects, tools);
    fake().calls.clear();
    auto trial = trials.run(0, 0);
    for (int i = 1; i < times; ++i) trial = trials.run(0, 0);
    return trial;
  }

  Platform platform_;
  std::vector<char> code_ = std::vector<char>(8);
  compile::Program fingerprint_;
  Subject subject_;
  std::vector<Subject> others_;
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

TEST_F(TrialTest, BuffersMoveByPagesOfTwoMebibytes) {
  fake().kernels["copy"] = [](void** arguments) {
    std::printf("%llu", reinterpret_cast<unsigned long long>(pointer(arguments, 0)));
  };
  auto trials = runner();
  const auto place = [&](std::uint64_t pages) {
    trials->renew(false, pages);
    return std::stoull(trials->run(0, 0).printed);
  };
  const auto first = place(0);
  EXPECT_EQ(first + (std::uint64_t{6} << 20), place(3));
  EXPECT_EQ(first + (std::uint64_t{16} << 20), place(100));
  EXPECT_EQ(first, place(0));
}

TEST_F(TrialTest, ContentsAreTurnedAndRepeated) {
  EXPECT_EQ(bytes_of({-1, -1, -1, -1}), content_of(subject_, 1, 0).bytes);
  EXPECT_EQ(bytes_of({3, 4, 1, 2}), content_of(subject_, 1, 1).bytes);
  fake().kernels["copy"] = [](void** arguments) {
    for (int b = 0; b < 2; ++b) {
      for (int i = 0; i < 4; ++i) {
        std::printf("%g ", static_cast<double>(pointer(arguments, b)[i]));
      }
    }
  };
  EXPECT_EQ("-1 -1 -1 -1 3 4 1 2 ", run(1).printed);
}

TEST_F(TrialTest, ALargeInputIsSentInPieces) {
  constexpr std::uint64_t kLarge = std::uint64_t{10} << 20;
  auto& in = subject_.before[1];
  in.bytes = in.period = kLarge;
  in.make = [](std::uint64_t first, std::span<std::byte> to) {
    for (std::uint64_t i = 0; i < to.size(); i += sizeof(float)) {
      const auto value = static_cast<float>((first + i) / sizeof(float));
      std::memcpy(to.data() + i, &value, sizeof(value));
    }
  };
  fake().kernels["copy"] = [](void** arguments) {
    bool right = true;
    for (std::uint64_t i = 0; i < kLarge / sizeof(float); ++i) {
      right = right && pointer(arguments, 1)[i] == static_cast<float>(i);
    }
    std::printf("%d", static_cast<int>(right));
  };
  subject_.make_expected = [](Session&, const DeviceBuffers&) {};
  EXPECT_EQ("1", run().printed);
}

TEST_F(TrialTest, WhatIsRepeatedFillsEverySize) {
  run::Buffer out;
  out.bytes = bytes_of({-1, -2, -3});
  subject_.before[0] = run::pattern_of(out, 28);
  const auto whole = bytes_of({-1, -2, -3, -1, -2, -3, -1});
  EXPECT_EQ(whole, content_of(subject_, 0, 0).bytes);
  fake().kernels["copy"] = [](void** arguments) {
    for (int i = 0; i < 7; ++i) std::printf("%g ", static_cast<double>(pointer(arguments, 0)[i]));
  };
  subject_.make_expected = [](Session&, const DeviceBuffers&) {};
  EXPECT_EQ("-1 -2 -3 -1 -2 -3 -1 ", run().printed);
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

// The other subject's output lies where this one's launches have nothing, so that only wiping takes
// it away.
TEST_F(TrialTest, WhatIsRightIsMadeByTheCoursesKernelAndLeftNowhere) {
  static const float* made;
  fake().kernels["reference"] = [](void** arguments) {
    made = pointer(arguments, 0);
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
  };
  auto other = subject_;
  other.before = {subject_.before[1], subject_.before[0], subject_.before[0]};
  other.contents = {{0, 0, 0}};
  auto launch = subject_.launch;
  launch.kernel = "reference";
  launch.arguments = {run::BufferArgument{2}, run::BufferArgument{0}};
  other.make_expected = made_by(code_, launch);
  others_ = {other};
  static int wiped;
  wiped = 0;
  fake().kernels[kOverwriteSharedKernel] = [](void**) { ++wiped; };
  static bool found;
  found = false;
  fake().kernels["copy"] = [](void** arguments) {
    found = found || wiped < 6;  // Two launches a content, of which there are three.
    const auto right = bytes_of({1, 2, 3, 4});
    found = found || std::memcmp(made, right.data(), right.size()) == 0;
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
  };
  EXPECT_TRUE(run_here().matches);
  EXPECT_NE(nullptr, made);
  EXPECT_FALSE(found);
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

TEST_F(TrialTest, NothingOfALaunchIsLeftWhenItIsOver) {
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

constexpr std::size_t kPage = std::size_t{2} << 20;

// Allocations of a page that begin with these floats.
std::vector<std::byte*> pages_with(const std::vector<float>& content) {
  std::vector<std::byte*> out;
  const auto bytes = bytes_of(content);
  for (const auto& [address, memory] : fake().memory) {
    const bool is_page = fake().sizes[address] == kPage;
    if (is_page && std::equal(bytes.begin(), bytes.end(), memory.get())) {
      out.push_back(memory.get());
    }
  }
  return out;
}

TEST_F(TrialTest, NothingIsLeftBehindTheCopyOfAnInput) {
  fake().kernels["copy"] = [](void** arguments) {
    std::copy_n(pointer(arguments, 1), 4, pointer(arguments, 0));
    for (auto* copy : pages_with({1, 2, 3, 4})) {
      std::printf("%d %d ", static_cast<int>(copy[16]), static_cast<int>(copy[kPage - 1]));
      copy[16] = copy[kPage - 1] = std::byte{1};
    }
  };
  auto trials = runner();
  EXPECT_EQ("165 165 ", trials->run(0, 0).printed);
  EXPECT_EQ("165 165 ", trials->run(0, 1).printed);
}

// Else a launch could leave there what the next one is to make.
TEST_F(TrialTest, OnlyInputsHaveACopyOnTheDevice) {
  run::Buffer out;
  out.bytes = bytes_of({-1, -2, -3, -4});
  subject_.before[0] = run::pattern_of(out, 16);
  fake().kernels["copy"] = [](void**) {
    std::printf("%zu %zu", pages_with({1, 2, 3, 4}).size(), pages_with({-1, -2, -3, -4}).size());
  };
  EXPECT_EQ("1 0", run().printed);
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
