// SPDX-License-Identifier: Apache-2.0
// What limits a launch, on a device with round numbers.
#include "common/measure/bottleneck.h"

#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "common/measure/measurement.h"
#include "common/timing/bound.h"

namespace warpgrade::measure::bottleneck_test {

using timing::Bound;

// 10 SMs of 64 warps; DRAM moves 1 TB/s (a copy reaches 80 %) with a latency of 500 ns, or 900 ns
// under load.
device::Profile ten_sms() {
  device::Profile profile;
  profile.sm.count = 10;
  profile.sm.limits.warps = 64;
  profile.dram.bytes_per_second = 1e12;
  profile.dram.efficiency = 0.8;
  profile.dram.latency_seconds = 500e-9;
  profile.dram.loaded_latency_seconds = 900e-9;
  profile.launch.l2_read_sectors = 250;
  profile.launch.dram_read_bytes = 3200;
  return profile;
}

// A launch of 15 us, 5 us of them overhead; DRAM is busy for 5 us. It reads 62,500 sectors from L2,
// 2 MB, and reads are three quarters of DRAM's bytes. All 64 warps fit and are there.
Measurement launch_bound_by(Bound resource) {
  Measurement out;
  out.seconds = 15e-6;
  out.bound_by = resource;
  out.shares = {{Bound::kDram, 5e-6}, {Bound::kLaunchOverhead, 5e-6}};
  out.metrics["lts__t_sectors_op_read.sum"] = 62'750;
  out.metrics["dram__bytes_read.sum"] = 2'003'200;
  out.metrics["dram__bytes_write.sum"] = 2'003'200.0 / 3;
  out.metrics["sm__warps_active.avg.pct_of_peak_sustained_active"] = 100;
  out.occupancy.warps_per_sm = 64;
  out.parts.waiting[static_cast<std::size_t>(timing::WarpState::kLongScoreboard)] = 5e-6;
  return out;
}

// 2 MB in 10 us are 0.2 TB/s. DRAM is busy half of the time, so the latency is 700 ns: 140,000
// bytes in flight on 10 SMs. Each SM needs 0.8 TB/s x 900 ns / 10 x 3 / 4.
TEST(LoadsInFlight, FollowLittlesLaw) {
  const auto loads = loads_in_flight(ten_sms(), launch_bound_by(Bound::kLatency));
  EXPECT_NEAR(14'000, loads.mean, 1e-6);
  EXPECT_NEAR(54'000, loads.needed, 1e-6);
}

// Half of the 62,500 sectors from DRAM cross to the other half of L2, and count again there.
TEST(LoadsInFlight, AreCountedOnceIfL2HasTwoHalves) {
  auto profile = ten_sms();
  profile.l2.halves = 2;
  auto measured = launch_bound_by(Bound::kLatency);
  measured.metrics["lts__t_sectors_op_read.sum"] = 94'000;
  EXPECT_NEAR(14'000, loads_in_flight(profile, measured).mean, 1e-6);
}

TEST(Bottleneck, IsTheUnitThatBindsTheTime) {
  const auto of = [](Bound bound) { return bottleneck(ten_sms(), launch_bound_by(bound)); };
  EXPECT_EQ(Bottleneck::kDram, of(Bound::kDram));
  EXPECT_EQ(Bottleneck::kL2, of(Bound::kSmPort));
  EXPECT_EQ(Bottleneck::kL1, of(Bound::kSharedWavefronts));
  EXPECT_EQ(Bottleneck::kSm, of(Bound::kXuPipe));
  EXPECT_EQ(Bottleneck::kLaunch, of(Bound::kLaunchOverhead));
  EXPECT_EQ(Bottleneck::kUnknown, of(Bound::kBlocksNotFollowed));
}

TEST(Bottleneck, IsBytesInFlightIfAllWarpsWaitForMemory) {
  EXPECT_EQ(Bottleneck::kInFlight, bottleneck(ten_sms(), launch_bound_by(Bound::kLatency)));
}

TEST(Bottleneck, IsOccupancyIfHalfOfTheWarpsDoNotFit) {
  auto measured = launch_bound_by(Bound::kLatency);
  measured.occupancy.warps_per_sm = 32;
  measured.metrics["sm__warps_active.avg.pct_of_peak_sustained_active"] = 49;
  EXPECT_EQ(Bottleneck::kOccupancy, bottleneck(ten_sms(), measured));
  measured.occupancy.warps_per_sm = 33;
  EXPECT_EQ(Bottleneck::kInFlight, bottleneck(ten_sms(), measured));
}

// 41.6 warps are 0.65 of 64.
TEST(Bottleneck, IsTheGridIfItLeavesRoomForWarps) {
  auto measured = launch_bound_by(Bound::kLatency);
  auto& active = measured.metrics["sm__warps_active.avg.pct_of_peak_sustained_active"];
  active = 64.9;
  EXPECT_EQ(Bottleneck::kGrid, bottleneck(ten_sms(), measured));
  active = 65.1;
  EXPECT_EQ(Bottleneck::kInFlight, bottleneck(ten_sms(), measured));
}

// 15 us, of which the last blocks are alone for 3.7 or 3.8.
TEST(Bottleneck, IsTheGridIfItsLastBlocksAreAloneForLong) {
  auto measured = launch_bound_by(Bound::kLatency);
  measured.parts.tail = 3.7e-6;
  EXPECT_EQ(Bottleneck::kInFlight, bottleneck(ten_sms(), measured));
  measured.parts.tail = 3.8e-6;
  EXPECT_EQ(Bottleneck::kGrid, bottleneck(ten_sms(), measured));
}

TEST(Bottleneck, IsNotKnownIfWarpsWaitForEachOtherOrEnoughIsInFlight) {
  auto measured = launch_bound_by(Bound::kLatency);
  measured.metrics["lts__t_sectors_op_read.sum"] = 1'000'250;  // 224,000 bytes per SM
  EXPECT_EQ(Bottleneck::kUnknown, bottleneck(ten_sms(), measured));
  measured = launch_bound_by(Bound::kLatency);
  measured.parts.waiting[static_cast<std::size_t>(timing::WarpState::kBarrier)] = 6e-6;
  EXPECT_EQ(Bottleneck::kUnknown, bottleneck(ten_sms(), measured));
}

TEST(Bottleneck, WarpsAreThoseThatFitWithoutAMetricOfTheCard) {
  auto measured = launch_bound_by(Bound::kLatency);
  EXPECT_EQ(64, resident_warps(ten_sms(), measured));
  measured.metrics.erase("sm__warps_active.avg.pct_of_peak_sustained_active");
  measured.occupancy.warps_per_sm = 24;
  EXPECT_EQ(24, resident_warps(ten_sms(), measured));
}

}  // namespace warpgrade::measure::bottleneck_test
