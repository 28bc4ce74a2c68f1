// SPDX-License-Identifier: Apache-2.0
// Guards on both sides of a buffer, with a fake driver whose memory is host memory.
#include "common/gpu/device_memory.h"

#include <gtest/gtest.h>

#include "fake_driver.h"

namespace warpgrade::gpu::device_memory_test {

using testing::fake;
using testing::fake_driver;

class DeviceMemoryTest : public ::testing::Test {
 protected:
  Driver driver = fake_driver();
  std::byte* at(const GuardedMemory& memory, std::ptrdiff_t offset) {
    return reinterpret_cast<std::byte*>(memory.address()) + offset;
  }
};

TEST_F(DeviceMemoryTest, ContentGoesThereAndBack) {
  const GuardedMemory memory(driver, 100);
  std::vector<std::byte> content(100, std::byte{7});
  memory.write(content);
  std::vector<std::byte> got(100);
  memory.read(got);
  EXPECT_EQ(content, got);
  EXPECT_EQ(100U, memory.size());
  EXPECT_FALSE(memory.damage("out"));
}

TEST_F(DeviceMemoryTest, AWritePastTheEndIsToldWithItsFirstByte) {
  const GuardedMemory memory(driver, 100);
  *at(memory, 100) ^= std::byte{1};
  EXPECT_EQ("wrote 1 byte past the end of out, first at byte 100 (out has 100 bytes)",
            memory.damage("out"));
  *at(memory, 103) ^= std::byte{1};
  EXPECT_EQ("wrote 2 bytes past the end of out, first at byte 100 (out has 100 bytes)",
            memory.damage("out"));
}

TEST_F(DeviceMemoryTest, AWriteBeforeTheStartIsToldWithItsNearestByte) {
  const GuardedMemory memory(driver, 100);
  *at(memory, -8) ^= std::byte{1};
  *at(memory, -20) ^= std::byte{1};
  EXPECT_EQ("wrote 2 bytes before the start of out, nearest at byte -8", memory.damage("out"));
}

TEST_F(DeviceMemoryTest, MemoryOfSomebodyElseIsNotFreed) {
  const Allocation room(driver, GuardedMemory::room_for(64));
  {
    const GuardedMemory memory(driver, 64, room.address());
    EXPECT_EQ(room.address() + kGuardBytes, memory.address());
  }
  EXPECT_EQ(1U, fake().memory.size());
  { const GuardedMemory own(driver, 64); }
  EXPECT_EQ(1U, fake().memory.size());
}

}  // namespace warpgrade::gpu::device_memory_test
