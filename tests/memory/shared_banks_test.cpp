// SPDX-License-Identifier: Apache-2.0
// Bank conflicts by hand calculation, by an H200's counters and by published statements.
#include "common/memory/shared_banks.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <set>

#include "tests/memory/patterns.h"

namespace warpgrade::memory {
namespace {

using device::SharedBanks;

SharedAccess strided(SharedBanks rule, std::uint64_t words, std::uint32_t bytes) {
  const Addresses address = lanes([&](auto l) { return l * words * bytes; });
  return shared_access(rule, {address.data(), 0xffffffffU, bytes});
}

// 32 banks: as many lanes meet in a bank as the stride and 32 have in common.
TEST(Banks, PassesOf32BitWordsAreTheGreatestCommonDivisorWith32) {
  for (std::uint64_t stride = 1; stride <= 33; ++stride) {
    const auto passes = static_cast<std::uint32_t>(std::gcd(stride, std::uint64_t{32}));
    EXPECT_EQ((SharedAccess{passes, passes - 1}), strided(SharedBanks::kThirtyTwo, stride, 4))
        << stride;
  }
}

// Wavefronts a request in the H200's counters: probe_s64 has 512 requests, probe_s128 likewise.
TEST(Banks, WideWordsAgreeWithTheH200) {
  const std::map<std::uint64_t, std::uint32_t> s64 = {{1, 1024 / 512},   {2, 2048 / 512},
                                                      {4, 4096 / 512},   {8, 8192 / 512},
                                                      {16, 16384 / 512}, {32, 16384 / 512}};
  for (const auto& [stride, passes] : s64) {
    EXPECT_EQ((SharedAccess{passes, passes - 2}), strided(SharedBanks::kThirtyTwo, stride, 8)) << stride;
  }
  const std::map<std::uint64_t, std::uint32_t> s128 = {
      {1, 2048 / 512}, {2, 4096 / 512}, {4, 8192 / 512}, {8, 16384 / 512}, {16, 16384 / 512}};
  for (const auto& [stride, passes] : s128) {
    EXPECT_EQ((SharedAccess{passes, passes - 4}), strided(SharedBanks::kThirtyTwo, stride, 16)) << stride;
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
    ASSERT_EQ(most(words), shared_access(SharedBanks::kThirtyTwo, request).passes);
    ASSERT_EQ(most(columns), shared_access(SharedBanks::kKepler32, request).passes);
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
  EXPECT_EQ(32U, strided(SharedBanks::kKepler32, 32, 8).passes);
  EXPECT_EQ(32U, strided(SharedBanks::kKepler64, 32, 8).passes);
  EXPECT_EQ(1U, strided(SharedBanks::kKepler64, 33, 8).passes);
}

TEST(BanksGt200, AFloatTileIsTwoPassesByRowsAnd32ByColumns) {
  EXPECT_EQ((SharedAccess{2, 0}), strided(SharedBanks::kSixteenHalfWarp, 1, 4));
  EXPECT_EQ((SharedAccess{32, 30}), strided(SharedBanks::kSixteenHalfWarp, 32, 4));
  EXPECT_EQ((SharedAccess{2, 0}), strided(SharedBanks::kSixteenHalfWarp, 33, 4));
  EXPECT_EQ((SharedAccess{4, 2}), strided(SharedBanks::kSixteenHalfWarp, 2, 4));
}

// Doubles are two requests of 32 bits, each with stride 2: 2-way.
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

TEST(Banks, PassesRepeatWithTheBankPeriod) {
  for (const auto rule : {SharedBanks::kThirtyTwo, SharedBanks::kKepler32, SharedBanks::kKepler64,
                          SharedBanks::kSixteenHalfWarp}) {
    for (const std::uint64_t stride : {1, 2, 3, 5, 8, 31, 32, 33}) {
      for (const std::uint32_t bytes : {4U, 8U, 16U}) {
        const Addresses at = lanes([&](auto l) { return 48 + l * stride * bytes; });
        const Addresses later =
            lanes([&](auto l) { return 48 + kBankPeriod + l * stride * bytes; });
        EXPECT_EQ(shared_access(rule, {at.data(), 0xffffffffU, bytes}),
                  shared_access(rule, {later.data(), 0xffffffffU, bytes}));
      }
    }
  }
}

TEST(Banks, AtomicsOnOneWordFollowEachOther) {
  const Addresses one = lanes([](auto) { return 0; });
  EXPECT_EQ((SharedAccess{32, 31}),
            shared_access(SharedBanks::kThirtyTwo, {one.data(), 0xffffffffU, 4}, SharedUse::kAtomic));
}

}  // namespace
}  // namespace warpgrade::memory
