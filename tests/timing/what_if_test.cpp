// SPDX-License-Identifier: Apache-2.0
#include "common/timing/what_if.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "common/device/profile.h"
#include "common/timing/sample.h"
#include "common/timing/simulation.h"
#include "common/timing/trace.h"

namespace warpgrade::timing::what_if_test {

// Hand-made launches of one block on one SM of an H200, each with one waste.

constexpr std::uint32_t kWork = 1000;  // Clocks of a step that does not wait.

Step compute(std::uint32_t clocks, std::uint16_t slots = 1) {
  return {Step::Kind::kCompute, slots, clocks};
}

TracedAccess request(TracedAccess::Kind kind, std::uint16_t sectors) {
  TracedAccess out;
  out.kind = kind;
  out.sectors = sectors;
  out.lines = sectors;
  return out;
}

/// Two warps; each has its own program.
Trace two_warps(WarpProgram first, WarpProgram second) {
  Trace trace;
  trace.programs = {std::move(first), std::move(second)};
  trace.blocks.resize(1);
  trace.blocks[0].warps = {{0, 0}, {1, 0}};
  return trace;
}

ModelInputs inputs_of(Trace trace, const Occupancy& occupancy = {1, 2, Limit::kShared}) {
  const auto& h200 = device::find("h200");
  ModelInputs out;
  out.sample = choose_sample(h200, 1, trace.blocks.size());
  out.rates.resident = occupancy.blocks_per_sm;
  out.trace = std::make_shared<const Trace>(std::move(trace));
  out.occupancy = occupancy;
  out.seconds = simulate(h200, out.sample, out.rates, *out.trace).seconds;
  return out;
}

double clocks_saved(const ModelInputs& inputs, Waste waste, double least = 0) {
  const auto& h200 = device::find("h200");
  return (inputs.seconds - seconds_without(h200, inputs, waste, least)) * h200.sm.clock_hz;
}

// The second warp works for 1,000 clocks before the barrier, and the first one after it.
TEST(WhatIf, WithoutTheBarrierBothWarpsWorkAtOnce) {
  const auto inputs = inputs_of(two_warps({{Step::Kind::kBarrier}, compute(kWork)},
                                          {compute(kWork), {Step::Kind::kBarrier}}));
  EXPECT_NEAR(kWork, clocks_saved(inputs, Waste::kBarriers), 60);
}

TEST(WhatIf, ABarrierThatNoWarpWaitsAtSavesLittle) {
  const auto inputs =
      inputs_of(two_warps({compute(kWork), {Step::Kind::kBarrier}, compute(kWork)},
                          {compute(kWork), {Step::Kind::kBarrier}, compute(kWork)}));
  EXPECT_NEAR(0, clocks_saved(inputs, Waste::kBarriers), 60);
}

// An SM of an H200 serves one wavefront of shared memory per clock. A warp that does not wait for
// the answer ends when its request is accepted: the second one after the wavefronts of the first.
TEST(WhatIf, WithoutConflictsARequestNeedsItsLeastWavefronts) {
  auto trace = two_warps({{Step::Kind::kRequest, 0, 0}}, {{Step::Kind::kRequest, 0, 0}});
  auto shared = request(TracedAccess::Kind::kShared, 0);
  shared.wavefronts = 1032;
  trace.blocks[0].requests = {shared};
  EXPECT_NEAR(1000, clocks_saved(inputs_of(trace), Waste::kSharedWavefronts, 32), 1);
  EXPECT_EQ(0, clocks_saved(inputs_of(trace), Waste::kSharedWavefronts, 2000));
}

// A warp that waits for one load waits for the latency alone.
TEST(WhatIf, WithoutLatencyALoadIsAnsweredAtOnce) {
  auto trace = two_warps({{Step::Kind::kRequest, 0, 0}, {Step::Kind::kWait, 0, 0}}, {});
  trace.blocks[0].requests = {request(TracedAccess::Kind::kLoad, 1)};
  const auto& h200 = device::find("h200");
  const double latency = h200.dram.latency_seconds * h200.sm.clock_hz;
  EXPECT_GT(clocks_saved(inputs_of(trace), Waste::kMemoryLatency), latency / 2);
  EXPECT_EQ(0, clocks_saved(inputs_of(trace), Waste::kStoreSectors, 0));
}

// Local memory is left out, and other accesses are not.
TEST(WhatIf, OnlyLocalMemoryIsLeftOut) {
  auto trace = two_warps({{Step::Kind::kRequest, 0, 0}}, {{Step::Kind::kRequest, 0, 0}});
  trace.blocks[0].requests = {request(TracedAccess::Kind::kStore, 4000)};
  EXPECT_EQ(0, clocks_saved(inputs_of(trace), Waste::kLocalMemory));
  trace.blocks[0].requests[0].buffer = TracedAccess::kLocal;
  EXPECT_GT(clocks_saved(inputs_of(trace), Waste::kLocalMemory), kWork / 2);
}

// Four blocks one after another: if two fit, the time is half.
TEST(WhatIf, WithFullOccupancyBlocksRunBesideEachOther) {
  Trace trace;
  trace.programs = {{compute(kWork)}};
  trace.blocks.resize(4);
  for (std::uint64_t b = 0; b < trace.blocks.size(); ++b) {
    trace.blocks[b].linear = b;
    trace.blocks[b].warps = {{0, 0}};
  }
  const auto& h200 = device::find("h200");
  auto inputs = inputs_of(trace, {1, h200.sm.limits.warps / 2, Limit::kShared});
  inputs.sample.sms = 1;
  inputs.sample.blocks = 4;
  inputs.seconds = simulate(h200, inputs.sample, inputs.rates, *inputs.trace).seconds;
  EXPECT_GT(clocks_saved(inputs, Waste::kLowOccupancy), 1.5 * kWork);
  EXPECT_GT(clocks_saved(inputs, Waste::kInstructions), 3.5 * kWork);
}

TEST(WhatIf, ALargeTraceIsNotKept) {
  Trace trace;
  trace.blocks.resize(1);
  EXPECT_TRUE(is_kept(trace));
  trace.blocks[0].requests.resize((std::size_t{1} << 20) + 1);
  EXPECT_FALSE(is_kept(trace));
}

}  // namespace warpgrade::timing::what_if_test
