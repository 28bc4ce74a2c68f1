// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/device_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "common/base/error.h"
#include "tests/gpu/fake_driver.h"

namespace warpgrade::gpu::device_info_test {

// Facts about cards from a driver's attributes, with the values that NVIDIA's deviceQuery prints
// for real cards.

using ::testing::ElementsAre;
using testing::fake;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A Tesla T4: 40 multiprocessors of 1024 threads, and a 256-bit bus at 5001 MHz; its datasheet says
// 320 GB/s.
Driver t4() {
  auto driver = testing::fake_driver();
  fake().device_name = "Tesla T4";
  fake().attributes = {{kMultiprocessors, 40},     {kComputeMajor, 7},
                       {kComputeMinor, 5},         {kMaxThreadsPerSm, 1024},
                       {kMaxBlocksPerSm, 16},      {kRegistersPerSm, 65536},
                       {kSharedPerSm, 65536},      {kMaxSharedPerBlock, 65536},
                       {kL2CacheSize, 4 << 20},    {kMemoryClockKilohertz, 5001000},
                       {kMemoryWidthBits, 256},    {kClockKilohertz, 1590000},
                       {kMaxThreadsPerBlock, 1024}};
  driver.device_total_memory = [](std::size_t* bytes, int) {
    *bytes = 15843721216;
    return kSuccess;
  };
  return driver;
}

TEST(DeviceInfo, IsWhatTheDriverSays) {
  const auto info = device_info(t4(), 0, 1, 0);
  EXPECT_EQ("Tesla T4", info.name);
  EXPECT_EQ("sm_75", info.architecture);
  EXPECT_EQ("0000:3b:00.0", info.bus);
  EXPECT_EQ(40U, info.sm_count);
  EXPECT_EQ(1024U, info.max_threads_per_sm);
  EXPECT_EQ(16U, info.max_blocks_per_sm);
  EXPECT_EQ(65536U, info.registers_per_sm);
  EXPECT_EQ(65536U, info.shared_bytes_per_sm);
  EXPECT_EQ(0U, info.shared_reserved_per_block);  // This driver does not know the attribute.
  EXPECT_EQ(4U << 20, info.l2_bytes);
  EXPECT_EQ(15843721216U, info.memory_bytes);
  EXPECT_DOUBLE_EQ(1.59e9, info.sm_clock_hz);
  EXPECT_NEAR(320e9, info.memory_bytes_per_second, 1e9);  // 2 x 5.001e9 x 32 = 320.06e9.
  EXPECT_FALSE(info.is_slice());
  EXPECT_THAT(remarks(info), IsEmpty());
}

TEST(DeviceInfo, NvmlTellsTheBandwidthThatADriverDoesNot) {
  auto driver = t4();
  fake().attributes[kMemoryClockKilohertz] = 0;
  auto info = device_info(driver, 0, 1, 0);
  EXPECT_EQ(0, info.memory_bytes_per_second);
  auto nvml = testing::fake_platform().nvml;
  add_bandwidth(info, nvml);
  EXPECT_EQ(0, info.memory_bytes_per_second);  // This library is too old to report it.
  nvml->max_clock = [](void*, int which, unsigned* megahertz) {
    *megahertz = which == 2 ? 5001 : 1590;
    return 0;
  };
  nvml->memory_width = [](void*, unsigned* bits) {
    *bits = 256;
    return 0;
  };
  add_bandwidth(info, nvml);
  EXPECT_NEAR(320e9, info.memory_bytes_per_second, 1e9);
}

TEST(DeviceInfo, RemarksNameWhatSetsACardApart) {
  t4();
  auto info = device_info(t4(), 1, 2, 0);
  EXPECT_THAT(remarks(info), ElementsAre(HasSubstr("2 GPUs: this is number 1, Tesla T4, at 0000")));
  info = {};
  info.name = "NVIDIA A100-SXM4-40GB MIG 1g.5gb";
  info.is_integrated = true;
  info.has_watchdog = true;
  EXPECT_THAT(remarks(info),
              ElementsAre(HasSubstr("slice of a card (MIG)"), HasSubstr("memory is the host's"),
                          HasSubstr("drives a display")));
}

class DeviceLockTest : public ::testing::Test {
 protected:
  DeviceLockTest() { std::filesystem::create_directories(folder_); }
  ~DeviceLockTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / "device_lock_test";
};

TEST_F(DeviceLockTest, OneAtATime) {
  auto first = std::make_unique<DeviceLock>(folder_, "0000:3b:00.0", 1);
  try {
    const DeviceLock second(folder_, "0000:3b:00.0", 0);
    FAIL() << "no exception";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("another grader has held it for 0 s"));
  }
  first.reset();
  const DeviceLock third(folder_, "0000:3b:00.0", 0);
}

TEST_F(DeviceLockTest, EachCardHasItsOwn) {
  const DeviceLock one(folder_, "0000:3b:00.0", 0);
  const DeviceLock other(folder_, "0000:3c:00.0", 0);
}

// A user who cannot create files in the folder opens the file that another user created.
TEST_F(DeviceLockTest, ItsFileCanBeMadeBefore) {
  const auto file = make_lock_file(folder_, "0000:3b:00.0");
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ("warpgrade-gpu-0000-3b-00-0.lock", file.filename());
  const DeviceLock one(folder_, "0000:3b:00.0", 0);
  EXPECT_EQ(file, make_lock_file(folder_, "0000:3b:00.0"));
}

TEST_F(DeviceLockTest, AFolderThatIsNotThereIsToldWithItsName) {
  try {
    const DeviceLock lock(folder_ / "none", "", 0);
    FAIL() << "no exception";
  } catch (const base::ToolError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("warpgrade-gpu-0.lock, cannot be opened"));
  }
}

}  // namespace warpgrade::gpu::device_info_test
