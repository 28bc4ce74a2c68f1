// SPDX-License-Identifier: Apache-2.0
#include "common/memory/shared_banks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "tests/memory/patterns.h"
#include "tests/sanitized.h"

namespace warpgrade::memory::shared_banks_test {

// Bank conflicts, checked with hand calculations, an H200's counters and published statements.

using device::SharedBanks;

SharedAccess strided(SharedBanks rule, std::uint64_t words, std::uint32_t bytes) {
  const Addresses address = lanes([&](auto l) { return l * words * bytes; });
  return shared_access(rule, {address.data(), 0xffffffffU, bytes});
}

// With 32 banks, the lanes that share a bank number the greatest common divisor of the stride and
// 32.
TEST(Banks, WavefrontsOf32BitWordsAreTheGreatestCommonDivisorWith32) {
  for (std::uint64_t stride = 1; stride <= 33; ++stride) {
    const auto wavefronts = static_cast<std::uint32_t>(std::gcd(stride, std::uint64_t{32}));
    EXPECT_EQ((SharedAccess{wavefronts, wavefronts - 1}),
              strided(SharedBanks::kThirtyTwo, stride, 4))
        << stride;
  }
}

TEST(Banks, WordsInOneStrideNeedNoLookAtEachLane) {
  for (std::int64_t stride = -70; stride <= 70; ++stride) {
    const Addresses address =
        lanes([&](auto l) { return 16384 + static_cast<std::uint64_t>(stride) * 4 * l; });
    for (const auto use : {SharedUse::kLoad, SharedUse::kStore}) {
      EXPECT_EQ(shared_access(SharedBanks::kThirtyTwo, {address.data(), 0xffffffffU, 4}, use),
                words_apart(4 * stride))
          << stride;
    }
  }
}

// Wavefronts per request in the H200's counters. probe_s64 and probe_s128 have 512 requests each.
TEST(Banks, WideWordsAgreeWithTheH200) {
  const std::map<std::uint64_t, std::uint32_t> s64 = {{1, 1024 / 512},   {2, 2048 / 512},
                                                      {4, 4096 / 512},   {8, 8192 / 512},
                                                      {16, 16384 / 512}, {32, 16384 / 512}};
  for (const auto& [stride, wavefronts] : s64) {
    EXPECT_EQ((SharedAccess{wavefronts, wavefronts - 2}),
              strided(SharedBanks::kThirtyTwo, stride, 8))
        << stride;
  }
  const std::map<std::uint64_t, std::uint32_t> s128 = {
      {1, 2048 / 512}, {2, 4096 / 512}, {4, 8192 / 512}, {8, 16384 / 512}, {16, 16384 / 512}};
  for (const auto& [stride, wavefronts] : s128) {
    EXPECT_EQ((SharedAccess{wavefronts, wavefronts - 4}),
              strided(SharedBanks::kThirtyTwo, stride, 16))
        << stride;
  }
}

TEST(Banks, OneWordForAllIsOnePass) {
  for (const auto rule :
       {SharedBanks::kThirtyTwo, SharedBanks::kKepler32, SharedBanks::kKepler64}) {
    EXPECT_EQ((SharedAccess{1, 0}), strided(rule, 0, 4));
  }
}

TEST(Banks, AWideRequestOfHalfAWarpIsOnePass) {
  const Addresses address = lanes([](auto l) { return 8 * l; });
  EXPECT_EQ((SharedAccess{1, 0}),
            shared_access(SharedBanks::kThirtyTwo, {address.data(), 0x0000ffffU, 8}));
}

TEST(Banks, BytesOfOneWordDoNotConflict) {
  EXPECT_EQ((SharedAccess{1, 0}), strided(SharedBanks::kThirtyTwo, 1, 1));
  EXPECT_EQ((SharedAccess{1, 0}), strided(SharedBanks::kThirtyTwo, 1, 2));
}

TEST(Banks, ATileColumnIs32WayAndAPaddedOneFree) {
  const Addresses column = lanes([](auto l) { return l * 32 * 4 + 12; });
  EXPECT_EQ((SharedAccess{32, 31}),
            shared_access(SharedBanks::kThirtyTwo, {column.data(), 0xffffffffU, 4}));
  const Addresses padded = lanes([](auto l) { return l * 33 * 4 + 12; });
  EXPECT_EQ((SharedAccess{1, 0}),
            shared_access(SharedBanks::kThirtyTwo, {padded.data(), 0xffffffffU, 4}));
}

// The definition, in the plainest form: a set of words for each bank.
TEST(Banks, RandomAccessesAgreeWithTheDefinition) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t range = std::uint64_t{1} << (1 + round % 12);
    const Addresses address = lanes([&](auto) { return random() % range * 4; });
    const std::uint32_t mask = static_cast<std::uint32_t>(random()) | 1U;
    std::map<std::uint64_t, std::set<std::uint64_t>> words, columns;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      words[address[lane] / 4 % 32].insert(address[lane]);
      columns[address[lane] / 4 % 32].insert(address[lane] / 256);
    }
    const auto most = [](const auto& banks) {
      std::size_t worst = 0;
      for (const auto& [bank, all] : banks) worst = std::max(worst, all.size());
      return worst;
    };
    const Request request{address.data(), mask, 4};
    ASSERT_EQ(most(words), shared_access(SharedBanks::kThirtyTwo, request).wavefronts);
    ASSERT_EQ(most(columns), shared_access(SharedBanks::kKepler32, request).wavefronts);
  }
}

// Words i and i + 32 of a 64-word segment share a column (Programming Guide 5.5, G.5.3).
TEST(BanksKepler, StrideTwoIsFree) {
  EXPECT_EQ((SharedAccess{1, 0}), strided(SharedBanks::kKepler32, 2, 4));
}

// A lecture on the K40 measures 16 times the shared loads for a tile read by columns.
TEST(BanksKepler, ATileColumnIs16Way) {
  EXPECT_EQ((SharedAccess{16, 15}), strided(SharedBanks::kKepler32, 32, 4));
  EXPECT_EQ((SharedAccess{1, 0}), strided(SharedBanks::kKepler32, 33, 4));
}

TEST(BanksKepler, FullBandwidthIs256BytesAPass) {
  EXPECT_EQ((SharedAccess{1, 0}), strided(SharedBanks::kKepler32, 1, 8));
  EXPECT_EQ((SharedAccess{2, 0}), strided(SharedBanks::kKepler32, 1, 16));
  EXPECT_EQ((SharedAccess{1, 0}), strided(SharedBanks::kKepler64, 1, 8));
  EXPECT_EQ((SharedAccess{2, 0}), strided(SharedBanks::kKepler64, 1, 16));
}

// A column of a 32 x 32 tile of doubles: lanes 256 bytes apart, all in one bank.
TEST(BanksKepler, AColumnOfDoublesIs32Way) {
  EXPECT_EQ(32U, strided(SharedBanks::kKepler32, 32, 8).wavefronts);
  EXPECT_EQ(32U, strided(SharedBanks::kKepler64, 32, 8).wavefronts);
  EXPECT_EQ(1U, strided(SharedBanks::kKepler64, 33, 8).wavefronts);
}

TEST(BanksGt200, AFloatTileIsTwoPassesByRowsAnd32ByColumns) {
  EXPECT_EQ((SharedAccess{2, 0}), strided(SharedBanks::kSixteenHalfWarp, 1, 4));
  EXPECT_EQ((SharedAccess{32, 30}), strided(SharedBanks::kSixteenHalfWarp, 32, 4));
  EXPECT_EQ((SharedAccess{2, 0}), strided(SharedBanks::kSixteenHalfWarp, 33, 4));
  EXPECT_EQ((SharedAccess{4, 2}), strided(SharedBanks::kSixteenHalfWarp, 2, 4));
}

// A double is two requests of 32 bits, each with stride 2: 2-way.
TEST(BanksGt200, DoublesAreTwoWay) {
  EXPECT_EQ((SharedAccess{8, 4}), strided(SharedBanks::kSixteenHalfWarp, 1, 8));
}

TEST(BanksGt200, OnlyOneWordIsBroadcastAPass) {
  // Lanes 0 and 1 on word 0, lanes 2 and 3 on word 1: the first pass serves 0, 1 and 2.
  const Addresses pairs = lanes([](auto l) { return l / 2 * 4; });
  EXPECT_EQ((SharedAccess{2, 1}),
            shared_access(SharedBanks::kSixteenHalfWarp, {pairs.data(), 0xfU, 4}));
  EXPECT_EQ((SharedAccess{2, 0}), strided(SharedBanks::kSixteenHalfWarp, 0, 4));
}

// If all words differ, it does not matter whether addresses rise or fall from lane to lane.
TEST(BanksGt200, TheFullestBankDecidesWhereLanesShareNoWord) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::uint64_t at = 0;
    Addresses rising = lanes([&](auto) { return at += 4 * (1 + random() % 40); });
    Addresses falling = rising;
    std::reverse(falling.begin(), falling.begin() + 16);
    std::reverse(falling.begin() + 16, falling.end());
    std::map<std::uint64_t, std::uint32_t> in_bank[2];
    for (std::size_t l = 0; l < 32; ++l) ++in_bank[l / 16][rising[l] / 4 % 16];
    std::uint32_t wavefronts = 0;
    for (const auto& banks : in_bank) {
      std::uint32_t most = 0;
      for (const auto& [bank, count] : banks) most = std::max(most, count);
      wavefronts += most;
    }
    for (const auto& address : {rising, falling}) {
      for (const std::uint32_t bytes : {4U, 8U, 16U}) {
        const std::uint32_t words = bytes / 4;
        EXPECT_EQ((SharedAccess{words * wavefronts, words * (wavefronts - 2)}),
                  shared_access(SharedBanks::kSixteenHalfWarp, {address.data(), ~0U, bytes}));
      }
    }
  }
}

TEST(Banks, WavefrontsRepeatWithTheBankPeriod) {
  for (const auto rule : {SharedBanks::kThirtyTwo, SharedBanks::kKepler32, SharedBanks::kKepler64,
                          SharedBanks::kSixteenHalfWarp}) {
    for (const std::uint64_t stride : {1, 2, 3, 5, 8, 31, 32, 33}) {
      for (const std::uint32_t bytes : {4U, 8U, 16U}) {
        const Addresses at = lanes([&](auto l) { return 48 + l * stride * bytes; });
        const Addresses later =
            lanes([&](auto l) { return 48 + bank_period(rule) + l * stride * bytes; });
        EXPECT_EQ(shared_access(rule, {at.data(), 0xffffffffU, bytes}),
                  shared_access(rule, {later.data(), 0xffffffffU, bytes}));
      }
    }
  }
}

SharedAccess on_h200(const Addresses& address, std::uint32_t bytes, SharedUse use,
                     std::uint32_t mask = 0xffffffffU) {
  return shared_access(SharedBanks::kThirtyTwo, {address.data(), mask, bytes}, use);
}

// A broadcast moves only 8 or 16 bytes, so loads join two groups of lanes. Stores never do.
TEST(Banks, WideLoadsOfOneWordJoinTwoGroupsAndStoresDoNot) {
  const Addresses one = lanes([](auto) { return 64; });
  EXPECT_EQ((SharedAccess{1, 0}), on_h200(one, 8, SharedUse::kLoad));
  EXPECT_EQ((SharedAccess{2, 0}), on_h200(one, 16, SharedUse::kLoad));
  EXPECT_EQ((SharedAccess{2, 0}), on_h200(one, 8, SharedUse::kStore));
  EXPECT_EQ((SharedAccess{4, 0}), on_h200(one, 16, SharedUse::kStore));
}

// 16 lanes, 16 bytes apart, span 256 bytes: two words per bank if they form one group.
TEST(Banks, EverySecondLaneLoadsInOneGroupWithAConflict) {
  const Addresses row = lanes([](auto l) { return 8 * l; });
  EXPECT_EQ((SharedAccess{2, 1}), on_h200(row, 8, SharedUse::kLoad, 0x55555555U));
  EXPECT_EQ((SharedAccess{2, 0}), on_h200(row, 8, SharedUse::kStore, 0x55555555U));
}

TEST(Banks, GroupsJoinWherePartnersOneOrTwoLanesAwayAgree) {
  const auto joins = [](const Addresses& address, std::uint32_t mask) {
    return joins_groups({address.data(), mask, 8});
  };
  const Addresses row = lanes([](auto l) { return 8 * l; });
  EXPECT_FALSE(joins(row, 0xffffffffU));
  EXPECT_TRUE(joins(row, 0x55555555U));  // lane i ^ 1 is never active
  EXPECT_TRUE(joins(row, 0x33333333U));  // lane i ^ 2 is never active
  EXPECT_FALSE(joins(row, 0x0000000fU));
  EXPECT_TRUE(joins(lanes([](auto l) { return l / 2 * 8; }), 0xffffffffU));
  EXPECT_TRUE(joins(lanes([](auto l) { return (l / 4 * 2 + l % 2) * 8; }), 0xffffffffU));
  EXPECT_FALSE(joins(lanes([](auto l) { return l % 16 * 8; }), 0xffffffffU));
}

// The lanes of a bank take turns: 16 wavefronts per half-warp, 15 of them conflicts.
TEST(Banks, AtomicsOf8BytesRunByHalfWarps) {
  const Addresses one = lanes([](auto) { return 0; });
  EXPECT_EQ((SharedAccess{32, 30}), on_h200(one, 8, SharedUse::kAtomic));
  EXPECT_EQ((SharedAccess{64, 30}), on_h200(one, 8, SharedUse::kCompareAndSwap));
}

TEST(Banks, ACompareAndSwapTakesEachPassTwice) {
  const Addresses row = lanes([](auto l) { return 4 * l; });
  EXPECT_EQ((SharedAccess{2, 0}), on_h200(row, 4, SharedUse::kCompareAndSwap));
  const Addresses pairs = lanes([](auto l) { return l / 2 * 4; });
  EXPECT_EQ((SharedAccess{4, 1}), on_h200(pairs, 4, SharedUse::kCompareAndSwap));
}

SharedLoop loop(std::uint64_t words, std::uint32_t bytes, std::uint32_t mask = 0xffffffffU) {
  const Addresses address = lanes([&](auto l) { return l * words * bytes; });
  WordMarks marks;
  return shared_loop({address.data(), mask, bytes}, marks);
}

// One lane wins each round. The loads of a round are a broadcast, and its swap takes two
// wavefronts.
TEST(SharedLoops, LanesOnOneWordTakeARoundEach) {
  EXPECT_EQ((SharedLoop{32, {32, 0}, {64, 0}, 3}), loop(0, 4));
  EXPECT_EQ((SharedLoop{1, {1, 0}, {2, 0}, 3}), loop(0, 4, 1));
  // Both half-warps stay in the loop for 16 rounds, and the upper one for 16 more.
  EXPECT_EQ((SharedLoop{32, {32, 0}, {16 * 4 + 16 * 2, 0}, 5}), loop(0, 8));
}

// Stride 8: four banks with 8 lanes each. One lane per bank wins each round, so the loads take 8,
// 7, ... 1 wavefronts.
TEST(SharedLoops, OneLaneABankWinsARound) {
  EXPECT_EQ((SharedLoop{8, {36, 28}, {16, 0}, 3}), loop(8, 4));
  EXPECT_EQ((SharedLoop{32, {528, 496}, {64, 0}, 3}), loop(32, 4));
}

// Each half-warp has 16 lanes on one bank. In the last two rounds both halves load as one group.
TEST(SharedLoops, HalfWarpsOf8BytesWinSideBySide) {
  EXPECT_EQ((SharedLoop{16, {2 * 136, 2 * 136 - 14 * 2 - 2}, {64, 0}, 6}), loop(32, 8));
}

TEST(Banks, AtomicsOnOneWordFollowEachOther) {
  const Addresses one = lanes([](auto) { return 0; });
  EXPECT_EQ((SharedAccess{32, 31}), on_h200(one, 4, SharedUse::kAtomic));
}

// The place of each word in a diagram of the banks. The rows of the diagram are the counted
// wavefronts.

constexpr std::array kRules = {SharedBanks::kSixteenHalfWarp, SharedBanks::kKepler32,
                               SharedBanks::kKepler64, SharedBanks::kThirtyTwo};

std::uint32_t rows(const std::vector<BankWord>& words) {
  std::uint32_t out = 0;
  for (const auto& word : words) out = std::max(out, word.row + 1);
  return out;
}

std::vector<BankWord> loaded(SharedBanks rule, const Addresses& address, std::uint32_t bytes = 4,
                             std::uint32_t mask = run::kFullMask) {
  return bank_words(rule, {address.data(), mask, bytes}, SharedUse::kLoad);
}

TEST(BankWords, ARowOfATileHasABankForEachLane) {
  const auto words = loaded(SharedBanks::kThirtyTwo, lanes([](auto l) { return 4 * l; }));
  ASSERT_EQ(32U, words.size());
  EXPECT_EQ((BankWord{0, 0, 0}), words[0]);
  EXPECT_EQ((BankWord{31, 31, 0}), words[31]);
}

TEST(BankWords, AColumnOfATileStandsInOneBankLaneOverLane) {
  const auto words = loaded(SharedBanks::kThirtyTwo, lanes([](auto l) { return 8 + 128 * l; }));
  ASSERT_EQ(32U, words.size());
  EXPECT_EQ((BankWord{0, 2, 0}), words[0]);
  EXPECT_EQ((BankWord{7, 2, 7}), words[7]);
  EXPECT_EQ((BankWord{31, 2, 31}), words[31]);
}

TEST(BankWords, LanesOnOneWordShareItsRow) {
  const auto words = loaded(SharedBanks::kThirtyTwo, lanes([](auto l) { return l / 2 * 4; }));
  EXPECT_EQ((BankWord{2, 1, 0}), words[2]);
  EXPECT_EQ((BankWord{3, 1, 0}), words[3]);
}

TEST(BankWords, AtomicsOnOneWordGoLaneByLane) {
  const auto address = lanes([](auto) { return std::uint64_t{12}; });
  const auto words =
      bank_words(SharedBanks::kThirtyTwo, {address.data(), 0x7, 4}, SharedUse::kAtomic);
  EXPECT_THAT(words, testing::ElementsAre(BankWord{0, 3, 0}, BankWord{1, 3, 1}, BankWord{2, 3, 2}));
}

TEST(BankWords, HalfWarpsOfDoublesGoOneAfterTheOther) {
  const auto words = loaded(SharedBanks::kThirtyTwo, lanes([](auto l) { return 8 * l; }), 8);
  ASSERT_EQ(64U, words.size());
  EXPECT_EQ((BankWord{0, 1, 0}), words[1]);
  EXPECT_EQ((BankWord{16, 0, 1}), words[32]);
}

TEST(BankWords, KeplersEightByteBanksTakeADoubleAtOnce) {
  const auto words = loaded(SharedBanks::kKepler64, lanes([](auto l) { return 8 * l; }), 8);
  ASSERT_EQ(32U, words.size());
  EXPECT_EQ((BankWord{16, 16, 0}), words[16]);
}

// shared_banks_test.cpp checks the counts themselves against measurements and hand calculations.
TEST(BankWords, RowsAreTheWavefrontsOfEveryRuleWidthAndUse) {
  constexpr int kRounds = kIsSanitized ? 400 : 4000;
  std::mt19937 random(5);
  for (int round = 0; round < kRounds; ++round) {
    const std::uint32_t bytes = 4U << random() % 3;
    const std::uint64_t span = 1 + random() % 512;
    const std::uint32_t mask =
        round % 3 == 0 ? static_cast<std::uint32_t>(random()) : run::kFullMask;
    const auto address =
        lanes([&](auto l) { return bytes * (round % 2 == 0 ? random() % span : l * span % 4096); });
    const Request request{address.data(), mask, bytes};
    for (const auto rule : kRules) {
      for (const auto use : {SharedUse::kLoad, SharedUse::kStore, SharedUse::kAtomic}) {
        EXPECT_EQ(shared_access(rule, request, use).wavefronts,
                  rows(bank_words(rule, request, use)))
            << "rule " << static_cast<int>(rule) << ", " << bytes << " bytes, round " << round;
      }
    }
  }
}

TEST(BankWords, BanksAreThoseOfTheGeneration) {
  EXPECT_EQ(16U, bank_count(SharedBanks::kSixteenHalfWarp));
  EXPECT_EQ(32U, bank_count(SharedBanks::kKepler64));
  EXPECT_EQ(8U, bank_bytes(SharedBanks::kKepler64));
  EXPECT_EQ(4U, bank_bytes(SharedBanks::kKepler32));
}

}  // namespace warpgrade::memory::shared_banks_test

namespace warpgrade::memory::shared_loop_test {

// Rounds of an atomic that machine code executes as a loop: the edges of the rule.
// shared_banks_test.cpp counts the other cases by hand.

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
