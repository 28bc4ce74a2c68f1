// SPDX-License-Identifier: Apache-2.0
// Rounds of an atomic that machine code executes as a loop: the edges of the rule.
// shared_banks_test.cpp counts the other cases by hand.
#include "common/memory/shared_loop.h"

#include <gtest/gtest.h>

#include "tests/memory/patterns.h"

namespace warpgrade::memory::shared_loop_test {

SharedLoop loop(const Addresses& address, std::uint32_t bytes,
                std::uint32_t mask = run::kFullMask) {
  WordMarks marks;
  return shared_loop({address.data(), mask, bytes}, marks);
}

TEST(SharedLoop, WordsOfTheirOwnTakeOneRound) {
  const auto words = loop(lanes([](auto l) { return 4 * l; }), 4);
  EXPECT_EQ(1U, words.rounds);
  EXPECT_EQ(1U, words.loads.wavefronts);
  EXPECT_EQ(2U, words.swaps.wavefronts);
  EXPECT_EQ(0U, words.swaps.conflicts);
  EXPECT_EQ(3U, words.one_round);
}

TEST(SharedLoop, LanesOnOneWordGoOneAfterTheOther) {
  EXPECT_EQ(32U, loop(lanes([](auto) { return std::uint64_t{0}; }), 4).rounds);
  EXPECT_EQ(5U, loop(lanes([](auto) { return std::uint64_t{0}; }), 4, 0x1f).rounds);
}

TEST(SharedLoop, WordsOfOneBankToo) {
  EXPECT_EQ(32U, loop(lanes([](auto l) { return 128 * l; }), 4).rounds);
  EXPECT_EQ(3U, loop(lanes([](auto l) { return 128 * l; }), 4).one_round);
  EXPECT_EQ(2U, loop(lanes([](auto l) { return 8 * l; }), 4).rounds);
}

TEST(SharedLoop, EightBytesAreServedByHalfWarps) {
  const auto doubles = loop(lanes([](auto l) { return 8 * l; }), 8);
  EXPECT_EQ(1U, doubles.rounds);
  EXPECT_EQ(4U, doubles.swaps.wavefronts);
  EXPECT_EQ(2U, loop(lanes([](auto l) { return 8 * l; }), 8, 0xffff).swaps.wavefronts);
}

TEST(SharedLoop, TheSecondHalfLosesWhereTheFirstHasChangedItsWord) {
  // Lanes l and l + 16 share a word, and one of them wins each round.
  EXPECT_EQ(2U, loop(lanes([](auto l) { return 8 * (l % 16); }), 8).rounds);
}

TEST(SharedLoop, NoLaneIsNoRound) {
  EXPECT_EQ(SharedLoop{}, loop(lanes([](auto l) { return 4 * l; }), 4, 0));
}

}  // namespace warpgrade::memory::shared_loop_test
