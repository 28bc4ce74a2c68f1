// SPDX-License-Identifier: Apache-2.0
// Records the times of launches on a GPU in their measurement.
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
  // An SM holds 2048 threads in blocks of 256. Its 65536 registers suffice for 32 per thread.
  EXPECT_EQ(8U, timed({1e-3}).occupancy.blocks_per_sm);
}

}  // namespace warpgrade::measure::gpu_time_test
