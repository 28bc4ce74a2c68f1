// SPDX-License-Identifier: Apache-2.0
// The value of each metric, calculated by hand.
#include "grader/course/launch_metrics.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace warpgrade::grader::course::launch_metrics_test {

class LaunchMetrics : public testing::Test {
 protected:
  std::optional<double> value(std::string_view name) const {
    const std::vector<const compile::Kernel*> kernels = {&small_, &large_};
    for (const auto& metric : launch_metrics()) {
      if (metric.name == name) {
        return metric.value({kernels, launch_, occupancy_, device::find("h200")});
      }
    }
    throw std::logic_error("no such metric");
  }

  compile::Kernel small_, large_;
  run::Launch launch_;
  timing::Occupancy occupancy_;
};

TEST_F(LaunchMetrics, AreThoseOfTheKernelThatNeedsMost) {
  small_.resources.registers_per_thread = 16;
  large_.resources.registers_per_thread = 40;
  small_.resources.static_shared_bytes = 4096;
  EXPECT_EQ(40, value("launch__registers_per_thread"));
  EXPECT_EQ(4096, value(kStaticSharedBytes));
}

// 132 multiprocessors hold 8 blocks each: 1,056.
TEST_F(LaunchMetrics, WavesAreBlocksOfTheGridForThoseThatAllMultiprocessorsHold) {
  launch_.grid = {64, 11, 3};
  occupancy_.blocks_per_sm = 8;
  EXPECT_EQ(2.0, value(kWaves));
}

TEST_F(LaunchMetrics, WavesAreUnknownIfNoBlockFits) { EXPECT_FALSE(value(kWaves)); }

}  // namespace warpgrade::grader::course::launch_metrics_test
