// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/device_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "common/base/error.h"

namespace warpgrade::gpu::device_lock_test {

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

}  // namespace warpgrade::gpu::device_lock_test
