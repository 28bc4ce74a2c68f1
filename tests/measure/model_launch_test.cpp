// SPDX-License-Identifier: Apache-2.0
// Reasons why a launch does not fit a device, and its use of an SM's resources.
#include "common/measure/model_launch.h"

#include <gtest/gtest.h>

namespace warpgrade::measure {
namespace model_launch_test {

compile::Kernel kernel(std::uint32_t registers, std::uint32_t shared_bytes) {
  compile::Kernel out;
  out.resources.registers_per_thread = registers;
  out.resources.static_shared_bytes = shared_bytes;
  return out;
}
run::Launch launch(std::uint32_t threads, std::uint32_t dynamic_bytes = 0) {
  run::Launch out;
  out.block.x = threads;
  out.dynamic_shared_bytes = dynamic_bytes;
  return out;
}

TEST(DoesNotFit, NamesWhatIsTooMuch) {
  const auto& old = device::find("gtx280");
  EXPECT_EQ("", does_not_fit(old, kernel(10, 0), launch(512)));
  EXPECT_EQ("513 threads a block, 512 at most", does_not_fit(old, kernel(10, 0), launch(513)));
  EXPECT_EQ("43008 bytes of shared memory a block, 16384 at most",
            does_not_fit(old, kernel(10, 1024), launch(64, 41984)));
  EXPECT_EQ("512 threads of 128 registers a block, limited by registers",
            does_not_fit(old, kernel(128, 0), launch(512)));
}

TEST(OccupancyOf, CountsStaticAndDynamicSharedMemory) {
  const auto& profile = device::find("k40");
  EXPECT_EQ(8U, occupancy_of(profile, kernel(32, 0), launch(256)).blocks_per_sm);
  EXPECT_EQ(2U, occupancy_of(profile, kernel(32, 8192), launch(256, 16384)).blocks_per_sm);
}

}  // namespace model_launch_test
}  // namespace warpgrade::measure
