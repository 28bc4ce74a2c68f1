// SPDX-License-Identifier: Apache-2.0
#include "common/memory/atomic_work.h"

#include <gtest/gtest.h>

#include "tests/memory/patterns.h"

namespace warpgrade::memory::atomic_work_test {

AtomicWorks works(const Addresses& address, std::uint32_t mask = ~0U) {
  return atomic_works({address.data(), mask, 4});
}

TEST(AtomicWork, LanesOnOneWordTakeAPassEach) {
  const AtomicWorks found = works(lanes([](auto) { return 1024; }));
  ASSERT_EQ(1U, found.count);
  EXPECT_EQ((AtomicWork{2, 0, 32}), found.list[0]);
}

TEST(AtomicWork, WordsOfASectorTakeOnePass) {
  const AtomicWorks found = works(lanes([](auto lane) { return 4 * lane; }));
  ASSERT_EQ(1U, found.count);
  EXPECT_EQ((AtomicWork{0, 4, 0}), found.list[0]);  // a line of four sectors
}

TEST(AtomicWork, TheBusiestWordOfASectorCounts) {
  // Lanes 0 to 7 on words 0 to 7 of a sector, twelve on each of two words of the next one.
  const AtomicWorks found =
      works(lanes([](auto lane) { return lane < 8 ? 4 * lane : 32 + lane % 2 * 4; }));
  ASSERT_EQ(1U, found.count);
  EXPECT_EQ((AtomicWork{0, 1, 12}), found.list[0]);
}

TEST(AtomicWork, PiecesAreOf512Bytes) {
  const AtomicWorks found = works(lanes([](auto lane) { return 256 * lane; }), 0xfU);
  ASSERT_EQ(2U, found.count);
  EXPECT_EQ((AtomicWork{0, 2, 0}), found.list[0]);
  EXPECT_EQ((AtomicWork{1, 2, 0}), found.list[1]);
}

TEST(MostOnOneWord, CountsTheActiveLanesOfTheMostUsedWord) {
  const auto most = [](const Addresses& address, std::uint32_t mask = ~0U) {
    return most_on_one_word({address.data(), mask, 4});
  };
  EXPECT_EQ(32U, most(lanes([](auto) { return 1024; })));
  EXPECT_EQ(5U, most(lanes([](auto) { return 1024; }), 0x1fU << 20));
  EXPECT_EQ(1U, most(lanes([](auto lane) { return 4 * lane; })));
  // Lanes 0, 3, 6 to 30 are eleven.
  EXPECT_EQ(11U, most(lanes([](auto lane) { return lane % 3 == 0 ? 0 : 4 * lane; })));
  EXPECT_EQ(0U, most(lanes([](auto) { return 0; }), 0));
}

}  // namespace warpgrade::memory::atomic_work_test
