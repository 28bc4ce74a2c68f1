// SPDX-License-Identifier: Apache-2.0
// Times of launches on a GPU, entered in their measurement.
#include "common/measure/gpu_time.h"

#include <gtest/gtest.h>

#include "common/device/profile.h"

namespace warpgrade::measure::gpu_time_test {

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
  // 2048 threads an SM in blocks of 256; 65536 registers are enough for 32 each.
  EXPECT_EQ(8U, timed({1e-3}).occupancy.blocks_per_sm);
}

}  // namespace warpgrade::measure::gpu_time_test
