// SPDX-License-Identifier: Apache-2.0
// The place of each word in a diagram of the banks. The rows of the diagram are the counted
// wavefronts.
#include "common/memory/bank_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "tests/memory/patterns.h"
#include "tests/sanitized.h"

namespace warpgrade::memory::bank_words_test {

using device::SharedBanks;

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

}  // namespace warpgrade::memory::bank_words_test
