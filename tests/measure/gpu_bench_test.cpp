// SPDX-License-Identifier: Apache-2.0
#include "common/measure/gpu_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "common/base/error.h"
#include "common/device/profile.h"
#include "common/gpu/gpu_runner.h"
#include "common/measure/baselines.h"
#include "tests/gpu/fake_driver.h"

namespace warpgrade::measure::gpu_bench_test {

// Records the times of launches on a GPU in their measurement.

Measurement timed(const std::vector<double>& seconds) {
  Measurement measured;
  run::Launch launch;
  launch.block = {256, 1, 1};
  compile::Program program;
  program.kernels.emplace_back().resources.registers_per_thread = 32;
  set_time(measured, device::find("h200"), seconds, program, launch);
  return measured;
}

TEST(GpuTime, IsTheMedianSoThatAnOutlierDoesNotMoveIt) {
  const auto measured = timed({3e-3, 1e-3, 90.0});
  EXPECT_EQ(3e-3, measured.seconds);
  EXPECT_EQ(3e-3, measured.result.seconds);
  EXPECT_EQ(timing::Bound::kMeasured, measured.bound_by);
}

TEST(GpuTime, WithoutLaunchesThereIsNone) { EXPECT_EQ(0, timed({}).seconds); }

TEST(GpuTime, OccupancyIsThatOfTheLaunch) {
  // An SM holds 2048 threads in blocks of 256. Its 65536 registers suffice for 32 per thread.
  EXPECT_EQ(8U, timed({1e-3}).occupancy.blocks_per_sm);
}

// CopyComparisons on a fake GPU whose kernels are functions and whose clock is scripted.

using gpu::testing::fake;
using ::testing::HasSubstr;

/// Floats per buffer: 4 MiB in both buffers, 4 times the fake's L2.
constexpr std::size_t kCount = std::size_t{1} << 19;
constexpr double kLimit = 0.01;

template <typename T>
T argument(void** arguments, int index) {
  T value{};
  std::memcpy(&value, arguments[index], sizeof(value));
  return value;
}

float* floats(void** arguments, int index) {
  return reinterpret_cast<float*>(argument<gpu::DevicePointer>(arguments, index));
}

void copy(void** arguments) {
  std::memcpy(floats(arguments, 0), floats(arguments, 1), kCount * sizeof(float));
}

// Compares kernels that compute out = in, on a card whose copy takes 100 us.
class GpuBenchTest : public ::testing::Test {
 protected:
  GpuBenchTest() {
    platform_ = gpu::testing::fake_platform();
    platform_.driver.function_get_parameter = nullptr;  // A driver may lack it.
    fake().device_name = "NVIDIA H200";
    fake().kernels[kCopyKernel] = [](void** arguments) {
      std::memcpy(floats(arguments, 0), floats(arguments, 1),
                  argument<std::uint64_t>(arguments, 2));
    };
    fake().durations[kCopyKernel] = [] { return 100e-6; };
    fake().kernels["student"] = copy;
    fake().durations["student"] = [] { return 125e-6; };
    fake().kernels["reference"] = copy;
    program_.machine_code.resize(8);
    for (const auto* name : {"student", "few"}) program_.kernels.emplace_back().name = name;
    reference_.machine_code.resize(8);
    timed_.reference = &reference_;
    timed_.reference_launch.kernel = "reference";
    timed_.reference_launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
    timed_.any_order = {false, true};
    set_size(kCount);
    timed_.sequence = run::Launch();
    auto& launch = timed_.sequence.launches[0];
    launch.kernel = "student";
    launch.arguments = {run::BufferArgument{0}, run::BufferArgument{1}};
    timed_.bounds = {0.5};
    timed_.difference = [](const auto& before, const auto& after, const auto& got) {
      // Each result belongs to its own input.
      EXPECT_TRUE(before[1].bytes.empty() || before[1].bytes == after[0].bytes);
      if (got[0].bytes == after[0].bytes) return std::optional<verify::OutputDifference>();
      return std::optional(verify::OutputDifference());
    };
    options_.lock_folder = ::testing::TempDir();
    options_.peak_rounds = 1;
  }

  void set_size(std::size_t count) {
    run::Buffer out;
    out.name = "out";
    out.bytes.assign(64, std::byte{0xff});
    out.defined = false;
    run::Buffer in;
    in.name = "in";
    in.read_only = true;
    in.bytes.resize(count * sizeof(float));
    for (std::size_t i = 0; i < in.bytes.size(); ++i) {
      in.bytes[i] = static_cast<std::byte>(i % 251);
    }
    before_ = {out, in};
    timed_.before = {run::pattern_of(out, in.bytes.size()), run::pattern_of(in, in.bytes.size())};
  }

  std::unique_ptr<GpuBench> bench() {
    return gpu_bench(std::make_unique<gpu::GpuRunner>(platform_, kLimit), options_);
  }
  CopyComparison compare(GpuBench& bench) {
    return bench.comparisons(program_, {timed_})->compare(0);
  }
  CopyComparison compare() { return compare(*bench()); }

  gpu::Platform platform_;
  compile::Program program_;
  compile::Program reference_;
  std::vector<run::Buffer> before_;
  TimedCase timed_;
  GpuBenchOptions options_;
};

TEST_F(GpuBenchTest, FractionIsTheCopysTimeOverTheKernels) {
  const auto found = compare();
  EXPECT_FALSE(found.difference);
  EXPECT_EQ("", found.impossible);
  EXPECT_TRUE(found.notes.empty());
  ASSERT_TRUE(found.fraction);
  EXPECT_TRUE(found.fraction->decided);
  EXPECT_NEAR(0.8, found.fraction->estimate->value, 0.005);
  EXPECT_LT(found.fraction->estimate->low, 0.8);
  EXPECT_GT(found.fraction->estimate->high, 0.8);
  EXPECT_EQ(14U, found.fraction->samples.size());
  EXPECT_NEAR(125e-6, found.measured.seconds, 2e-6);
}

// An H200 executes 528 * 256 * 512 operations in a round of the peak baseline. Half of a round
// takes half of its time. The copy takes 100 us, the kernel 125 us.
TEST_F(GpuBenchTest, TheSlowerBaselineIsTheRoof) {
  constexpr double kRound = 528.0 * 256 * 512;
  fake().kernels[kPeakKernel] = [](void** arguments) {
    std::memset(floats(arguments, 0), 0, 528 * 256 * sizeof(float));
  };
  timed_.operations = kRound / 2;
  fake().durations[kPeakKernel] = [] { return 300e-6; };
  const auto slow = compare();
  ASSERT_TRUE(slow.fraction && slow.roofline);
  EXPECT_NEAR(1.2, slow.fraction->estimate->value, 0.01);
  EXPECT_TRUE(slow.roofline->is_limited_by_operations());
  EXPECT_NEAR(100e-6, slow.roofline->copy_seconds, 2e-6);
  EXPECT_NEAR(150e-6, slow.roofline->peak_seconds, 2e-6);
  EXPECT_NEAR(125e-6, slow.roofline->seconds, 2e-6);
  EXPECT_EQ(2.0 * kCount * sizeof(float), slow.roofline->bytes);
  EXPECT_EQ(kRound / 2, slow.roofline->operations);
  fake().durations[kPeakKernel] = [] { return 60e-6; };
  const auto fast = compare();
  ASSERT_TRUE(fast.fraction && fast.roofline);
  EXPECT_NEAR(0.8, fast.fraction->estimate->value, 0.005);
  EXPECT_FALSE(fast.roofline->is_limited_by_operations());
  EXPECT_NEAR(15e-6, bench()->peak_seconds(kRound / 4, timing::ArithmeticKind::kF32), 1e-6);
}

TEST_F(GpuBenchTest, APeakBaselineThatChangesItsResultIsOurs) {
  timed_.operations = 1;
  fake().durations[kPeakKernel] = [] { return 60e-6; };
  fake().kernels[kPeakKernel] = [](void** arguments) {
    static int launches = 0;
    std::memset(floats(arguments, 0), ++launches, 528 * 256 * sizeof(float));
  };
  EXPECT_THROW(compare(), base::ToolError);
}

TEST_F(GpuBenchTest, ANoisyCardTakesMoreSamples) {
  for (const char* kernel : {kCopyKernel, "student"}) {
    fake().durations[kernel] = [random = std::mt19937_64(7),
                                base = kernel == kCopyKernel ? 1.0 : 1.1,
                                noise = std::normal_distribution<double>(1, 0.03)]() mutable {
      return 100e-6 * base * std::clamp(noise(random), 0.8, 1.2);
    };
  }
  timed_.bounds = {0.87};  // The fraction is 0.909.
  const auto found = compare();
  ASSERT_TRUE(found.fraction);
  EXPECT_GT(found.fraction->samples.size(), 14U);
  EXPECT_TRUE(found.fraction->decided);
  EXPECT_EQ(Side::kAbove, side_of(*found.fraction->estimate, 0.87));
}

TEST_F(GpuBenchTest, AKernelThatHasLearntOneContentIsWrong) {
  fake().kernels["student"] = [](void** arguments) {
    static std::vector<float> learnt;
    if (learnt.empty()) learnt.assign(floats(arguments, 1), floats(arguments, 1) + kCount);
    std::memcpy(floats(arguments, 0), learnt.data(), kCount * sizeof(float));
  };
  const auto found = compare();
  EXPECT_TRUE(found.difference);
  EXPECT_FALSE(found.fraction);
}

TEST_F(GpuBenchTest, ContentsInAGivenOrderStayAsTheyAre) {
  timed_.any_order = {false, false};
  fake().kernels["student"] = [](void** arguments) {
    copy(arguments);
    const auto* in = reinterpret_cast<const unsigned char*>(floats(arguments, 1));
    if (in[0] != 0 || in[250] != 250) floats(arguments, 0)[0] += 1;
  };
  EXPECT_FALSE(compare().difference);
}

TEST_F(GpuBenchTest, ACaseThatIsNotTimedIsCheckedWithEachContent) {
  timed_.is_timed = false;
  const auto right = compare();
  EXPECT_FALSE(right.difference);
  EXPECT_FALSE(right.fraction);
  fake().kernels["student"] = [](void** arguments) {
    static int launches = 0;
    if (++launches <= 3) copy(arguments);
  };
  EXPECT_TRUE(compare().difference);
}

TEST_F(GpuBenchTest, TheCasesOfASubmissionShareAProcessAndNothingElse) {
  auto many = timed_;
  set_size(5);
  auto few = timed_;
  for (const char* kernel : {"few", "few_reference"}) {
    fake().kernels[kernel] = [](void** arguments) {
      std::printf("%d ", getpid());
      std::memcpy(floats(arguments, 0), floats(arguments, 1), 5 * sizeof(float));
    };
  }
  fake().durations["few"] = [] { return 1e-3; };
  fake().kernels["student"] = [](void** arguments) {
    std::printf("%d ", getpid());
    copy(arguments);
  };
  few.sequence.launches[0].kernel = "few";
  few.reference_launch.kernel = "few_reference";
  const auto process = [](const CopyComparison& found) {
    EXPECT_FALSE(found.difference);
    return std::stoi(found.measured.result.printed);
  };
  const auto bench = this->bench();
  const auto shared = bench->comparisons(program_, {many, few});
  const auto second = shared->compare(1);
  const auto first = shared->compare(0);
  EXPECT_EQ(process(first), process(second));
  EXPECT_EQ(2 * kCount * sizeof(float), first.measured.bytes);
  EXPECT_EQ(40U, second.measured.bytes);
  EXPECT_NEAR(125e-6, first.measured.seconds, 2e-6);
  EXPECT_NEAR(1e-3, second.measured.seconds, 2e-6);
  program_.ptx = {".local", {}};  // Local memory could keep state.
  const auto apart = bench->comparisons(program_, {many, few});
  const auto third = apart->compare(1);
  EXPECT_NE(process(apart->compare(0)), process(third));
  EXPECT_NEAR(1e-3, third.measured.seconds, 2e-6);
}

TEST_F(GpuBenchTest, AReferenceThatFailsIsOurs) {
  fake().kernels["reference"] = [](void**) { fake().failures["event_query"] = 700; };
  try {
    compare();
    FAIL();
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the lab's own kernel reference failed"));
  }
}

TEST_F(GpuBenchTest, AKernelThatStopsWorkingAfterAWhileIsWrong) {
  fake().kernels["student"] = [](void** arguments) {
    static int launches = 0;
    if (++launches <= 9) copy(arguments);
  };
  EXPECT_TRUE(compare().difference);
}

TEST_F(GpuBenchTest, OtherBitsThanTheReferencesMayBeRight) {
  fake().kernels["student"] = [](void** arguments) {
    copy(arguments);
    reinterpret_cast<unsigned char*>(floats(arguments, 0))[100] ^= 1;
  };
  timed_.difference = [](const auto&, const auto& after, const auto& got) {
    if (got[0].bytes[7] == after[0].bytes[7]) return std::optional<verify::OutputDifference>();
    return std::optional(verify::OutputDifference());
  };
  const auto found = compare();
  EXPECT_FALSE(found.difference);
  EXPECT_TRUE(found.fraction);
}

TEST_F(GpuBenchTest, ATimeThatTheMemoryCannotReachIsRejected) {
  // 4 MiB less 1 MiB in L2, at 4.8 TB/s: 0.655 us.
  fake().durations["student"] = [] { return 0.3e-6; };
  platform_.now = [] { return fake().clock += 1e-7; };
  const auto found = compare();
  EXPECT_THAT(
      found.impossible,
      HasSubstr("4.19 MB cannot go through the memory of a NVIDIA H200 in less than 0.655 us"));
}

TEST_F(GpuBenchTest, ACaseThatFitsIntoCachesIsTold) {
  set_size(kCount / 4);
  for (const char* kernel : {"student", "reference"}) {
    fake().kernels[kernel] = [](void** arguments) {
      std::memcpy(floats(arguments, 0), floats(arguments, 1), kCount);
    };
  }
  const auto found = compare();
  ASSERT_EQ(1U, found.notes.size());
  EXPECT_THAT(found.notes[0], HasSubstr("its buffers are 1 times L2"));
}

TEST_F(GpuBenchTest, AHotCardIsToldAndNotMeasured) {
  fake().clock_reasons = 0x40;
  const auto found = compare();
  ASSERT_TRUE(found.fraction);
  EXPECT_FALSE(found.fraction->decided);
  EXPECT_THAT(found.fraction->warning, HasSubstr("the card was slowed down: it is too hot"));
}

TEST_F(GpuBenchTest, OthersOnTheCardAreToldWhereNothingIsDecided) {
  fake().processes = {1};
  timed_.bounds = {0.8};
  const auto found = compare();
  ASSERT_TRUE(found.fraction);
  EXPECT_FALSE(found.fraction->decided);
  EXPECT_THAT(found.fraction->warning,
              HasSubstr("the machine is too noisy, or the kernel is too close to the bound; 1 "
                        "other process uses the card"));
}

TEST_F(GpuBenchTest, AFaultCostsOneComparisonAndTheNextWorks) {
  const auto bench = this->bench();
  fake().kernels["student"] = [](void**) { fake().failures["event_query"] = 700; };
  const auto faulty = compare(*bench);
  ASSERT_EQ(1U, faulty.measured.result.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kOutOfBounds, faulty.measured.result.diagnostics[0].kind);
  fake().kernels["student"] = copy;
  EXPECT_TRUE(compare(*bench).fraction);
}

TEST_F(GpuBenchTest, ARunawayCostsOneComparison) {
  fake().kernels["student"] = [](void**) { fake().never_ends = true; };
  const auto found = compare();
  ASSERT_EQ(1U, found.measured.result.diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRunaway, found.measured.result.diagnostics[0].kind);
}

TEST_F(GpuBenchTest, AWorkerThatDiesIsAToolErrorAndTheNextWorks) {
  const auto bench = this->bench();
  fake().kernels["student"] = [](void**) { std::abort(); };
  EXPECT_THROW(compare(*bench), base::ToolError);
  fake().kernels["student"] = copy;
  EXPECT_TRUE(compare(*bench).fraction);
}

TEST_F(GpuBenchTest, TheCardIsAskedForTheCountersThatItsProfilerHas) {
  const auto script = ::testing::TempDir() + "fake_ncu";
  std::ofstream(script) << R"(#!/bin/sh
while [ $# -gt 0 ]; do
  [ "$1" = --log-file ] && log=$2
  [ "$1" = --metrics ] && metrics=$2
  shift
done
case $metrics in *warpgrade__*) exit 1 ;; esac
case $metrics in *lts__t_sectors_op_read.sum*) ;; *) exit 1 ;; esac
printf '"ID","Kernel Name","dram__bytes_read.sum"\n"","","byte"\n"0","student","12"\n' > $log
)";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  ::setenv("WARPGRADE_NCU", script.c_str(), 1);
  const auto bench = this->bench();
  const auto found = bench->count(program_, timed_.sequence, before_);
  ::unsetenv("WARPGRADE_NCU");
  EXPECT_THAT(found.reason, ::testing::IsEmpty());
  EXPECT_THAT(found.metrics, ::testing::ElementsAre(::testing::Pair("dram__bytes_read.sum", 12)));
}

TEST_F(GpuBenchTest, ClocksThatContradictEachOtherAreOurs) {
  fake().event_scale = 2;
  EXPECT_THROW(compare(), base::ToolError);
}

TEST_F(GpuBenchTest, ABrokenCopyIsOurs) {
  fake().kernels[kCopyKernel] = [](void**) {};
  EXPECT_THROW(compare(), base::ToolError);
}

}  // namespace warpgrade::measure::gpu_bench_test
