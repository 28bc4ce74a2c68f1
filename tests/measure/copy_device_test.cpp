// SPDX-License-Identifier: Apache-2.0
// The copy baseline on a real GPU: correct for every size, and as fast as the driver's own copy.
// Skipped (exit code 77) without a GPU.
#include <gtest/gtest.h>

#include <cstdio>

#include "common/gpu/gpu_runner.h"
#include "common/measure/baselines.h"
#include "common/measure/comparison.h"
#include "common/measure/gpu_bench.h"

namespace warpgrade::measure::copy_device_test {

constexpr std::uint32_t kSamples = 21;

TEST(CopyOnDevice, EverySizeIsCopiedWhole) {
  gpu::GpuRunner runner;
  runner.load(copy_program(runner.architecture()));
  for (const std::uint64_t bytes : {4U, 12U, 16U, 20U, 4080U, 4096U, 4100U, (1U << 20) + 12U}) {
    CopyCase copy = copy_case(bytes);
    const auto result = runner.launch(copy.launch, copy.buffers, {});
    EXPECT_TRUE(result.diagnostics.empty()) << bytes;
    EXPECT_EQ(copy.buffers[1].bytes, copy.buffers[0].bytes) << bytes;
  }
}

// Takes the better of two rounds, because the ratio describes the kernel and not other load on the
// machine.
TEST(CopyOnDevice, Reaches97PercentOfTheDriversCopyAtFourTimesL2) {
  gpu::GpuRunner runner;
  runner.load(copy_program(runner.architecture()));
  const std::uint64_t bytes = 4 * runner.l2_bytes();
  CopyCase copy = copy_case(bytes);
  double best = 0;
  for (int round = 0; round < 2; ++round) {
    const double memcpy = runner.memcpy_seconds(bytes, kSamples);
    run::Result result;
    const double kernel = median(runner.time(copy.launch, copy.buffers, kSamples, result).seconds);
    ASSERT_TRUE(result.diagnostics.empty());
    const double both_ways = 2.0 * static_cast<double>(bytes);
    std::printf("%llu bytes: copy baseline %.1f GB/s, driver's copy %.1f GB/s, ratio %.4f\n",
                static_cast<unsigned long long>(bytes), both_ways / kernel * 1e-9,
                both_ways / memcpy * 1e-9, memcpy / kernel);
    best = std::max(best, memcpy / kernel);
  }
  EXPECT_GE(best, 0.97);
}

// Runs a whole comparison: fingerprints on the device, contexts, the stopping rule.
TEST(CopyOnDevice, ComparedWithItselfIsOne) {
  auto runner = std::make_unique<gpu::GpuRunner>();
  const auto bytes = 4 * runner->l2_bytes();
  const auto& program = copy_program(runner->architecture());
  TimedCase timed;
  timed.sequence = copy_launch(bytes);
  timed.before = copy_patterns(bytes);
  timed.any_order = {false, true};
  timed.reference = &program;
  timed.reference_launch = timed.sequence.first();
  timed.difference = [](const auto&, const auto&, const auto&) {
    return verify::OutputDifference{};
  };
  const auto found = gpu_bench(std::move(runner))->comparisons(program, {timed})->compare(0);
  ASSERT_TRUE(found.fraction);
  EXPECT_FALSE(found.difference);
  EXPECT_EQ("", found.impossible);
  const auto& fraction = *found.fraction;
  std::printf("copy against itself: %.4f (%.4f to %.4f) in %zu samples %s\n",
              fraction.estimate->value, fraction.estimate->low, fraction.estimate->high,
              fraction.samples.size(), fraction.warning.c_str());
  EXPECT_NEAR(1, fraction.estimate->value, 0.01);
  EXPECT_TRUE(fraction.decided);
}

}  // namespace warpgrade::measure::copy_device_test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const auto found = warpgrade::gpu::availability();
  if (!found.available) {
    std::printf("skipped: %s\n", found.reason.c_str());
    return 77;
  }
  return RUN_ALL_TESTS();
}
