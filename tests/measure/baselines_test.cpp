// SPDX-License-Identifier: Apache-2.0
#include "common/measure/baselines.h"

#include <gtest/gtest.h>

#include <cstring>

#include "common/device/profile.h"
#include "common/sim/simulator.h"
#include "common/timing/arithmetic.h"

namespace warpgrade::measure::baselines_test {

using timing::ArithmeticKind;

// The launch of the copy baseline, and the contents of its buffers.

TEST(CopyKernel, MovesWholeWordsAndAtLeastOne) {
  EXPECT_EQ(4U, copied_bytes(0));
  EXPECT_EQ(4U, copied_bytes(1));
  EXPECT_EQ(8U, copied_bytes(5));
  EXPECT_EQ(4096U, copied_bytes(4096));
}

TEST(CopyKernel, HasAThreadForEachPieceAndEachWordThatIsLeft) {
  EXPECT_EQ(1U, copy_launch(16).grid.x);
  EXPECT_EQ(256U, copy_launch(16).block.x);
  EXPECT_EQ(1U, copy_launch(256 * 16).grid.x);
  EXPECT_EQ(2U, copy_launch(256 * 16 + 4).grid.x);
  EXPECT_EQ(1U, copy_launch(252 * 16 + 12).grid.x);  // 252 pieces and 3 words
}

TEST(CopyKernel, TheOutputIsPoisonedAndTheInputVaries) {
  const auto made = copy_case(1 << 12);
  ASSERT_EQ(2U, made.buffers.size());
  EXPECT_EQ("out", made.buffers[0].name);
  EXPECT_FALSE(made.buffers[0].defined);
  EXPECT_TRUE(made.buffers[1].read_only);
  EXPECT_EQ(made.buffers[0].bytes.size(), made.buffers[1].bytes.size());
  for (std::size_t at = 4; at < made.buffers[1].bytes.size(); at += 4) {
    EXPECT_NE(0, std::memcmp(&made.buffers[1].bytes[at - 4], &made.buffers[1].bytes[at], 4));
  }
}

TEST(CopyKernel, ALargeInputRepeatsItself) {
  const auto patterns = copy_patterns(std::uint64_t{1} << 32);
  ASSERT_EQ(2U, patterns.size());
  EXPECT_EQ(std::uint64_t{1} << 32, patterns[1].bytes);
  EXPECT_GE(std::uint64_t{1} << 20, patterns[1].period);
}

// The peak baseline: operations and results calculated by hand, and peaks from data sheets.

TEST(Peak, IsThatOfTheDataSheet) {
  const auto tera = [](const char* device) {
    return 1e-12 / seconds_at_peak(device::find(device), ArithmeticKind::kF32, 1);
  };
  EXPECT_NEAR(67, tera("h200"), 0.5);
  EXPECT_NEAR(19.5, tera("a100"), 0.05);
  EXPECT_NEAR(8.1, tera("t4"), 0.05);
  EXPECT_NEAR(82.6, tera("rtx4090"), 0.1);
  EXPECT_NEAR(4.29, tera("k40"), 0.01);
}

// A thread executes 256 multiply-adds per round: 512 operations. 2 multiprocessors have 8 blocks.
TEST(Peak, ALaunchHasWholeRounds) {
  const double round = 8 * 256 * 512;
  EXPECT_EQ(round, peak_case(1, ArithmeticKind::kF32, 2, 1).operations);
  EXPECT_EQ(round, peak_case(round, ArithmeticKind::kF32, 2, 1).operations);
  EXPECT_EQ(2 * round, peak_case(round + 1, ArithmeticKind::kF32, 2, 1).operations);
  EXPECT_EQ(5 * round, peak_case(1, ArithmeticKind::kF32, 2, 5).operations);
  EXPECT_EQ(8U, peak_case(1, ArithmeticKind::kF32, 2, 1).launch.grid.x);
}

// Each of a thread's 8 chains converges to 2 within a round, so its result is 16.
TEST(Peak, TheKernelExecutesTheOperationsOfItsCase) {
  const auto peak = peak_case(1, ArithmeticKind::kF32, 1, 1);
  const auto& program = peak_program("sm_90", ArithmeticKind::kF32);
  sim::Simulator simulator(program);
  auto buffers = run::made(peak.patterns);
  const auto result = simulator.launch(peak.launch, buffers, {});
  EXPECT_TRUE(result.diagnostics.empty());
  for (std::size_t i = 0; i < buffers[0].bytes.size(); i += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, &buffers[0].bytes[i], sizeof(value));
    ASSERT_EQ(16, value) << i;
  }
  std::size_t in_text = 0;
  const std::string multiply_add = "fma.rn.f32";
  const auto& text = program.ptx.text();
  for (auto at = text.find(multiply_add); at != std::string::npos;
       at = text.find(multiply_add, at + 1)) {
    ++in_text;
  }
  EXPECT_EQ(256U, in_text);
}

// NVIDIA's data sheets: T4 65 TFLOPS, A100 312. An H200 executes an m16n8k16 in 6 clocks of each
// of its 528 tensor cores at 1.98 GHz (tests/evidence/golden/h200_mma): 4,096 operations.
TEST(TensorPeak, IsThatOfTheDataSheet) {
  const auto tera = [](const char* device) {
    return 1e-12 / seconds_at_peak(device::find(device), ArithmeticKind::kTensorF16, 1);
  };
  EXPECT_NEAR(65, tera("t4"), 0.5);
  EXPECT_NEAR(312, tera("a100"), 1);
  EXPECT_NEAR(528 * 4096 / 6.0 * 1.98e-3, tera("h200"), 1);
}

// A warp executes 32 products of 16 x 16 x 16 per round: 8,192 operations of each thread.
TEST(TensorPeak, ALaunchHasWholeRounds) {
  const double round = 8.0 * 256 * 8192;
  EXPECT_EQ(round, peak_case(1, ArithmeticKind::kTensorF16, 2, 1).operations);
  EXPECT_EQ(2 * round, peak_case(round + 1, ArithmeticKind::kTensorF16, 2, 1).operations);
}

// Each of a thread's 16 sums grows by 16 / 128^2 in each of 16 products: together by 0.25.
TEST(TensorPeak, TheKernelExecutesTheOperationsOfItsCase) {
  const auto peak = peak_case(1, ArithmeticKind::kTensorF16, 1, 3);
  for (const char* architecture : {"sm_75", "sm_90"}) {
    const auto& program = peak_program(architecture, ArithmeticKind::kTensorF16);
    sim::Simulator simulator(program);
    auto buffers = run::made(peak.patterns);
    const auto result = simulator.launch(peak.launch, buffers, {});
    EXPECT_TRUE(result.diagnostics.empty());
    for (std::size_t i = 0; i < buffers[0].bytes.size(); i += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, &buffers[0].bytes[i], sizeof(value));
      ASSERT_EQ(0.75, value) << architecture << " " << i;
    }
    const timing::Arithmetic done(device::find("h200"), program.ptx.module().functions.at(0),
                                  result, {});
    EXPECT_EQ(peak.operations, done.operations(ArithmeticKind::kTensorF16)) << architecture;
  }
}

TEST(Roofline, TheRidgeSeparatesItsTwoLimits) {
  // 6 MB at 3 TB/s take 2 us; 120 MFLOP at 60 TFLOP/s take 2 us, too.
  Roofline roof{6e6, 120e6, 2e-6, 2e-6, 8e-6};
  EXPECT_FALSE(roof.is_limited_by_operations());
  EXPECT_DOUBLE_EQ(20, roof.intensity());
  EXPECT_DOUBLE_EQ(3e12, roof.copy_bytes_per_second());
  EXPECT_DOUBLE_EQ(60e12, roof.peak_operations_per_second());
  EXPECT_DOUBLE_EQ(15e12, roof.operations_per_second());
  roof.peak_seconds = 4e-6;
  EXPECT_TRUE(roof.is_limited_by_operations());
  EXPECT_DOUBLE_EQ(4e-6, roof.roof_seconds());
}

}  // namespace warpgrade::measure::baselines_test
