// SPDX-License-Identifier: Apache-2.0
// What earlier launches of a sequence leave in L2, by hand calculation.
#include "common/timing/l2_contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "common/device/profile.h"

namespace warpgrade::timing::l2_contents_test {

using testing::ElementsAre;

constexpr std::uint64_t kBytes = 32;  // of a sector

// Both halves of its L2 keep half of the lines twice, so 1.5 MiB hold 1 MiB: 32,768 sectors.
device::Profile card() {
  auto profile = device::find("h200");
  profile.l2.bytes = 3 << 19;
  return profile;
}

memory::BufferCounters uses(std::uint64_t read, std::uint64_t written) {
  memory::BufferCounters out;
  out.read = {.bytes = kBytes * read, .sectors = read, .granules = read / 2};
  out.written = {.bytes = kBytes * written, .sectors = written, .granules = written / 2};
  return out;
}

TEST(L2Contents, ALaunchFindsWhatTheOneBeforeHasReadAndWritten) {
  L2Contents l2(card(), {kBytes * 8000, kBytes * 4000, kBytes * 100});
  EXPECT_THAT(l2.held({uses(8000, 0), uses(0, 4000), uses(0, 0)}), ElementsAre(0, 0, 0));
  l2.add({uses(8000, 0), uses(0, 4000), uses(0, 0)});
  EXPECT_THAT(l2.held({uses(8000, 0), uses(4000, 0), uses(100, 0)}), ElementsAre(1, 1, 0));
  EXPECT_THAT(l2.held({uses(0, 8000), uses(0, 0), uses(0, 0)}), ElementsAre(0, 0, 0));
}

// The first launch writes 16,384 sectors, the second reads as many others: together what L2 keeps.
// With 24,576 others they are 40,960, which is in the middle between 32,768 and the 49,152 of all
// L2.
constexpr std::array<std::pair<std::uint64_t, double>, 3> kOthers{
    {{16384, 1}, {24576, 0.5}, {32768, 0}}};

TEST(L2Contents, WhatIsUsedInBetweenMustFitBesideIt) {
  for (const auto& [other, share] : kOthers) {
    L2Contents l2(card(), {kBytes * 16384, kBytes * other});
    l2.add({uses(0, 16384), uses(0, 0)});
    l2.add({uses(0, 0), uses(other, 0)});
    EXPECT_THAT(l2.held({uses(16384, 0), uses(0, 0)}), ElementsAre(share, 0));
  }
}

TEST(L2Contents, WhatTheLaunchItselfUsesMustFitBesideIt) {
  for (const auto& [other, share] : kOthers) {
    L2Contents l2(card(), {kBytes * 16384, kBytes * other});
    l2.add({uses(16384, 0), uses(0, 0)});
    EXPECT_THAT(l2.held({uses(16384, 0), uses(0, other)}), ElementsAre(share, 0));
  }
}

// Passes over so many MiB on an H200, and the share of their lines that L2 had
// (tests/evidence/golden/h200_memory).
TEST(L2Contents, PassesOverABufferFindWhatTheyFoundOnAnH200) {
  constexpr std::array<std::pair<std::uint64_t, double>, 5> kMeasured{
      {{40, 1}, {48, 0.75}, {56, 0.2}, {64, 0}, {128, 0}}};
  for (const auto& [mega, share] : kMeasured) {
    const std::uint64_t sectors = 32768 * mega;
    L2Contents l2(device::find("h200"), {kBytes * sectors});
    l2.add({uses(sectors, 0)});
    EXPECT_NEAR(share, l2.held({uses(sectors, 0)}).at(0), 0.16) << mega;
  }
}

// A sector that is used in every launch counts once.
TEST(L2Contents, ASmallBufferStaysForever) {
  L2Contents l2(card(), {kBytes * 10000, kBytes * 10000});
  for (int i = 0; i < 50; ++i) l2.add({uses(10000, 0), uses(i == 0 ? 10000 : 0, 0)});
  EXPECT_THAT(l2.held({uses(0, 0), uses(10000, 0)}), ElementsAre(0, 1));
}

// Each launch uses 6,000 of 10,000 sectors, so both use at least 2,000: a third of 6,000.
TEST(L2Contents, OnlySectorsThatBothLaunchesMustUseCount) {
  L2Contents l2(card(), {kBytes * 10000});
  l2.add({uses(6000, 0)});
  EXPECT_THAT(l2.held({uses(6000, 0)}), ElementsAre(1.0 / 3));
  EXPECT_THAT(l2.held({uses(3000, 0)}), ElementsAre(0));
}

// Cards with compute capability 1.x have no L2.
TEST(L2Contents, WithoutAnL2NothingIsKept) {
  L2Contents l2(device::find("c1060"), {kBytes * 10});
  l2.add({uses(10, 10)});
  EXPECT_THAT(l2.held({uses(10, 0)}), ElementsAre(0));
}

}  // namespace warpgrade::timing::l2_contents_test
