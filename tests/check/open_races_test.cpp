// SPDX-License-Identifier: Apache-2.0
// Plain reads that race with atomics in shared memory, and the compare-and-swaps that repair them.
#include "common/check/open_races.h"

#include <gtest/gtest.h>

#include "common/check/shared_race.h"
#include "tests/check/events.h"

namespace warpgrade::check::open_races_test {

// Instruction 30 is a compare-and-swap, 31 another atomic.
class CompareAndSwap : public testing::Test {
 protected:
  void SetUp() override {
    auto& swap = launch.function().instructions[30];
    swap.opcode = ptx::Opcode::atom;
    swap.modifiers.add(ptx::Modifier::cas);
    launch.function().instructions[31].opcode = ptx::Opcode::atom;
    checker.on_launch(launch.context());
    checker.on_block_begin(5);
  }
  void swap(Warp& by, std::uint64_t address = 0, std::uint32_t mask = 1) {
    by.atomic(30, strided(address, 0), mask);
  }
  void add(Warp& by, std::uint32_t mask = 1) { by.atomic(31, strided(0, 0), mask); }
  void read(Warp& by, std::uint32_t mask = 1, std::uint32_t instruction = 7) {
    by.load(instruction, strided(0, 0), mask);
  }
  std::size_t races() {
    checker.on_block_end();
    return checker.findings().all().size();
  }

  Launch launch{{32, 2, 1}};
  SharedRace checker;
  Warp warp{checker, 0};
  Warp other{checker, 1};
};

TEST_F(CompareAndSwap, RepairsAStaleRead) {
  read(warp);
  read(other);
  swap(other);
  swap(warp);
  read(other, 2);
  swap(other, 0, 2);
  EXPECT_EQ(0U, races());
}

TEST_F(CompareAndSwap, OfAnotherWordDoesNot) {
  read(warp);
  swap(other);
  swap(warp, 4);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, OfAnotherThreadDoesNot) {
  read(warp);
  swap(other);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, BeforeTheReadDoesNot) {
  swap(warp);
  read(warp);
  swap(other);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, MayBeLeftOutWhereOtherThreadsMakeItBehindTheSameRead) {
  read(warp, 3);
  swap(warp, 0, 1);
  read(other);
  EXPECT_EQ(0U, races());
}

TEST_F(CompareAndSwap, IsNotSeenInAnAddition) {
  read(warp);
  read(other);
  add(warp);
  add(other);
  swap(other, 64);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, ThirdReaderIsNotForgotten) {
  Launch large({96, 1, 1});
  large.function() = launch.function();
  checker.on_launch(large.context());
  checker.on_block_begin(0);
  Warp third{checker, 2};
  read(warp);
  read(other);
  read(third, 1, 8);
  swap(warp);
  swap(other);
  EXPECT_EQ(1U, races());
}

TEST_F(CompareAndSwap, DoesNotExcuseAPlainWrite) {
  read(warp);
  other.store(2, strided(0, 4), 1);
  swap(warp);
  EXPECT_EQ(2U, races());  // one with the read, one with the compare-and-swap
}

}  // namespace warpgrade::check::open_races_test
