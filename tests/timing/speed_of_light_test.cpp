// SPDX-License-Identifier: Apache-2.0
#include "common/timing/speed_of_light.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "common/device/profile.h"
#include "common/timing/bound.h"
#include "common/timing/dram_demand.h"
#include "common/timing/sample.h"
#include "common/timing/simulation.h"
#include "common/timing/trace.h"

namespace warpgrade::timing::speed_of_light_test {

// A launch of a millisecond: 1,980,000 clocks of an H200 with 132 SMs of 64 warps.

const std::string kWarps = "sm__warps_active.avg.pct_of_peak_sustained_active";
const std::string kDram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";

class SpeedOfLightTest : public testing::Test {
 protected:
  SpeedOfLightTest() {
    trace_.blocks.resize(1);
    sample_.blocks = 1e6;
    simulated_.seconds = 1e-3;
    simulated_.activity.active = 1000;
    simulated_.activity.resident = 32'000;
    simulated_.activity.issued = 1;
    occupancy_.blocks_per_sm = 8;
    occupancy_.warps_per_sm = 64;
  }
  SpeedOfLight launch(const std::string& device = "h200") const {
    return {device::find(device), sample_, trace_, simulated_, dram_, occupancy_};
  }
  memory::Metrics metrics(const std::string& device = "h200") const {
    return launch(device).metrics(device::find(device));
  }

  Trace trace_;
  Sample sample_;
  SimulatedTime simulated_;
  DramTraffic dram_;
  Occupancy occupancy_;
};

TEST_F(SpeedOfLightTest, OccupancyIsTheMeanNumberOfWarpsOfThoseThatFit) {
  EXPECT_DOUBLE_EQ(50, metrics().at(kWarps));
  occupancy_.warps_per_sm = 16;
  EXPECT_DOUBLE_EQ(25, metrics().at(kWarps));
}

// A wave is 8 x 132 = 1,056 blocks. 0.4 of 20,000 clocks are 8,000 of the 32,000.
TEST_F(SpeedOfLightTest, InTheLastWaveTheOldestOfCompetingWarpsEndFirst) {
  simulated_.activity.in(WarpState::kNotSelected) = 20'000;
  sample_.blocks = 1056;
  EXPECT_DOUBLE_EQ(37.5, metrics().at(kWarps));
  sample_.blocks = 2112;
  EXPECT_DOUBLE_EQ(43.75, metrics().at(kWarps));
}

// 2.4 GB in a millisecond are half of 4.8 TB/s; 2,450 clocks around the blocks are 0.12 %.
TEST_F(SpeedOfLightTest, DramMovesReadsFillsAndWritesBeyondWhatL2Keeps) {
  dram_.read = 1e9;
  dram_.filled = 0.4e9;
  dram_.written = 1e9 + l2_dirty(device::find("h200"));
  EXPECT_NEAR(50, metrics().at(kDram), 0.1);
}

// A million blocks request four sectors each. L1 has a quarter of eight; DRAM delivers a million.
TEST_F(SpeedOfLightTest, HitsAreSectorsThatTheNextLevelDoesNotDeliver) {
  trace_.blocks[0].l1_sectors = 8;
  trace_.blocks[0].l1_hits = 2;
  trace_.blocks[0].requests.push_back(
      {.kind = TracedAccess::Kind::kLoad, .lines = 1, .sectors = 4});
  dram_.read = 32e6;
  EXPECT_DOUBLE_EQ(25, metrics().at("l1tex__t_sector_hit_rate.pct"));
  EXPECT_NEAR(75, metrics().at("lts__t_sector_hit_rate.pct"), 0.1);
}

TEST_F(SpeedOfLightTest, StallsArePerIssuedInstruction) {
  simulated_.activity.in(WarpState::kBarrier) = 500;
  simulated_.activity.in(WarpState::kSelected) = 100;
  simulated_.activity.issued = 100 / 0.85;
  const auto got = metrics();
  EXPECT_DOUBLE_EQ(5, got.at("smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"));
  EXPECT_DOUBLE_EQ(0.1, got.at("sm__inst_executed.avg.per_cycle_active"));
  EXPECT_DOUBLE_EQ(2.5, got.at("smsp__issue_active.avg.pct_of_peak_sustained_active"));
}

TEST_F(SpeedOfLightTest, UnitsThatWereMeasuredOnHopperAreAbsentElsewhere) {
  EXPECT_TRUE(metrics().contains("lts__throughput.avg.pct_of_peak_sustained_elapsed"));
  EXPECT_FALSE(metrics("a100").contains("lts__throughput.avg.pct_of_peak_sustained_elapsed"));
  EXPECT_FALSE(metrics("a100").contains("sm__throughput.avg.pct_of_peak_sustained_elapsed"));
  EXPECT_TRUE(metrics("a100").contains(kWarps));
  // Before Nsight Compute there are only the sectors of local memory.
  EXPECT_EQ(2U, metrics("k40").size());
}

TEST_F(SpeedOfLightTest, LaunchesAddUpByTheirTimes) {
  dram_.read = 2.4e9;
  auto sum = launch();
  dram_.read = 0;
  sum += launch();
  EXPECT_NEAR(25, sum.metrics(device::find("h200")).at(kDram), 0.1);
  EXPECT_DOUBLE_EQ(50, sum.metrics(device::find("h200")).at(kWarps));
}

TEST_F(SpeedOfLightTest, LocalMemoryIsZeroInLaunchesWithoutIt) {
  const std::string sectors = "warpgrade__local_lts_sectors.sum";
  EXPECT_EQ(0, metrics().at(sectors));
  TracedAccess spill{.kind = TracedAccess::Kind::kStore, .lines = 1, .sectors = 4};
  spill.buffer = TracedAccess::kLocal;
  trace_.blocks[0].requests.push_back(spill);
  dram_.local_read = 1000;
  EXPECT_DOUBLE_EQ(4e6, metrics().at(sectors));
  EXPECT_DOUBLE_EQ(1000, metrics().at("warpgrade__local_dram_bytes.sum"));
  const auto& names = speed_of_light_names();
  for (const auto& [name, value] : metrics()) {
    EXPECT_TRUE(std::ranges::binary_search(names, name)) << name;
  }
}

TEST_F(SpeedOfLightTest, ACardHasExactlyTheMetricsThatAreModelledForIt) {
  trace_.blocks[0].requests.push_back(
      {.kind = TracedAccess::Kind::kLoad, .lines = 1, .sectors = 4});
  for (const auto* device : {"h200", "a100", "v100", "k40", "g80"}) {
    std::vector<std::string> expected;
    for (const auto& name : speed_of_light_names()) {
      if (is_modelled(device::find(device), name)) expected.push_back(name);
    }
    std::vector<std::string> got;
    for (const auto& [name, value] : metrics(device)) got.push_back(name);
    EXPECT_THAT(got, testing::ElementsAreArray(expected)) << device;
  }
}

TEST(SpeedOfLight, OfALaunchThatWasNotTimedHasNoMetrics) {
  EXPECT_THAT(SpeedOfLight().metrics(device::find("h200")), testing::IsEmpty());
}

}  // namespace warpgrade::timing::speed_of_light_test
