// SPDX-License-Identifier: Apache-2.0
#include "common/measure/card_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "common/base/error.h"

namespace warpgrade::measure::card_profile_test {

// NVIDIA RTX 3050 laptop: 16 multiprocessors of 1536 threads, 2 MiB of L2, a 128-bit bus at 5501
// MHz.
gpu::DeviceInfo rtx3050() {
  gpu::DeviceInfo out;
  out.name = "NVIDIA GeForce RTX 3050 Laptop GPU";
  out.architecture = "sm_86";
  out.compute_major = 8;
  out.compute_minor = 6;
  out.sm_count = 16;
  out.max_threads_per_block = 1024;
  out.max_threads_per_sm = 1536;
  out.max_blocks_per_sm = 16;
  out.registers_per_sm = 65536;
  out.shared_bytes_per_sm = 102400;
  out.shared_reserved_per_block = 1024;
  out.max_shared_bytes_per_block = 101376;
  out.l2_bytes = 2 << 20;
  out.memory_bytes_per_second = 176e9;
  return out;
}

gpu::DeviceInfo h200() {
  gpu::DeviceInfo out;
  out.name = "NVIDIA H200";
  out.architecture = "sm_90";
  out.compute_major = 9;
  out.sm_count = 132;
  out.l2_bytes = 50 << 20;
  out.memory_bytes_per_second = 4.9e12;
  return out;
}

TEST(CardProfile, ACardWithoutAProfileHasTheLimitsThatItsDriverSays) {
  const auto profile = card_profile(rtx3050(), false);
  EXPECT_EQ("gpu", profile.name);
  EXPECT_EQ("NVIDIA GeForce RTX 3050 Laptop GPU", profile.product);
  EXPECT_EQ("sm_86", profile.architecture);
  EXPECT_EQ(16U, profile.sm.count);
  EXPECT_EQ(48U, profile.sm.limits.warps);
  EXPECT_EQ(16U, profile.sm.limits.blocks);
  EXPECT_EQ(102400U, profile.shared.bytes);
  EXPECT_EQ(1024U, profile.shared.reserved_bytes_per_block);
  EXPECT_EQ(2U << 20, profile.l2.bytes);
  EXPECT_EQ(176e9, profile.dram.bytes_per_second);
  EXPECT_EQ(device::Coalescing::kSectors, profile.rules.coalescing);
  EXPECT_EQ(device::SharedBanks::kThirtyTwo, profile.rules.shared_banks);
}

TEST(CardProfile, AnOlderCardThanEveryProfileHasSectors) {
  gpu::DeviceInfo info;
  info.name = "Some Fermi";
  info.architecture = "sm_20";
  info.compute_major = 2;
  EXPECT_EQ(device::Coalescing::kSectors, card_profile(info, false).rules.coalescing);
}

TEST(CardProfile, ACardOfAProfileHasItAndIsCompiledForItself) {
  EXPECT_EQ("h200", card_profile(h200(), false).name);
  EXPECT_EQ(device::find("h200").dram.bytes_per_second,
            card_profile(h200(), false).dram.bytes_per_second);
  auto old = h200();
  old.name = std::string(device::find("k40").product);
  old.architecture = "sm_35";
  EXPECT_EQ("k40", card_profile(old, false).name);
  EXPECT_EQ("sm_35", card_profile(old, false).architecture);
}

TEST(CardProfile, AnOlderCardsDriverLeavesOutItsMaker) {
  gpu::DeviceInfo info;
  info.name = "Tesla T4";
  info.architecture = "sm_75";
  EXPECT_EQ("t4", card_profile(info, false).name);
}

TEST(CardProfile, ACardCanBeTreatedAsUnknown) {
  const auto profile = card_profile(h200(), true);
  EXPECT_EQ("gpu", profile.name);
  EXPECT_EQ("NVIDIA H200", profile.product);
  EXPECT_EQ(4.9e12, profile.dram.bytes_per_second);
}

// A slice of a card does not get the profile of the card.
TEST(CardProfile, ASliceIsNotItsCard) {
  auto slice = h200();
  slice.name = "NVIDIA H200 MIG 1g.18gb";
  slice.sm_count = 16;
  EXPECT_EQ("gpu", card_profile(slice, false).name);
  EXPECT_EQ(16U, card_profile(slice, false).sm.count);
}

TEST(CardProfile, TheVariableHasOneMeaning) {
  ::unsetenv("WARPGRADE_CARD");
  EXPECT_FALSE(is_card_unknown());
  ::setenv("WARPGRADE_CARD", "unknown", 1);
  EXPECT_TRUE(is_card_unknown());
  ::setenv("WARPGRADE_CARD", "t4", 1);
  EXPECT_THROW(is_card_unknown(), base::UsageError);
  ::unsetenv("WARPGRADE_CARD");
}

using testing::HasSubstr;

gpu::DeviceInfo card(std::uint32_t major, std::uint32_t minor, std::uint32_t driver) {
  gpu::DeviceInfo out;
  out.name = "Some card";
  out.compute_major = major;
  out.compute_minor = minor;
  out.driver_cuda = driver;
  return out;
}

TEST(CardToolkit, ANewDriverTakesTheNewest) {
  EXPECT_EQ(13U, toolkit_for(card(9, 0, 13000)).most);
  EXPECT_EQ(13U, toolkit_for(card(7, 5, 13010)).most);
  EXPECT_EQ(13U, toolkit_for(card(8, 6, 0)).most);  // This driver does not report its version.
}

TEST(CardToolkit, ADriverOf12LoadsNothingNewer) {
  const auto choice = toolkit_for(card(8, 6, 12040));
  EXPECT_EQ(12U, choice.most);
  EXPECT_EQ("the driver of Some card loads code of CUDA 12.4 at most", choice.why);
  EXPECT_EQ(0U, toolkit_for(card(8, 6, 11080)).most);
}

TEST(CardToolkit, CardsBeforeTuringNeed12) {
  const auto volta = toolkit_for(card(7, 0, 13000));
  EXPECT_EQ(12U, volta.most);
  EXPECT_THAT(volta.why, HasSubstr("compute capability 7.0, and CUDA 13 makes code from 7.5 on"));
  EXPECT_EQ(12U, toolkit_for(card(5, 2, 12040)).most);
}

TEST(CardToolkit, KeplerHasNone) {
  try {
    choose_toolkit(card(3, 5, 11040));
    FAIL() << "there is none";
  } catch (const base::ToolError& error) {
    EXPECT_STREQ(
        "Some card is of compute capability 3.5, and CUDA 12 makes code from 5.0 on: it cannot "
        "measure; --backend sim grades without it",
        error.what());
  }
}

}  // namespace warpgrade::measure::card_profile_test
