// SPDX-License-Identifier: Apache-2.0
#include "common/check/shared_race.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/check/cluster_findings.h"
#include "tests/check/events.h"

namespace warpgrade::check::shared_race_test {

// Races in shared memory: an example of each rule, and the wording of the messages.

constexpr auto kFull = run::kFullMask;
constexpr auto kShared = run::Space::kShared;

class SharedRaceTest : public testing::Test {
 protected:
  void SetUp() override {
    checker.on_launch(launch.context());
    checker.on_block_begin(5);
  }
  std::vector<base::Diagnostic> found() { return to_diagnostics(checker.findings().all(), 16); }
  std::string message() {
    const auto diagnostics = found();
    EXPECT_EQ(1U, diagnostics.size());
    return diagnostics.empty() ? "" : base::text(diagnostics[0]);
  }

  Launch launch{{32, 2, 1}};
  SharedRace checker;
  Warp warp{checker, 0};
  Warp other{checker, 1};
};

TEST_F(SharedRaceTest, ABarrierBetweenStoreAndLoadMakesItRight) {
  warp.store(0, strided(0, 4));
  other.store(0, strided(128, 4));
  sync_block(checker);
  warp.load(1, strided(0, 8));
  other.load(1, strided(4, 8));
  sync_block(checker);
  other.store(2, strided(0, 4));
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedRaceTest, AMissingBarrierIsExplained) {
  warp.store(2, strided(0, 4));
  other.load(7, strided(64, 4));
  const auto diagnostics = found();
  ASSERT_EQ(1U, diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRace, diagnostics[0].kind);
  EXPECT_EQ((base::SourceLocation{"kernel.cu", 17, 3}), diagnostics[0].where);
  EXPECT_EQ((base::Dim3{1, 1, 0}), diagnostics[0].block);
  EXPECT_EQ((base::Dim3{0, 1, 0}), diagnostics[0].thread);
  EXPECT_EQ(
      "thread (0, 1, 0) reads bytes 64 to 67 of tile, which thread (16, 0, 0) writes in line 12, "
      "with "
      "no barrier in between: their order is undefined. Put a __syncthreads() "
      "between "
      "line 12 and line 17. This happened 16 times.",
      base::text(diagnostics[0]));
}

TEST_F(SharedRaceTest, TheEarlierAccessIsAPlaceOfItsOwn) {
  warp.store(2, strided(0, 4));
  other.load(7, strided(64, 4));
  ASSERT_EQ(1U, found().size());
  const base::RelatedPlace expected{
      {"kernel.cu", 12, 3}, base::Does::kWrite, base::Dim3{1, 1, 0}, base::Dim3{16, 0, 0}};
  EXPECT_EQ((std::vector<base::RelatedPlace>{expected}), found()[0].related);
}

TEST_F(SharedRaceTest, AReadMayNotBeFollowedByAnotherThreadsWriteEither) {
  warp.load(2, strided(0, 4));
  other.store(7, strided(0, 4), 1);
  EXPECT_EQ(
      "thread (0, 1, 0) writes bytes 0 to 3 of tile, which thread (0, 0, 0) reads in line 12, with "
      "no barrier in between: their order is undefined. Put a __syncthreads() between "
      "line 12 and line 17.",
      message());
}

TEST_F(SharedRaceTest, OneMissingBarrierIsOneFindingWhicheverLineComesFirst) {
  warp.store(2, strided(0, 4));
  other.load(7, strided(0, 4));
  other.store(2, strided(128, 4));
  warp.load(7, strided(128, 4));
  sync_block(checker);
  warp.load(7, strided(0, 4));
  other.store(2, strided(0, 4));
  EXPECT_NE(std::string::npos, message().find("This happened 96 times."));
}

TEST_F(SharedRaceTest, TwoThreadsThatWriteDifferentValuesRace) {
  warp.store(2, strided(0, 4), 1);
  other.store(7, strided(0, 4), 1, 4, kShared, [](std::uint32_t) { return 99U; });
  EXPECT_EQ(
      "thread (0, 1, 0) writes bytes 0 to 3 of tile, which thread (0, 0, 0) writes in line 12, "
      "with "
      "no barrier in between: their order is undefined. Let only one thread write "
      "there, give each thread its own element, or put a __syncthreads() between line 12 and "
      "line 17.",
      message());
}

TEST_F(SharedRaceTest, LanesOfOneStoreThatWriteDifferentValuesToOnePlaceRace) {
  warp.store(2, strided(16, 0), 0b101);
  EXPECT_EQ(
      "thread (2, 0, 0) writes bytes 16 to 19 of tile, which thread (0, 0, 0) writes in the same "
      "line, with no barrier in between: their order is undefined. Both threads "
      "are "
      "in one warp, whose lanes need not run in lockstep. Let only one thread write there, or give "
      "each thread its own element.",
      message());
}

TEST_F(SharedRaceTest, WritesOfEqualValuesAreNoRace) {
  const auto one = [](std::uint32_t) { return 1U; };
  warp.store(2, strided(16, 0), kFull, 4, kShared, one);
  other.store(3, strided(16, 0), kFull, 4, kShared, one);
  EXPECT_TRUE(found().empty());
  other.store(4, strided(16, 0), 1, 4, kShared, [](std::uint32_t) { return 2U; });
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedRaceTest, AStoreOfUnknownValueEqualsNothing) {
  run::MemoryEvent event;
  const std::array<std::uint64_t, 32> addresses{};
  event.mask = 1;
  event.space = run::Space::kShared;
  event.operation = run::Operation::kStore;
  event.bytes = 4;
  event.address = addresses.data();
  checker.on_memory(event);
  event.warp = 1;
  checker.on_memory(event);
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedRaceTest, AThreadMayDoWhatItLikesWithItsOwnElement) {
  for (int i = 0; i < 3; ++i) {
    warp.load(0, strided(0, 4));
    warp.store(1, strided(0, 4), kFull, 4, kShared, [i](std::uint32_t) { return 7U * i; });
    warp.load(2, strided(0, 4), 0xff);
    other.store(3, strided(512, 8), kFull, 8);
    other.load(4, strided(516, 8));
  }
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedRaceTest, ManyThreadsMayReadOnePlace) {
  warp.load(0, strided(64, 0));
  other.load(1, strided(64, 0));
  warp.load(2, strided(0, 4));
  other.load(3, [](std::uint32_t lane) { return lane < 16 ? 64U : 68U; });
  EXPECT_TRUE(found().empty());
  other.store(4, strided(64, 0), 1);
  EXPECT_NE(std::string::npos, message().find("which thread (1, 1, 0) reads in line 11"));
}

TEST_F(SharedRaceTest, AReductionWithBarriersIsRight) {
  warp.store(0, strided(0, 4));
  other.store(0, strided(128, 4));
  for (std::uint32_t half = 32; half > 0; half /= 2) {
    sync_block(checker);
    const std::uint32_t mask = half == 32 ? kFull : (1U << half) - 1;
    warp.load(1, strided(4 * half, 4), mask);
    warp.load(2, strided(0, 4), mask);
    warp.store(3, strided(0, 4), mask);
  }
  EXPECT_TRUE(found().empty());
}

// The last steps of a reduction in the style before Volta: one warp, no barrier.
TEST_F(SharedRaceTest, WarpSynchronousCodeWithoutSyncwarpRaces) {
  warp.store(0, strided(0, 4));
  sync_block(checker);
  warp.load(1, strided(64, 4), 0xffff);
  const auto value = [](std::uint32_t lane) { return 2 * lane + 17; };
  warp.store(2, strided(0, 4), 0xffff, 4, kShared, value);
  EXPECT_TRUE(found().empty());
  warp.load(3, strided(32, 4), 0xff);  // Elements 8 to 15, which lanes 8 to 15 wrote.
  EXPECT_EQ(
      "thread (0, 0, 0) reads bytes 32 to 35 of tile, which thread (8, 0, 0) writes in line 12, "
      "with "
      "no barrier in between: their order is undefined. Both threads are in one "
      "warp, whose lanes need not run in lockstep. Put a __syncwarp() between line 12 and line 13. "
      "This happened 8 "
      "times.",
      message());
}

TEST_F(SharedRaceTest, SyncwarpOrdersTheLanesOfItsMask) {
  warp.store(0, strided(0, 4));
  for (std::uint32_t half = 16; half > 0; half /= 2) {
    warp.sync();
    warp.load(1, strided(4 * half, 4), (1U << half) - 1);
    warp.sync();
    warp.store(2, strided(0, 4), (1U << half) - 1);
  }
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedRaceTest, SyncwarpOfOneHalfDoesNotOrderTheOther) {
  warp.store(0, strided(0, 4));
  warp.sync(0x0000ffff);
  warp.load(1, strided(60, -4), 0xffff);
  EXPECT_TRUE(found().empty());
  warp.load(2, strided(4, 4), 1U << 15);  // Lane 16's element.
  EXPECT_NE(std::string::npos, message().find("which thread (16, 0, 0) writes in line 10"));
}

TEST_F(SharedRaceTest, PartialBarriersOrderThroughACommonLane) {
  warp.store(0, strided(0, 4), 1);
  warp.sync(0b011);
  warp.sync(0b110);
  warp.load(1, strided(0, 0), 0b100);
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedRaceTest, PartialBarriersInTheWrongOrderDoNot) {
  warp.store(0, strided(0, 4), 1);
  warp.sync(0b110);
  warp.sync(0b011);
  warp.load(1, strided(0, 0), 0b100);
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedRaceTest, ABarrierOfOneWarpDoesNotOrderAnother) {
  warp.store(0, strided(0, 4));
  warp.sync();
  other.sync();
  other.load(1, strided(0, 4));
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedRaceTest, NeighboursInAByteArrayDoNotRace) {
  for (int i = 0; i < 2; ++i) {
    warp.store(0, strided(0, 1), kFull, 1);
    other.store(0, strided(32, 1), kFull, 1);
    warp.load(1, strided(0, 1), kFull, 1);
    warp.store(2, strided(0, 1), kFull, 1, kShared, [](std::uint32_t lane) { return lane; });
  }
  other.store(3, strided(64, 2), kFull, 2);
  EXPECT_TRUE(found().empty());
  other.load(4, strided(31, 1), 1, 1);
  EXPECT_NE(std::string::npos,
            message().find("reads byte 31 of tile, which thread (31, 0, 0) writes in line 12"));
}

TEST_F(SharedRaceTest, AWordReadOverAnothersByteRaces) {
  warp.store(0, strided(3, 0), 1, 1);
  other.load(1, strided(0, 0), 1);
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedRaceTest, AByteWrittenIntoAnothersWordRaces) {
  warp.load(0, strided(0, 4));
  other.store(1, strided(6, 0), 1, 1);
  EXPECT_NE(std::string::npos,
            message().find("writes byte 6 of tile, which thread (1, 0, 0) reads"));
}

TEST_F(SharedRaceTest, AWideLoadOverANeighboursWordRaces) {
  warp.store(0, strided(0, 4));
  warp.load(1, strided(0, 16), 1, 16);
  EXPECT_NE(std::string::npos,
            message().find("reads bytes 0 to 15 of tile, which thread (1, 0, 0)"));
}

TEST_F(SharedRaceTest, AtomicsDoNotRaceWithEachOther) {
  warp.atomic(0, strided(0, 0));
  other.atomic(0, strided(0, 0));
  warp.atomic(1, strided(0, 4));
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedRaceTest, APlainReadRacesWithAnAtomic) {
  warp.store(0, strided(0, 4), 1);
  sync_block(checker);
  warp.atomic(1, strided(0, 0));
  other.atomic(1, strided(0, 0));
  other.load(2, strided(0, 0), 1);
  EXPECT_NE(std::string::npos, message().find("thread (0, 1, 0) reads bytes 0 to 3 of tile, which "
                                              "thread (0, 0, 0) atomically updates in line 11"));
}

// h[t] = 0; atomicAdd(&h[...], 1): the thread's own atomic does not order its write before the
// atomics of other threads.
TEST_F(SharedRaceTest, APlainWriteStaysKnownBehindItsThreadsAtomic) {
  warp.store(2, strided(0, 4), 1);
  warp.atomic(7, strided(0, 4), 1);
  other.atomic(7, strided(0, 4), 1);
  EXPECT_EQ(
      "thread (0, 1, 0) atomically updates bytes 0 to 3 of tile, which thread (0, 0, 0) writes in "
      "line 12, with no barrier in between: their order is undefined. Let only one "
      "thread write there, give each thread its own element, or put a __syncthreads() "
      "between line 12 and line 17.",
      message());
}

TEST_F(SharedRaceTest, AndBehindAtomicsOfLanesThatAreOrderedBehindIt) {
  warp.store(2, strided(0, 4), 1);
  warp.sync();
  warp.atomic(7, strided(0, 0));
  warp.sync();
  warp.atomic(7, strided(0, 0));
  EXPECT_TRUE(found().empty());
  other.atomic(7, strided(0, 0), 1);
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedRaceTest, ABarrierOrdersAPlainWriteForAllAtomics) {
  warp.store(2, strided(0, 4), 1);
  warp.atomic(7, strided(0, 4), 1);
  sync_block(checker);
  warp.atomic(7, strided(0, 0));
  other.atomic(7, strided(0, 0));
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedRaceTest, APlainReadStaysKnownBesideVolatileOnesOfOtherWarps) {
  launch.function().instructions[20].opcode = ptx::Opcode::ld;
  launch.function().instructions[20].modifiers.add(ptx::Modifier::volatile_);
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  other.load(20, strided(0, 4), 1);
  warp.load(20, strided(0, 4), 1);
  warp.load(2, strided(0, 4), 1);
  other.atomic(7, strided(0, 4), 1);
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedRaceTest, AnAtomicRacesWithAPlainWrite) {
  warp.store(0, strided(0, 4), 1);
  other.atomic(1, strided(0, 0), 1);
  EXPECT_NE(std::string::npos,
            message().find("thread (0, 1, 0) atomically updates bytes 0 to 3 of tile, which thread "
                           "(0, 0, 0) writes in line 10"));
}

TEST_F(SharedRaceTest, ABlockDoesNotRaceWithTheBlockBefore) {
  warp.store(0, strided(0, 4));
  checker.on_block_begin(6);
  other.load(1, strided(0, 4));
  EXPECT_TRUE(found().empty());
}

TEST_F(SharedRaceTest, LinesInOtherFilesAreNamedWithTheirFile) {
  launch.function().locations[3].file = "tile.h";
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  warp.store(2, strided(0, 4));
  other.load(7, strided(0, 4));
  EXPECT_NE(std::string::npos, message().find("writes in line 12 of tile.h, with"));
  EXPECT_NE(std::string::npos, message().find("between line 12 of tile.h and line 17."));
}

TEST_F(SharedRaceTest, WithoutSourceLinesThePtxLinesAreNamed) {
  for (auto& instruction : launch.function().instructions) instruction.location = 0;
  checker.on_launch(launch.context());
  checker.on_block_begin(0);
  warp.store(2, strided(0, 4));
  other.load(7, strided(0, 4));
  EXPECT_NE(std::string::npos, message().find("between PTX line 102 and PTX line 107."));
}

TEST_F(SharedRaceTest, NumbersOfEntriesMayRunOutAndStartAgain) {
  // 2^22 numbers last for 2^22 / 3 intervals of two entries each.
  for (int i = 0; i < 1'600'000; ++i) {
    warp.store(0, strided(0, 4), 1);
    warp.load(1, strided(0, 4), 1);
    sync_block(checker);
  }
  EXPECT_TRUE(found().empty());
  warp.store(0, strided(0, 4));
  other.load(1, strided(0, 4));
  EXPECT_EQ(1U, found().size());
}

TEST_F(SharedRaceTest, AnEndlessIntervalTakesBoundedMemory) {
  for (int i = 0; i < 600'000; ++i) {
    warp.store(0, strided(0, 4), 1);
    warp.sync();
    warp.load(1, strided(0, 4), 2);
    warp.sync();
  }
  EXPECT_TRUE(found().empty());
}

// Accesses to the shared memory of another block of the cluster that has ended, or that may end
// before the access. On an H100 such a load fails with cudaErrorLaunchFailure.

using base::DiagnosticKind;
using testing::AllOf;
using testing::HasSubstr;

TEST(EndedBlocks, AnAccessNeedsABarrierBehindIt) {
  // In this run block 1 happens to read before block 0 ends.
  expect_finding(
      "__shared__ int v[32]; v[t] = t; cluster.sync();"
      "if (rank == 1) out[t] = cluster.map_shared_rank(v, 0)[t];",
      DiagnosticKind::kRace,
      AllOf(HasSubstr(
                "reads bytes 0 to 3 of v of the block of rank 0, and that block may have ended"),
            HasSubstr("reach a cluster.sync()")));
  expect_none(
      "__shared__ int v[32]; v[t] = t; cluster.sync();"
      "if (rank == 1) out[t] = cluster.map_shared_rank(v, 0)[t]; cluster.sync();");
}

TEST(EndedBlocks, AnyOrderByWhichTheBlockKnowsOfTheAccessIsEnough) {
  // The reader sets a flag when it has finished, and the other block waits for the flag.
  expect_none(
      "__shared__ int v[32], done; v[t] = t; if (t == 0) done = 0; cluster.sync();"
      "if (rank == 1) { out[t] = cluster.map_shared_rank(v, 0)[t]; __syncwarp();"
      "if (t == 0) { __threadfence(); atomicExch(cluster.map_shared_rank(&done, 0), 1); }"
      "} else { if (t == 0) { while (atomicAdd(&done, 0) == 0) {} __threadfence(); } }");
}

TEST(EndedBlocks, MayBeEndedForOthers) {
  expect_none(
      "__shared__ int v[32]; v[t] = t; cluster.sync(); if (rank == 1) return;"
      "out[t] = v[31 - t];");
}

}  // namespace warpgrade::check::shared_race_test
