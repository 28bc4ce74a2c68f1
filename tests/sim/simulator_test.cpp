// SPDX-License-Identifier: Apache-2.0
#include "common/sim/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/error.h"
#include "tests/sim/ptx_kernel.h"

namespace warpgrade::sim::simulator_test {

compile::Program program(const std::string& target, const std::string& body) {
  compile::Program out;
  out.ptx = {"//\n.version 9.0\n.target " + target + "\n.address_size 64\n" + body, {}};
  return out;
}

bool are_alike_with(const std::string& body) {
  return are_alike(program("sm_75", body), program("sm_90", body));
}

TEST(Alike, ProgramsThatDifferInTheirTargetAloneAreAlike) {
  EXPECT_TRUE(are_alike_with(".visible .entry copy()\n{\n\tret;\n}\n"));
}

TEST(Alike, AnyOtherDifferenceCounts) {
  EXPECT_FALSE(are_alike(program("sm_75", "add.s32 %r1, %r2, 75;\n"),
                         program("sm_90", "add.s32 %r1, %r2, 90;\n")));
  EXPECT_FALSE(are_alike(program("sm_75", "\tret;\n"), program("sm_90", "\tret;\n\tret;\n")));
  // Only the module's own directive may differ.
  EXPECT_FALSE(
      are_alike(program("sm_75", "\n.target sm_75\n"), program("sm_75", "\n.target sm_90\n")));
}

TEST(Alike, WhatAsksForItsDeviceIsLikeNoOther) {
  EXPECT_FALSE(are_alike_with("mov.u32 %r1, %smid;\n"));
  EXPECT_FALSE(are_alike_with("mov.u32 %r1, %nsmid;\n"));
  EXPECT_FALSE(are_alike_with("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1};\n"));
  EXPECT_FALSE(are_alike_with("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1};\n"));
}

TEST(Alike, NothingIsKnownOfProgramsWithoutText) {
  EXPECT_FALSE(are_alike(compile::Program(), compile::Program()));
}

// A launch on the simulator: geometry, the blocks that run, the host threads, the observers.

using testing::Each;

TEST(Threads, AnyNumberOfThemGivesTheSameFault) {
  PtxLaunch launch;
  launch.blocks = 64;
  launch.body = "setp.lt.u32 %p1, %r30, 40; @%p1 ret; ld.global.u64 %rd5, [%rd1+65536];";
  for (const std::uint32_t threads : {1U, 2U, 7U}) {
    launch.options.threads = threads;
    const auto run = run_ptx(launch);
    ASSERT_EQ(1U, run.result.diagnostics.size());
    EXPECT_EQ(40U, run.result.diagnostics[0].block->x);
  }
}

TEST(Geometry, ImpossibleOnesAreTheUsersMistake) {
  PtxLaunch launch;
  launch.threads = 1025;
  EXPECT_THROW(run_ptx(launch), base::UsageError);
}

/// Counts the reported instructions, in blocks with an odd index only.
class OddBlocks final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<OddBlocks>(); }
  void join(run::Observer& other) override {
    const auto& theirs = dynamic_cast<OddBlocks&>(other);
    blocks.insert(blocks.end(), theirs.blocks.begin(), theirs.blocks.end());
    instructions.insert(instructions.end(), theirs.instructions.begin(), theirs.instructions.end());
  }
  void on_block_begin(std::uint64_t linear_block) override { blocks.push_back(linear_block); }
  bool wants_instructions() const override { return blocks.back() % 2 == 1; }
  std::uint64_t on_instruction(std::uint32_t warp, std::uint32_t instruction) override {
    if (warp == 0) instructions.push_back(instruction);
    return 0;
  }

  std::vector<std::uint64_t> blocks;
  std::vector<std::uint32_t> instructions;
};

TEST(Observers, AreToldOfEachInstructionWhereTheyAskForIt) {
  OddBlocks watcher;
  PtxLaunch launch;
  launch.body = "setp.eq.u32 %p1, %r29, 99; @%p1 trap; mov.u32 %r1, 5;";
  launch.blocks = 2;
  launch.options.observers.push_back(&watcher);
  const auto run = run_ptx(launch);
  EXPECT_EQ(executed(run), 2 * watcher.instructions.size());  // one of two blocks
}

/// Records how many values each match compares.
class Matches final : public run::Observer {
 public:
  std::unique_ptr<run::Observer> fork() const override { return std::make_unique<Matches>(); }
  void join(run::Observer& other) override {
    const auto& theirs = dynamic_cast<Matches&>(other).values;
    values.insert(values.end(), theirs.begin(), theirs.end());
  }
  bool wants_instructions() const override { return true; }
  void on_match(std::uint32_t /*warp*/, std::uint32_t /*instruction*/,
                std::uint32_t number) override {
    values.push_back(number);
  }

  std::vector<std::uint32_t> values;
};

// %r29 is the lane: 32 values, 4 values of lane / 8, and 2 in the lower half of the warp.
TEST(Observers, AreToldHowManyValuesAMatchCompares) {
  Matches matches;
  PtxLaunch launch;
  launch.body =
      "match.any.sync.b32 %r1, %r29, -1; shr.u32 %r2, %r29, 3; match.any.sync.b32 %r1, %r2, -1;"
      "match.all.sync.b32 %r1, %r29, -1; setp.lt.u32 %p1, %r29, 16;"
      "@%p1 match.any.sync.b32 %r1, %r2, 0xffff;";
  launch.options.observers.push_back(&matches);
  run_ptx(launch);
  EXPECT_THAT(matches.values, testing::ElementsAre(32, 4, 1, 2));
}

TEST(Blocks, OnlyThoseOfTheRangesAreExecuted) {
  for (const std::uint32_t threads : {1U, 3U}) {
    OddBlocks watcher;
    PtxLaunch launch;
    launch.body = "mov.u32 %r1, 5;";
    launch.blocks = 20;
    launch.options.threads = threads;
    launch.options.blocks = {{2, 4}, {4, 5}, {17, 20}};
    launch.options.observers.push_back(&watcher);
    run_ptx(launch);
    EXPECT_THAT(watcher.blocks, testing::ElementsAre(2, 3, 4, 17, 18, 19));
  }
}

TEST(Blocks, RangesPastTheGridOrOutOfOrderAreTheUsersMistake) {
  PtxLaunch launch;
  launch.blocks = 4;
  for (const auto& ranges :
       std::vector<std::vector<run::BlockRange>>{{{0, 5}}, {{2, 2}}, {{2, 3}, {1, 2}}}) {
    launch.options.blocks = ranges;
    EXPECT_THROW(run_ptx(launch), base::UsageError);
  }
}

TEST(Simulator, AKernelThatIsNotThereIsTheUsersMistake) {
  const Simulator simulator(program("sm_90", ".func f() { ret; }\n"));
  EXPECT_EQ("sm_90", simulator.module().target);
  EXPECT_THROW(simulator.function("k"), base::UsageError);
  EXPECT_THROW(simulator.function("f"), base::UsageError);  // not a kernel
}

TEST(Simulator, NoMoreSharedMemoryThanAnyDeviceHas) {
  PtxLaunch launch;
  launch.dynamic_shared_bytes = 227 * 1024;
  expect_clean(run_ptx(launch));
  launch.dynamic_shared_bytes = 1024 * 1024;
  EXPECT_THROW(run_ptx(launch), base::UsageError);
}

TEST(Simulator, VariablesStartAfreshUnlessTheyAreKept) {
  PtxLaunch launch;
  launch.before = ".global .u64 count = 5;";
  launch.body =
      "ld.global.u64 %rd5, [count]; st.global.u64 [%rd1], %rd5; add.u64 %rd5, %rd5, 1;"
      "st.global.u64 [count], %rd5;";
  launch.threads = 1;
  EXPECT_THAT(run_ptx(launch).out, Each(5U));
  EXPECT_THAT(run_ptx(launch).out, Each(5U));
  std::vector<std::vector<std::byte>> kept;
  launch.options.variables = &kept;
  EXPECT_THAT(run_ptx(launch).out, Each(5U));
  EXPECT_THAT(run_ptx(launch).out, Each(6U));
}

}  // namespace warpgrade::sim::simulator_test
