// SPDX-License-Identifier: Apache-2.0
#include "common/memory/global_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "common/memory/footprint.h"
#include "common/memory/l1_cache.h"
#include "tests/memory/patterns.h"

namespace warpgrade::memory::global_access_test {

// Shifts and divisions give the same result. The width and the number of partitions may be powers
// of two or not.

TEST(Divisor, DividesByPowersOfTwoAndByOthers) {
  constexpr std::uint64_t kFar = 0x7f00'0000'0000 + 6 * 1792 + 5;
  for (const std::uint64_t value : {1U, 2U, 6U, 7U, 8U, 256U, 1000U}) {
    const Divisor divisor(value);
    EXPECT_EQ(value, divisor.value());
    for (const std::uint64_t n : {std::uint64_t{0}, value - 1, value, 3 * value + 1, kFar}) {
      EXPECT_EQ(n / value, divisor.quotient(n)) << n << " by " << value;
      EXPECT_EQ(n % value, divisor.remainder(n)) << n << " by " << value;
    }
  }
}

// Coalescing, checked with hand calculations and with examples of the CUDA C Programming Guide.

constexpr std::uint32_t kAll = 0xffffffffU;

GlobalAccess sectors(const Addresses& address, std::uint32_t bytes, std::uint32_t mask = kAll) {
  Lines gathered;
  gather({address.data(), mask, bytes}, gathered);
  return count_sectors(gathered);
}

std::vector<Transaction> transactions(device::Coalescing rule, const Addresses& address,
                                      std::uint32_t bytes, std::uint32_t mask = kAll) {
  Transactions list;
  count_transactions(rule, {address.data(), mask, bytes}, list);
  return {list.list.begin(), list.list.begin() + list.count};
}

std::uint32_t wavefronts(const Addresses& address, std::uint32_t bytes) {
  Lines scratch;
  return l1_wavefronts({address.data(), kAll, bytes}, scratch);
}

// Clocks of the data stage as gpu-strides measured them on an A100 and an H200.
TEST(L1Banks, HandOutAWordAClock) {
  EXPECT_EQ(1U, wavefronts(lanes([](auto l) { return 4 * l; }), 4));
  EXPECT_EQ(2U, wavefronts(lanes([](auto l) { return 8 * l; }), 4));
  EXPECT_EQ(32U, wavefronts(lanes([](auto l) { return 128 * l; }), 4));
  EXPECT_EQ(1U, wavefronts(lanes([](auto l) { return 132 * l; }), 4));
  EXPECT_EQ(2U, wavefronts(lanes([](auto l) { return 8 * l; }), 8));
  EXPECT_EQ(32U, wavefronts(lanes([](auto l) { return 128 * l; }), 8));
  EXPECT_EQ(1U, wavefronts(lanes([](auto) { return 64; }), 4));
  EXPECT_EQ(2U, wavefronts(lanes([](auto) { return 64; }), 8));
}

TEST(Coalescing, AlignedFloatsTakeFourFullSectorsOfOneLine) {
  EXPECT_EQ((GlobalAccess{1, 4, 1, 0, 128}),
            sectors(lanes([](auto l) { return 1024 + 4 * l; }), 4));
}

TEST(Coalescing, DoublesTakeEightSectorsAndSamplesSixteen) {
  EXPECT_EQ((GlobalAccess{1, 8, 2, 0, 256}), sectors(lanes([](auto l) { return 8 * l; }), 8));
  EXPECT_EQ((GlobalAccess{1, 16, 4, 0, 512}), sectors(lanes([](auto l) { return 16 * l; }), 16));
}

TEST(Coalescing, AnOffsetOfOneFloatAddsASectorAndALine) {
  EXPECT_EQ((GlobalAccess{1, 5, 2, 2, 128}), sectors(lanes([](auto l) { return 4 + 4 * l; }), 4));
}

TEST(Coalescing, StrideTwoDoublesTheSectors) {
  EXPECT_EQ((GlobalAccess{1, 8, 2, 8, 128}), sectors(lanes([](auto l) { return 8 * l; }), 4));
}

TEST(Coalescing, AColumnOfAMatrixTakesASectorAndALineALane) {
  EXPECT_EQ((GlobalAccess{1, 32, 32, 32, 128}), sectors(lanes([](auto l) { return 4096 * l; }), 4));
}

TEST(Coalescing, OneWordForAllIsOneSectorAndFourUsedBytes) {
  EXPECT_EQ((GlobalAccess{1, 1, 1, 1, 4}), sectors(lanes([](auto) { return 256; }), 4));
}

TEST(Coalescing, InactiveLanesDoNotCount) {
  EXPECT_EQ((GlobalAccess{1, 2, 1, 0, 64}),
            sectors(lanes([](auto l) { return 4 * l; }), 4, 0x0000ffffU));
}

TEST(Coalescing, TheOrderOfLanesDoesNotMatter) {
  const GlobalAccess expected{1, 4, 1, 0, 128};
  EXPECT_EQ(expected, sectors(lanes([](auto l) { return 4 * (31 - l); }), 4));
  EXPECT_EQ(expected, sectors(lanes([](auto l) { return 4 * (l * 13 % 32); }), 4));
}

TEST(Coalescing, ScatteredLanesThatShareSectorsAreCountedOnce) {
  // Lanes alternate between two rows 4096 bytes apart: 16 floats, two sectors in each.
  EXPECT_EQ((GlobalAccess{1, 4, 2, 0, 128}),
            sectors(lanes([](auto l) { return l % 2 * 4096 + l / 2 * 4; }), 4));
}

TEST(Coalescing, BytesFillASectorByThirtyTwoLanes) {
  EXPECT_EQ((GlobalAccess{1, 1, 1, 0, 32}), sectors(lanes([](auto l) { return l; }), 1));
}

TEST(Coalescing, ARangeIsTheUnitStride) {
  for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U}) {
    for (std::uint64_t start = 0; start < 256; start += bytes) {
      const Addresses row = lanes([&](auto l) { return start + l * bytes; });
      const Range range{start, 32 * bytes};
      EXPECT_EQ(sectors(row, bytes), count_sectors(range)) << start << " " << bytes;
      Lines list;
      gather({row.data(), kAll, bytes}, list);
      BlockL1 by_list(4096), by_range(4096);
      EXPECT_EQ(by_list.load(list), by_range.load(range)) << start << " " << bytes;
    }
  }
}

TEST(Coalescing, LocalMemoryInterleavesLanes) {
  Lines gathered;
  const Addresses same = lanes([](auto) { return 8; });
  gather_local({same.data(), kAll, 4}, gathered);
  EXPECT_EQ((GlobalAccess{1, 4, 1, 0, 128}), count_sectors(gathered));
  gather_local({same.data(), kAll, 8}, gathered);
  EXPECT_EQ((GlobalAccess{1, 8, 2, 0, 256}), count_sectors(gathered));
  // Lanes at 32 different words: one sector each, in 32 lines.
  const Addresses apart = lanes([](auto l) { return 4 * l; });
  gather_local({apart.data(), kAll, 4}, gathered);
  EXPECT_EQ((GlobalAccess{1, 32, 32, 32, 128}), count_sectors(gathered));
}

TEST(Coalescing, AtomicsMoveASectorAsOftenAsLanesShareAWordOfIt) {
  const auto atomic = [](const Addresses& address, std::uint32_t bytes, std::uint32_t mask = kAll) {
    return count_atomic_sectors({address.data(), mask, bytes});
  };
  EXPECT_EQ(4U, atomic(lanes([](auto l) { return 4 * l; }), 4));
  EXPECT_EQ(8U, atomic(lanes([](auto l) { return 8 * l; }), 8));
  EXPECT_EQ(32U, atomic(lanes([](auto) { return 64; }), 4));
  EXPECT_EQ(2U * 2, atomic(lanes([](auto l) { return l / 2 * 4; }), 4));
  EXPECT_EQ(32U, atomic(lanes([](auto l) { return 32 * l; }), 4));
  EXPECT_EQ(1U, atomic(lanes([](auto l) { return 4 * l; }), 4, 0x3U));
  // Three lanes on word 0 and one on word 1 of a sector, one lane on another sector.
  EXPECT_EQ(3U + 1, atomic(lanes([](auto l) { return l < 3 ? 0 : l == 3 ? 4 : 32; }), 4, 0x1fU));
}

/// The state that requests leave behind. It must be the same with and without the list of lines.
struct Aftermath {
  BlockL1 l1{4096};
  ByteSet touched;
};

TEST(Apart, CountsCachesAndMarksAsTheListOfLinesDoes) {
  std::mt19937_64 random(11);
  KeyFilter filter;
  Aftermath by_list, by_lane;
  int apart_requests = 0;
  for (int round = 0; round < 4000; ++round) {
    const std::uint32_t bytes = 1U << random() % 5;
    const std::uint64_t spread = std::uint64_t{64} << random() % 12;
    const std::int64_t stride = round % 4 != 0 ? run::kIrregular : 32 * (round % 50 - 25);
    const std::uint32_t mask = round % 2 == 0 ? kAll : static_cast<std::uint32_t>(random()) | 1U;
    const std::uint64_t first = 1 << 20 | random() % 1024 * bytes;
    const Addresses address = lanes([&](auto l) {
      return stride == run::kIrregular ? random() % spread * bytes
                                       : first + l * static_cast<std::uint64_t>(stride);
    });
    const Request request{address.data(), mask, bytes};
    const auto apart =
        stride == run::kIrregular ? as_apart(request, filter) : as_apart(request, stride);
    if (!apart) continue;
    ++apart_requests;
    Lines list;
    gather(request, list);
    ASSERT_EQ(count_sectors(list), count_sectors(*apart));
    ASSERT_EQ(by_list.l1.load(list), by_lane.l1.load(*apart));
    by_list.touched.add(list);
    by_lane.touched.add(*apart);
    ASSERT_EQ(by_list.touched.extent(), by_lane.touched.extent());
  }
  EXPECT_LT(500, apart_requests);
}

TEST(Apart, LanesThatShareALineAreNot) {
  KeyFilter filter;
  const Addresses halves = lanes([](auto l) { return 64 * l; });
  EXPECT_FALSE(as_apart({halves.data(), kAll, 4}, 64));
  EXPECT_FALSE(as_apart({halves.data(), kAll, 4}, filter));
  EXPECT_TRUE(as_apart({halves.data(), 0x55555555U, 4}, filter));
}

// Programming Guide 5.5, G.3.2.2: a warp of floats at 132.
TEST(CoalescingGt200, AMisalignedWarpShrinksItsSegments) {
  EXPECT_THAT(
      transactions(device::Coalescing::kHalfWarpSegments, lanes([](auto l) { return 132 + 4 * l; }),
                   4),
      testing::ElementsAre(Transaction{128, 128}, Transaction{192, 64}, Transaction{256, 32}));
}

TEST(CoalescingGt200, AnAlignedWarpTakes64BytesAHalfWarp) {
  EXPECT_THAT(transactions(device::Coalescing::kHalfWarpSegments,
                           lanes([](auto l) { return 128 + 4 * l; }), 4),
              testing::ElementsAre(Transaction{128, 64}, Transaction{192, 64}));
}

TEST(CoalescingGt200, DoublesTake128BytesAHalfWarpAndSamplesTwice) {
  EXPECT_THAT(
      transactions(device::Coalescing::kHalfWarpSegments, lanes([](auto l) { return 8 * l; }), 8),
      testing::ElementsAre(Transaction{0, 128}, Transaction{128, 128}));
  EXPECT_EQ(4U, transactions(device::Coalescing::kHalfWarpSegments,
                             lanes([](auto l) { return 16 * l; }), 16)
                    .size());
}

TEST(CoalescingGt200, NarrowWordsHaveNarrowSegments) {
  EXPECT_THAT(transactions(device::Coalescing::kHalfWarpSegments,
                           lanes([](auto l) { return 64 * (l % 16); }), 1, 0x3U),
              testing::ElementsAre(Transaction{0, 32}, Transaction{64, 32}));
}

TEST(CoalescingGt200, AColumnTakes32BytesALane) {
  const Addresses column = lanes([](auto l) { return 8192 * l; });
  Transactions list;
  EXPECT_EQ(
      (GlobalAccess{2, 32, 32, 32, 128}),
      count_transactions(device::Coalescing::kHalfWarpSegments, {column.data(), kAll, 4}, list));
}

TEST(CoalescingG80, InOrderAndAlignedIsOneSegmentAHalfWarp) {
  const Addresses row = lanes([](auto l) { return 256 + 4 * l; });
  Transactions list;
  EXPECT_EQ((GlobalAccess{2, 4, 2, 0, 128}),
            count_transactions(device::Coalescing::kHalfWarpStrict, {row.data(), kAll, 4}, list));
}

TEST(CoalescingG80, LanesMayStayAway) {
  EXPECT_THAT(transactions(device::Coalescing::kHalfWarpStrict,
                           lanes([](auto l) { return 256 + 4 * l; }), 4, 0x0000fff0U),
              testing::ElementsAre(Transaction{256, 64}));
}

TEST(CoalescingG80, MisalignedOrPermutedLanesGoOneByOne) {
  EXPECT_EQ(32U, transactions(device::Coalescing::kHalfWarpStrict,
                              lanes([](auto l) { return 260 + 4 * l; }), 4)
                     .size());
  EXPECT_EQ(32U, transactions(device::Coalescing::kHalfWarpStrict,
                              lanes([](auto l) { return 4 * (l ^ 1); }), 4)
                     .size());
}

TEST(CoalescingG80, SamplesTakeTwoBurstsAndBytesGoOneByOne) {
  EXPECT_THAT(transactions(device::Coalescing::kHalfWarpStrict,
                           lanes([](auto l) { return 16 * l; }), 16, 0xffffU),
              testing::ElementsAre(Transaction{0, 128}, Transaction{128, 128}));
  EXPECT_EQ(16U, transactions(device::Coalescing::kHalfWarpStrict, lanes([](auto l) { return l; }),
                              1, 0xffffU)
                     .size());
}

// The memo must return the transactions that count_transactions() counts, in any order of calls.

TEST(TransactionMemo, RemembersNothingThatDoesNotApply) {
  TransactionMemo memo;
  Transactions got;
  Transactions want;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const std::uint32_t bytes = 1U << random() % 5;
    const auto stride = static_cast<std::uint64_t>(random() % 4 == 0 ? 2 * bytes : bytes);
    const std::uint64_t first = random() % 2048 * bytes + (random() % 16 == 0 ? 1 : 0);
    const Addresses address = lanes([&](auto lane) { return first + stride * lane; });
    const auto rule = random() % 2 == 0 ? device::Coalescing::kHalfWarpSegments
                                        : device::Coalescing::kHalfWarpStrict;
    run::MemoryEvent event;
    event.address = address.data();
    event.bytes = static_cast<std::uint8_t>(bytes);
    event.mask = random() % 4 == 0 ? static_cast<std::uint32_t>(random()) | 1U : run::kFullMask;
    event.stride =
        event.mask == run::kFullMask ? static_cast<std::int64_t>(stride) : run::kIrregular;
    const auto expected = count_transactions(rule, {address.data(), event.mask, bytes}, want);
    ASSERT_EQ(expected, memo.count(rule, event, got)) << first << ' ' << stride << ' ' << bytes;
    ASSERT_EQ(want.count, got.count);
    for (std::uint32_t t = 0; t < want.count; ++t) ASSERT_EQ(want.list[t], got.list[t]);
  }
}

AtomicWorks works(const Addresses& address, std::uint32_t mask = ~0U, bool by_sector = false) {
  return atomic_works({address.data(), mask, 4}, by_sector);
}

TEST(AtomicWork, LanesOnOneWordTakeAPassEach) {
  const AtomicWorks found = works(lanes([](auto) { return 1024; }));
  ASSERT_EQ(1U, found.count);
  EXPECT_EQ((AtomicWork{2, 0, 0, 32}), found.list[0]);
}

TEST(AtomicWork, WordsOfASectorTakeOnePass) {
  const AtomicWorks found = works(lanes([](auto lane) { return 4 * lane; }));
  ASSERT_EQ(1U, found.count);
  EXPECT_EQ((AtomicWork{0, 0, 4, 0}), found.list[0]);  // a line of four sectors
}

TEST(AtomicWork, TheBusiestWordOfASectorCounts) {
  // Lanes 0 to 7 on words 0 to 7 of a sector, twelve on each of two words of the next one.
  const AtomicWorks found =
      works(lanes([](auto lane) { return lane < 8 ? 4 * lane : 32 + lane % 2 * 4; }));
  ASSERT_EQ(1U, found.count);
  EXPECT_EQ((AtomicWork{0, 0, 1, 12}), found.list[0]);
}

TEST(AtomicWork, PiecesAreOf512Bytes) {
  const AtomicWorks found = works(lanes([](auto lane) { return 256 * lane; }), 0xfU);
  ASSERT_EQ(2U, found.count);
  EXPECT_EQ((AtomicWork{0, 0, 2, 0}), found.list[0]);
  EXPECT_EQ((AtomicWork{1, 0, 2, 0}), found.list[1]);
}

TEST(AtomicWork, BySectorEachSectorHasItsPasses) {
  // Eight lanes on the words of sector 16, the others on one word of sector 17.
  const AtomicWorks found =
      works(lanes([](auto lane) { return 512 + (lane < 8 ? 4 * lane : 32); }), ~0U, true);
  ASSERT_EQ(2U, found.count);
  EXPECT_EQ((AtomicWork{1, 16, 1, 0}), found.list[0]);
  EXPECT_EQ((AtomicWork{1, 17, 0, 24}), found.list[1]);
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

}  // namespace warpgrade::memory::global_access_test
