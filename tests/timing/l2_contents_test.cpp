// SPDX-License-Identifier: Apache-2.0
// What earlier launches of a sequence leave in L2, by hand calculation.
#include "common/timing/l2_contents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
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

// The first launch writes 16,384 sectors, the second reads as many others: together all that L2
// holds. One sector more, and none is left.
TEST(L2Contents, WhatIsUsedInBetweenMustFitBesideIt) {
  for (const std::uint64_t others : {16384, 16385}) {
    L2Contents l2(card(), {kBytes * 16384, kBytes * others});
    l2.add({uses(0, 16384), uses(0, 0)});
    l2.add({uses(0, 0), uses(others, 0)});
    EXPECT_THAT(l2.held({uses(16384, 0), uses(0, 0)}), ElementsAre(others == 16384 ? 1 : 0, 0));
  }
}

TEST(L2Contents, WhatTheLaunchItselfUsesMustFitBesideIt) {
  for (const std::uint64_t others : {16384, 16385}) {
    L2Contents l2(card(), {kBytes * 16384, kBytes * others});
    l2.add({uses(16384, 0), uses(0, 0)});
    EXPECT_THAT(l2.held({uses(16384, 0), uses(0, others)}), ElementsAre(others == 16384 ? 1 : 0, 0));
  }
}

TEST(L2Contents, NothingIsLeftOfABufferThatIsTooLarge) {
  L2Contents l2(card(), {kBytes * 65536});
  l2.add({uses(65536, 0)});
  EXPECT_THAT(l2.held({uses(65536, 0)}), ElementsAre(0));
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
