// SPDX-License-Identifier: Apache-2.0
// Queues of partitions that interleave addresses plainly, with times calculated by hand.
#include "common/timing/partitions.h"

#include <gtest/gtest.h>

namespace warpgrade::timing::partitions_test {

// Four partitions take turns every 256 bytes, and each moves a byte per clock. A clock takes one
// second.
device::Profile machine() {
  device::Profile p;
  p.sm.clock_hz = 1;
  p.dram.partitions = 4;
  p.dram.partition_width = 256;
  p.dram.bytes_per_second = 4;
  p.dram.efficiency = 1;
  p.dram.partition_queue_bytes = 64;
  p.dram.banks = 0;
  return p;
}

memory::Transaction at(std::uint64_t address, std::uint32_t bytes = 32) {
  memory::Transaction transaction;
  transaction.address = address;
  transaction.bytes = static_cast<decltype(transaction.bytes)>(bytes);
  return transaction;
}

TEST(Partitions, TransactionsOfOnePartitionWaitForEachOther) {
  Partitions partitions(machine());
  EXPECT_EQ(32, partitions.serve(0, at(0)));
  EXPECT_EQ(64, partitions.serve(0, at(64)));
  EXPECT_EQ(96, partitions.serve(10, at(1024)));  // the next piece of the same partition
}

TEST(Partitions, OthersAreServedAtTheSameTime) {
  Partitions partitions(machine());
  for (std::uint64_t piece = 0; piece < 4; ++piece) {
    EXPECT_EQ(32, partitions.serve(0, at(256 * piece)));
  }
  EXPECT_EQ(32, partitions.mean_busy());
  EXPECT_EQ(32, partitions.busiest());
}

TEST(Partitions, WhereOneDoesAllTheWorkTheMeanIsAQuarter) {
  Partitions partitions(machine());
  for (int i = 0; i < 4; ++i) partitions.serve(0, at(0));
  EXPECT_EQ(32, partitions.mean_busy());
  EXPECT_EQ(128, partitions.busiest());
}

TEST(Partitions, AFullQueueAdmitsLater) {
  Partitions partitions(machine());
  EXPECT_EQ(5, partitions.admission(5, at(0)));
  for (int i = 0; i < 4; ++i) partitions.serve(0, at(0));  // busy until 128
  EXPECT_EQ(64, partitions.admission(5, at(0)));           // 64 bytes may wait
  EXPECT_EQ(100, partitions.admission(100, at(0)));
  EXPECT_EQ(5, partitions.admission(5, at(256)));
}

TEST(Partitions, AnIdlePartitionStartsAtTheArrival) {
  Partitions partitions(machine());
  EXPECT_EQ(1032, partitions.serve(1000, at(0)));
}

TEST(Partitions, APageThatIsNotOpenCostsItsTime) {
  auto profile = machine();
  profile.dram.banks = 1;
  profile.dram.page_bytes = 512;
  profile.dram.page_seconds = 7;
  Partitions partitions(profile);
  EXPECT_EQ(39, partitions.serve(0, at(0)));
  EXPECT_EQ(71, partitions.serve(0, at(32)));     // the same page
  EXPECT_EQ(103, partitions.serve(0, at(1024)));  // bytes 256 to 511 of the partition
  EXPECT_EQ(142, partitions.serve(0, at(2048)));  // another page
}

TEST(Partitions, WithoutAnyNothingIsBusy) {
  auto profile = machine();
  profile.dram.partitions.reset();
  const Partitions partitions(profile);
  EXPECT_EQ(0, partitions.mean_busy());
  EXPECT_EQ(0, partitions.busiest());
}

}  // namespace warpgrade::timing::partitions_test
