// SPDX-License-Identifier: Apache-2.0
// The profiles: found by name, complete, and equal to what data sheets say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/base/error.h"
#include "common/device/profile.h"

namespace warpgrade::device {
namespace profiles_test {

std::string message_for(std::string_view name) {
  try {
    find(name);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "found";
}

TEST(Profiles, AreOldestFirst) {
  std::vector<std::string_view> names;
  for (const Profile* profile : profiles()) names.push_back(profile->name);
  EXPECT_THAT(names, testing::ElementsAre("g80", "gtx280", "c1060", "k20x", "k40", "titan_black",
                                          "v100", "h200"));
}

TEST(Profiles, AreFoundByName) { EXPECT_EQ("NVIDIA Tesla K40", find("k40").product); }

TEST(Profiles, AnUnknownNameIsAnsweredWithTheNearestAndTheList) {
  EXPECT_EQ(
      "there is no device 'h20' (did you mean 'h200'?); devices: g80, gtx280, c1060, k20x, k40, "
      "titan_black, v100, h200",
      message_for("h20"));
}

TEST(Profiles, ANameLikeNoneGetsTheListOnly) {
  EXPECT_EQ(
      "there is no device 'radeon'; devices: g80, gtx280, c1060, k20x, k40, titan_black, v100, "
      "h200",
      message_for("radeon"));
  EXPECT_THAT(message_for(""), testing::Not(testing::HasSubstr("did you mean")));
}

TEST(Profiles, AnUnknownNameCannotMoveTheCursor) {
  EXPECT_THAT(message_for("\x1b[2J"), testing::HasSubstr("'\\x1b[2J'"));
}

// Bus width times data rate, from the data sheets.
TEST(Profiles, PeakBandwidthIsBusWidthTimesDataRate) {
  EXPECT_NEAR(384 / 8 * 2 * 0.900e9, find("g80").dram_bytes_per_second, 0.1e9);
  EXPECT_NEAR(512 / 8 * 2 * 1.107e9, find("gtx280").dram_bytes_per_second, 0.1e9);
  EXPECT_NEAR(512 / 8 * 2 * 0.800e9, find("c1060").dram_bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 2 * 2.600e9, find("k20x").dram_bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 2 * 3.004e9, find("k40").dram_bytes_per_second, 0.1e9);
  EXPECT_NEAR(384 / 8 * 2 * 3.500e9, find("titan_black").dram_bytes_per_second, 0.1e9);
  EXPECT_NEAR(4096 / 8 * 2 * 0.877e9, find("v100").dram_bytes_per_second, 0.1e9);
}

// CUDA cores on the data sheet: SMs times lanes that issue a clock.
TEST(Profiles, IssueRateTimesSmsIsTheNumberOfCores) {
  const auto cores = [](std::string_view name) {
    const Profile& p = find(name);
    return p.sm_count * p.warp_instructions_per_clock_per_sm * 32;
  };
  EXPECT_EQ(128, cores("g80"));
  EXPECT_EQ(240, cores("gtx280"));
  EXPECT_EQ(240, cores("c1060"));
  EXPECT_EQ(2688, cores("k20x"));
  EXPECT_EQ(2880, cores("k40"));
  EXPECT_EQ(2880, cores("titan_black"));
  EXPECT_EQ(5120, cores("v100"));
  EXPECT_EQ(16896, cores("h200"));
}

TEST(Profiles, NoneLeavesANumberOutThatTheModelsDivideBy) {
  for (const Profile* p : profiles()) {
    SCOPED_TRACE(std::string(p->name));
    EXPECT_LT(0, p->sm_clock_hz);
    EXPECT_LT(0, p->dram_bytes_per_second);
    EXPECT_LT(0, p->dram_efficiency);
    EXPECT_GT(1, p->dram_efficiency);
    EXPECT_LT(0, p->port_bytes_per_clock_per_sm);
    EXPECT_LT(0, p->tag_lookups_per_clock_per_sm);
    EXPECT_LT(0, p->shared_wavefronts_per_clock_per_sm);
    EXPECT_LT(0U, p->register_unit);
    EXPECT_LT(0U, p->shared_unit);
    EXPECT_LT(0U, p->warp_unit);
    EXPECT_EQ(p->l2_bytes == 0, p->l2_sectors_per_clock == 0);
    EXPECT_EQ(p->partitions == 0, p->partition_width == 0);
    EXPECT_LE(p->max_threads_per_block, p->max_warps_per_sm * 32);
  }
}

TEST(Profiles, OnlyTheUncachedGenerationsInterleaveTheirPartitionsPlainly) {
  for (const Profile* p : profiles()) EXPECT_EQ(p->l2_bytes == 0, p->partitions != 0) << p->name;
}

}  // namespace profiles_test
}  // namespace warpgrade::device
