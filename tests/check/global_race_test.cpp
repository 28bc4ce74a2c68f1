// SPDX-License-Identifier: Apache-2.0
// Races in global memory: between threads of a block, between blocks, and what orders them.
#include "common/check/global_race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/check/events.h"

namespace warpgrade::check::global_race_test {

using testing::HasSubstr;

constexpr auto kGlobal = run::Space::kGlobal;

// Instruction 20 is a volatile load, 21 a volatile store, 22 an atomic, 23 a fence, 24 a
// compare-and-swap.
class GlobalRaceTest : public testing::Test {
 protected:
  void SetUp() override {
    auto& all = launch.function().instructions;
    for (const int i : {20, 21}) {
      all[i].opcode = i == 20 ? ptx::Opcode::ld : ptx::Opcode::st;
      all[i].modifiers.add(ptx::Modifier::volatile_);
    }
    all[22].opcode = ptx::Opcode::atom;
    all[23].opcode = ptx::Opcode::membar;
    all[24].opcode = ptx::Opcode::atom;
    all[24].modifiers.add(ptx::Modifier::cas);
    launch.function().registers.resize(1);
    ptx::Operand result;
    result.kind = ptx::Operand::Kind::kRegister;
    for (const int i : {22, 23, 24}) all[i].operands = {result};  // 23 stands for all that read it
    launch.context().global_variables = {{"flag", kFlag, 8}};
    checker.on_launch(launch.context());
    checker.on_block_begin(0);
  }
  std::vector<base::Diagnostic> found() { return to_diagnostics(checker.findings().all(), 16); }
  void load(std::uint64_t address, std::uint32_t mask = 1, Warp* by = nullptr) {
    (by == nullptr ? warp : *by).load(7, strided(address, 4), mask, 4, kGlobal);
  }
  void store(std::uint64_t address, std::uint32_t mask = 1, std::uint32_t value = 5) {
    warp.store(2, strided(address, 4), mask, 4, kGlobal, [=](std::uint32_t) { return value; });
  }
  void atomic(std::uint64_t address) { warp.atomic(22, strided(address, 4), 1, kGlobal); }
  void other_atomic(std::uint64_t address) { other.atomic(22, strided(address, 4), 1, kGlobal); }
  void swap(std::uint64_t address, Warp* by = nullptr) {
    (by == nullptr ? warp : *by).atomic(24, strided(address, 4), 1, kGlobal);
  }
  std::size_t races() {
    checker.on_block_end();
    return found().size();
  }
  void fence(bool device_wide = true) {
    checker.on_order({run::OrderEvent::Kind::kFence, device_wide, 23, 0, 1, nullptr});
  }
  void next_block() { checker.on_block_begin(++block); }

  static constexpr std::uint64_t kFlag = 0x30000;
  std::uint64_t block = 0;
  Launch launch{{64, 1, 1}};
  GlobalRace checker;
  Warp warp{checker, 0};
  Warp other{checker, 1};
};

TEST_F(GlobalRaceTest, BlocksThatWriteUnlikeValuesAreNamed) {
  store(kOut + 8);
  next_block();
  store(kOut + 8, 1, 6);
  const auto diagnostics = found();
  ASSERT_EQ(1U, diagnostics.size());
  EXPECT_EQ(base::DiagnosticKind::kRace, diagnostics[0].kind);
  EXPECT_EQ((base::Dim3{1, 0, 0}), diagnostics[0].block);
  EXPECT_EQ(
      "thread (0, 0, 0) writes out[2], which thread (0, 0, 0) of block (0, 0, 0) writes in the "
      "same "
      "line, with nothing to order them: their order is undefined. Give each thread its own "
      "element, or add with atomics: blocks run concurrently and in any order.",
      base::text(diagnostics[0]));
}

TEST_F(GlobalRaceTest, TheEarlierAccessIsAPlaceOfItsOwn) {
  load(kOut + 8, 2);
  next_block();
  store(kOut + 12);
  ASSERT_EQ(1U, found().size());
  const base::RelatedPlace expected{
      {"kernel.cu", 17, 3}, base::Does::kRead, base::Dim3{0, 0, 0}, base::Dim3{1, 0, 0}};
  EXPECT_EQ((std::vector<base::RelatedPlace>{expected}), found()[0].related);
}

TEST_F(GlobalRaceTest, EqualValuesAndInputsAreNoRace) {
  store(kOut);
  next_block();
  store(kOut);
  store(kIn, 1, 1);
  next_block();
  load(kIn);
  EXPECT_TRUE(found().empty());
}

TEST_F(GlobalRaceTest, ABlockMayNotReadWhatAnotherWrites) {
  store(kOut);
  next_block();
  load(kOut);
  EXPECT_EQ(1U, found().size());
}

TEST_F(GlobalRaceTest, NorWriteWhatAnotherHasRead) {
  load(kOut);
  next_block();
  store(kOut);
  EXPECT_EQ(1U, found().size());
}

TEST_F(GlobalRaceTest, ThreadsOfABlockNeedABarrier) {
  warp.store(2, strided(kOut, 4), run::kFullMask, 4, kGlobal);
  checker.on_barrier({run::BarrierEvent::Scope::kBlock});
  load(kOut, 1, &other);
  checker.on_barrier({run::BarrierEvent::Scope::kBlock});
  store(kOut, 1, 9);
  EXPECT_TRUE(found().empty());
  load(kOut, 1, &other);
  ASSERT_EQ(1U, found().size());
  EXPECT_THAT(base::text(found()[0]),
              HasSubstr("Put a __syncthreads() between line 12 and line 17."));
}

TEST_F(GlobalRaceTest, AnAtomicBehindAFenceHandsOn) {
  store(kOut);
  fence();
  atomic(kFlag);
  next_block();
  atomic(kFlag);
  fence();
  load(kOut);
  EXPECT_TRUE(found().empty());
}

TEST_F(GlobalRaceTest, AFenceOfTheBlockAloneDoesNot) {
  store(kOut);
  fence(/*device_wide=*/false);
  atomic(kFlag);
  next_block();
  atomic(kFlag);
  fence();
  load(kOut);
  EXPECT_EQ(1U, found().size());
}

TEST_F(GlobalRaceTest, NorAFenceBeforeTheStore) {
  fence();
  store(kOut);
  atomic(kFlag);
  next_block();
  atomic(kFlag);
  fence();
  load(kOut);
  EXPECT_EQ(1U, found().size());
}

TEST_F(GlobalRaceTest, TheReaderNeedsAFenceOrABarrier) {
  store(kOut);
  fence();
  atomic(kFlag);
  next_block();
  atomic(kFlag);
  checker.on_barrier({run::BarrierEvent::Scope::kBlock});
  load(kOut);
  EXPECT_TRUE(found().empty());
  next_block();
  atomic(kFlag);
  fence(/*device_wide=*/false);
  load(kOut);
  EXPECT_EQ(1U, found().size());
}

TEST_F(GlobalRaceTest, NorAnAtomicThatTheReaderDoesNotMake) {
  store(kOut);
  fence();
  atomic(kFlag);
  next_block();
  load(kOut);
  EXPECT_EQ(1U, found().size());
}

TEST_F(GlobalRaceTest, WhatIsHandedOnIsHandedOnFurther) {
  store(kOut);
  fence();
  atomic(kFlag);
  next_block();
  atomic(kFlag);
  fence();
  atomic(kFlag + 4);
  next_block();
  atomic(kFlag + 4);
  fence();
  load(kOut);
  EXPECT_TRUE(found().empty());
}

TEST_F(GlobalRaceTest, VolatileFlagsDoNotRace) {
  store(kOut);
  fence();
  warp.store(21, strided(kFlag, 4), 1, 4, kGlobal);
  next_block();
  warp.load(20, strided(kFlag, 4), 1, 4, kGlobal);
  fence();
  load(kOut);
  EXPECT_TRUE(found().empty());
  next_block();
  load(kFlag);
  ASSERT_EQ(1U, found().size());
  EXPECT_THAT(base::text(found()[0]), HasSubstr("reads bytes 0 to 3 of flag"));
}

TEST_F(GlobalRaceTest, APlainStoreSetsNoFlag) {
  store(kFlag);
  next_block();
  warp.load(20, strided(kFlag, 4), 1, 4, kGlobal);
  ASSERT_EQ(1U, found().size());
}

TEST_F(GlobalRaceTest, ACompareAndSwapRepairsAStaleRead) {
  load(kOut);
  load(kOut, 1, &other);
  swap(kOut, &other);
  swap(kOut);
  checker.on_block_end();
  next_block();
  load(kOut);
  swap(kOut);
  EXPECT_EQ(0U, races());
}

TEST_F(GlobalRaceTest, AThreadThatReadsLikeThoseMayLeaveWithoutASwap) {
  swap(kOut);
  checker.on_block_end();
  next_block();
  load(kOut);
  checker.on_block_end();
  next_block();
  load(kOut);
  swap(kOut);
  EXPECT_EQ(0U, races());
}

TEST_F(GlobalRaceTest, AReadThatNoThreadRepairsIsARace) {
  load(kOut);
  checker.on_block_end();
  next_block();
  swap(kOut);
  EXPECT_EQ(1U, races());
}

TEST_F(GlobalRaceTest, NorDoesAnAdditionRepairIt) {
  load(kOut);
  load(kOut, 1, &other);
  atomic(kOut);
  swap(kOut + 4);
  EXPECT_EQ(1U, races());
}

// if (t == 0) *count = 0; atomicAdd(count, 1): the thread's own atomic does not order its write
// before the atomics of other threads.
TEST_F(GlobalRaceTest, APlainWriteStaysKnownBehindItsThreadsAtomic) {
  store(kOut);
  atomic(kOut);
  other_atomic(kOut);
  ASSERT_EQ(1U, found().size());
  EXPECT_THAT(base::text(found()[0]),
              HasSubstr("thread (32, 0, 0) atomically updates out[0], which "
                        "thread (0, 0, 0) writes in line 12"));
}

TEST_F(GlobalRaceTest, AndForAtomicsOfOtherBlocks) {
  store(kOut);
  atomic(kOut);
  next_block();
  atomic(kOut);
  EXPECT_EQ(1U, found().size());
}

TEST_F(GlobalRaceTest, ABarrierOrdersAPlainWriteForTheAtomicsOfItsBlock) {
  store(kOut);
  atomic(kOut);
  checker.on_barrier({run::BarrierEvent::Scope::kBlock});
  other_atomic(kOut);
  EXPECT_TRUE(found().empty());
}

TEST_F(GlobalRaceTest, APlainReadStaysKnownBehindItsThreadsAtomic) {
  load(kOut);
  atomic(kOut);
  other_atomic(kOut);
  EXPECT_EQ(1U, races());
}

TEST_F(GlobalRaceTest, TheHeapIsCheckedLikeOtherMemory) {
  constexpr std::uint64_t kPiece = run::kHeapBase;
  for (int i = 0; i < 8192; ++i) store(kPiece + 4112 * i);  // The shadow of a small piece is small.
  store(kPiece + 4112 * 8191 + 4);
  warp.store(3, strided(kPiece + 9, 1), 1, 1, kGlobal);
  next_block();
  load(kPiece + 4112 * 8191);
  ASSERT_EQ(1U, found().size());
  EXPECT_THAT(base::text(found()[0]),
              HasSubstr("reads 4 bytes at 0x6c000201eff0, which malloc() or new returned, which "
                        "thread (0, 0, 0) of block (0, 0, 0) writes"));
}

TEST_F(GlobalRaceTest, BytesThatLieSideBySideAreApart) {
  store(kOut);
  next_block();
  warp.store(3, strided(kOut + 5, 1), 1, 1, kGlobal);
  next_block();
  warp.store(3, strided(kOut + 6, 1), 1, 1, kGlobal, [](std::uint32_t) { return 9U; });
  EXPECT_TRUE(found().empty());
  warp.store(3, strided(kOut + 5, 1), 1, 1, kGlobal, [](std::uint32_t) { return 9U; });
  warp.store(3, strided(kOut + 1, 1), 1, 1, kGlobal, [](std::uint32_t) { return 9U; });
  EXPECT_EQ(2U, found().size());
}

}  // namespace warpgrade::check::global_race_test
