// SPDX-License-Identifier: Apache-2.0
// Conditions of a card: when it is slowed down, and what is unknown without the library.
#include "common/gpu/nvml.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "fake_driver.h"

namespace warpgrade::gpu::nvml_test {

constexpr std::uint64_t kPowerCap = 0x4;
constexpr std::uint64_t kHardware = 0x8;
constexpr std::uint64_t kThermal = 0x20;

Conditions with(std::uint64_t reasons) {
  Conditions out;
  out.known = true;
  out.reasons = reasons;
  return out;
}

TEST(Conditions, APowerCapIsHowLargeCardsRun) {
  EXPECT_FALSE(is_slowed_down(with(0)));
  EXPECT_FALSE(is_slowed_down(with(kPowerCap)));
  EXPECT_EQ("", slowdown_text(with(kPowerCap)));
}

TEST(Conditions, HeatAndHardwareSlowItDown) {
  for (const auto reasons : {kHardware, kThermal, kThermal | kPowerCap}) {
    EXPECT_TRUE(is_slowed_down(with(reasons))) << reasons;
    EXPECT_NE("", slowdown_text(with(reasons))) << reasons;
  }
}

TEST(Nvml, ALibraryThatIsNotThereIsNoError) {
  EXPECT_FALSE(load_nvml("/no/such/library.so"));
  EXPECT_FALSE(load_nvml("libm.so.6"));
  EXPECT_EQ("", driver_version(std::nullopt));
}

TEST(Monitor, WithoutTheLibraryConditionsAreUnknown) {
  const Monitor monitor(std::nullopt, "0000:00:00.0", [](pid_t) { return false; });
  EXPECT_FALSE(monitor.conditions().known);
}

TEST(Monitor, AsksForClocksAndReasons) {
  const auto platform = testing::fake_platform();
  testing::fake().clock_reasons = kThermal;
  const Monitor monitor(platform.nvml, "0000:00:00.0", [](pid_t) { return false; });
  const auto now = monitor.conditions();
  EXPECT_TRUE(now.known);
  EXPECT_EQ(1980U, now.sm_mhz);
  EXPECT_TRUE(is_slowed_down(now));
}

TEST(IsSibling, IsWhatThisProgramsParentStarted) {
  EXPECT_TRUE(is_sibling(getpid()));
  EXPECT_FALSE(is_sibling(1));
}

}  // namespace warpgrade::gpu::nvml_test
