// SPDX-License-Identifier: Apache-2.0
// Finds the warps that are in each other's way. issue_test.cpp compares how often warps try again
// with a card.
#include "common/timing/swap_contention.h"

#include <gtest/gtest.h>

#include <array>

namespace warpgrade::timing::swap_contention_test {

class SwapContentionTest : public testing::Test {
 protected:
  SwapContentionTest() { contention_.begin_block(); }

  /// Adds a warp whose lanes of `mask` add to words that are `apart` bytes apart, from `first` on.
  std::uint32_t add(std::uint32_t warp, std::uint64_t first, std::uint64_t apart,
                    std::uint32_t mask = ~0U) {
    std::array<std::uint64_t, 32> address{};
    for (std::uint64_t lane = 0; lane < 32; ++lane) address[lane] = first + lane * apart;
    run::MemoryEvent event{};
    event.warp = warp;
    event.mask = mask;
    event.address = address.data();
    return contention_.add(event);
  }

  static device::Profile profile() {
    device::Profile profile;
    profile.shared.swap_round_clocks = 100;
    profile.shared.swap_window_clocks = 40;
    return profile;
  }
  device::Profile profile_ = profile();
  SwapContention contention_{profile_};
};

TEST_F(SwapContentionTest, AWarpAloneOnItsWordsNeverTriesAgain) {
  const auto mine = add(0, 0, 4);
  const auto theirs = add(1, 128, 4);
  add(0, 128, 4);  // after the other warp is done
  EXPECT_EQ(1, contention_.tries(mine));
  EXPECT_EQ(1, contention_.tries(theirs));
}

// A lane whose word no other warp uses succeeds at once.
TEST_F(SwapContentionTest, TheMeanOfTheWordsCounts) {
  const auto mine = add(0, 0, 4);
  for (std::uint32_t w = 1; w < 8; ++w) add(w, 124, 0);
  EXPECT_NEAR((31 + 1 + 8 * 0.4) / 32, contention_.tries(mine), 1e-9);
}

TEST_F(SwapContentionTest, OneOfThemSucceedsEachRound) {
  const auto mine = add(0, 0, 0);
  add(1, 0, 0);
  EXPECT_NEAR(1.8, contention_.tries(mine), 1e-9);
  profile_.shared.swap_window_clocks = 80;
  contention_ = SwapContention(profile_);
  add(0, 0, 0);
  add(1, 0, 0);
  EXPECT_EQ(2, contention_.tries(mine));
}

TEST_F(SwapContentionTest, ANewBlockHasItsOwnWords) {
  add(0, 0, 0);
  contention_.begin_block();
  EXPECT_EQ(1, contention_.tries(add(1, 0, 0)));
}

TEST_F(SwapContentionTest, WhereNothingIsKnownNobodyTriesAgain) {
  const device::Profile unknown;
  SwapContention contention(unknown);
  EXPECT_EQ(1, contention.tries(0));
}

}  // namespace warpgrade::timing::swap_contention_test
