// SPDX-License-Identifier: Apache-2.0
// A trace contains the programs and requests of a sample's blocks.
#include "common/timing/tracer.h"

#include <gtest/gtest.h>

#include <optional>
#include <tuple>

#include "common/ptx/module.h"

namespace warpgrade::timing::tracer_test {

class TracerTest : public testing::Test {
 protected:
  TracerTest() {
    sample.ranges = {{0, 1}, {2, 4}};
    launch.grid.x = 4;
    launch.block.x = 64;
    context.launch = &launch;
    context.module = &module;
    context.function = &module.functions.at(0);
    context.warps_per_block = 2;
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) address[lane] = 0x1000 + 4 * lane;
  }
  // Both warps of `block` execute the kernel on `observer`.
  void run_block(run::Observer& observer, std::uint64_t block) {
    observer.on_block_begin(block);
    if (observer.wants_instructions()) {
      for (std::uint32_t warp = 0; warp < 2; ++warp) {
        for (std::uint32_t i = 0; i < 3; ++i) {
          observer.on_instruction(warp, i);
          if (i != 1) memory(observer, warp, i);
        }
      }
    }
    observer.on_block_end();
  }
  void memory(run::Observer& observer, std::uint32_t warp, std::uint32_t instruction) {
    run::MemoryEvent event;
    event.instruction = instruction;
    event.warp = warp;
    event.mask = run::kFullMask;
    event.operation = instruction == 0 ? run::Operation::kLoad : run::Operation::kStore;
    event.bytes = 4;
    event.stride = 4;
    event.address = address;
    observer.on_memory(event);
  }

  ptx::Module module = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k() {\n.reg .f32 %f<3>;\n"
      ".reg .b64 %rd<3>;\nld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1;\n"
      "st.global.f32 [%rd2], %f2; }\n",
      "k.cu");
  run::Launch launch;
  run::LaunchContext context;
  Sample sample;
  std::uint64_t address[run::kWarpSize];
};

TEST_F(TracerTest, OnlyBlocksOfTheSampleAreTraced) {
  Tracer tracer(device::find("h200"), sample);
  tracer.on_launch(context);
  for (std::uint64_t block = 0; block < 4; ++block) {
    tracer.on_block_begin(block);
    EXPECT_EQ(block != 1, tracer.wants_instructions()) << block;
    tracer.on_block_end();
  }
  ASSERT_EQ(3U, tracer.trace().blocks.size());
  EXPECT_EQ(2U, tracer.trace().blocks[1].linear);
}

// A stretch of add and st is scheduled and kept; the second warp of the block meets it again.
TEST_F(TracerTest, AStretchIsWorkWhereABlockMeetsItFirst) {
  Tracer tracer(device::find("h200"), sample);
  tracer.on_launch(context);
  for (const std::uint64_t block : {0U, 2U}) {
    tracer.on_block_begin(block);
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      // Going back to instruction 0 ends the stretch of the three before.
      std::uint64_t work = 0;
      for (const std::uint32_t i : {0U, 1U, 2U, 0U}) work += tracer.on_instruction(warp, i);
      EXPECT_EQ(warp == 0, work > 0) << block;
    }
    tracer.on_block_end();
  }
}

TEST_F(TracerTest, WarpsThatDoTheSameShareAProgram) {
  Tracer tracer(device::find("h200"), sample);
  tracer.on_launch(context);
  run_block(tracer, 0);
  run_block(tracer, 2);
  const auto& trace = tracer.trace();
  EXPECT_EQ(1U, trace.programs.size());
  ASSERT_EQ(2U, trace.blocks.size());
  ASSERT_EQ(2U, trace.blocks[0].warps.size());
  EXPECT_EQ(0U, trace.blocks[0].warps[0].first_request);
  EXPECT_EQ(2U, trace.blocks[0].warps[1].first_request);
  EXPECT_EQ(6U, trace.blocks[0].instructions);
}

TEST_F(TracerTest, AProgramAsksWaitsAndStores) {
  Tracer tracer(device::find("h200"), sample);
  tracer.on_launch(context);
  run_block(tracer, 0);
  std::vector<Step::Kind> kinds;
  for (const auto& step : tracer.trace().programs.at(0)) {
    if (step.kind != Step::Kind::kCompute) kinds.push_back(step.kind);
  }
  using enum Step::Kind;
  EXPECT_EQ((std::vector<Step::Kind>{kRequest, kWait, kRequest}), kinds);
}

TEST_F(TracerTest, ALoadThatTheBlockHasMadeBeforeHitsItsL1) {
  Tracer tracer(device::find("h200"), sample);
  tracer.on_launch(context);
  run_block(tracer, 0);
  const auto& requests = tracer.trace().blocks.at(0).requests;
  ASSERT_EQ(4U, requests.size());
  EXPECT_EQ(TracedAccess::Kind::kLoad, requests[0].kind);
  EXPECT_EQ(4U, requests[0].sectors);
  EXPECT_EQ(0U, requests[2].sectors);  // of the second warp
  EXPECT_EQ(TracedAccess::Kind::kStore, requests[3].kind);
  EXPECT_EQ(0U, requests[3].sectors);  // to the line of the first warp's store
}

// 32 floats are 128 bytes: two clocks at 64 bytes per clock, one if only the banks limit.
TEST_F(TracerTest, ALoadFillsItsRegistersAtTheRateOfTheProfile) {
  device::Profile profile = device::find("h200");
  using Case = std::pair<std::optional<double>, unsigned>;
  for (const auto& [rate, wavefronts] : {Case{std::nullopt, 1}, {64.0, 2}, {48.0, 3}}) {
    profile.l1.loaded_bytes_per_clock = rate;
    Tracer tracer(profile, sample);
    tracer.on_launch(context);
    run_block(tracer, 0);
    const auto& requests = tracer.trace().blocks.at(0).requests;
    EXPECT_EQ(wavefronts, requests.at(0).wavefronts) << rate.value_or(0);
    EXPECT_EQ(1U, requests.at(1).wavefronts) << "a store fills none";
  }
}

// 32 lanes need two clocks at 16 lanes per clock, whatever their width.
TEST_F(TracerTest, ALoadFillsTheRegistersOfSixteenLanesPerClock) {
  device::Profile profile = device::find("h200");
  profile.l1.loaded_lanes_per_clock = 16;
  Tracer tracer(profile, sample);
  tracer.on_launch(context);
  run_block(tracer, 0);
  EXPECT_EQ(2U, tracer.trace().blocks.at(0).requests.at(0).wavefronts);
  EXPECT_EQ(1U, tracer.trace().blocks.at(0).requests.at(1).wavefronts) << "a store fills none";
}

// From shared memory, 32 words need two clocks at 64 bytes per clock. A conflict of two ways needs
// two as well, since each of its wavefronts delivers half of the words.
TEST_F(TracerTest, SharedMemoryFillsRegistersAtTheSameRate) {
  device::Profile profile = device::find("h200");
  for (const auto& [rate, stride, wavefronts] :
       {std::tuple(0.0, 4U, 1U), std::tuple(64.0, 4U, 2U), std::tuple(64.0, 8U, 2U),
        std::tuple(64.0, 16U, 4U)}) {
    profile.l1.loaded_bytes_per_clock = rate > 0 ? std::optional(rate) : std::nullopt;
    Tracer tracer(profile, sample);
    tracer.on_launch(context);
    tracer.on_block_begin(0);
    tracer.on_instruction(0, 0);
    run::MemoryEvent event;
    event.space = run::Space::kShared;
    event.mask = run::kFullMask;
    event.operation = run::Operation::kLoad;
    event.bytes = 4;
    event.stride = stride;
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) address[lane] = stride * lane;
    event.address = address;
    tracer.on_memory(event);
    tracer.on_block_end();
    EXPECT_EQ(wavefronts, tracer.trace().blocks.at(0).requests.at(0).wavefronts)
        << rate << " " << stride;
  }
}

TEST_F(TracerTest, ForksJoinInTheOrderOfTheBlocks) {
  Tracer tracer(device::find("h200"), sample);
  const auto early = tracer.fork();
  const auto late = tracer.fork();
  for (auto* each : {early.get(), late.get()}) each->on_launch(context);
  tracer.on_launch(context);
  run_block(*late, 3);
  run_block(*early, 0);
  tracer.join(*late);
  tracer.join(*early);
  const auto& trace = tracer.trace();
  ASSERT_EQ(2U, trace.blocks.size());
  EXPECT_EQ(0U, trace.blocks[0].linear);
  EXPECT_EQ(1U, trace.programs.size());
}

TEST_F(TracerTest, WherePartitionsArePlainTransactionsAreKept) {
  Tracer tracer(device::find("c1060"), sample);
  tracer.on_launch(context);
  run_block(tracer, 0);
  const auto& block = tracer.trace().blocks.at(0);
  EXPECT_EQ(2U, block.requests.at(0).transactions);  // a half-warp each
  EXPECT_EQ(0x1000U, block.transactions.at(0).address);
}

}  // namespace warpgrade::timing::tracer_test
