// SPDX-License-Identifier: Apache-2.0
#include "common/timing/what_if.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "common/device/profile.h"
#include "common/timing/sample.h"
#include "common/timing/simulation.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {
namespace {

// Requests of a trace, about 80 bytes each, and steps of its programs.
constexpr std::size_t kMostRequests = std::size_t{1} << 20;
constexpr std::size_t kMostSteps = std::size_t{1} << 22;

// The fewer of `count` and `least`, rounded up.
std::uint16_t limited(std::uint16_t count, double least) {
  const double most = std::clamp(std::ceil(least), 0.0, 65535.0);
  return std::min(count, static_cast<std::uint16_t>(most));
}

void limit_sectors(double least, TracedAccess& request) {
  const auto sectors = limited(request.sectors, least);
  if (sectors == request.sectors) return;
  constexpr double kSectorsInLine = 4;
  request.reused = std::min(request.reused, sectors);
  request.lost = std::min<std::uint16_t>(request.lost, sectors - request.reused);
  request.lines = limited(request.lines, std::ceil(least / kSectorsInLine));
  request.pages = static_cast<std::uint8_t>(std::min<std::uint32_t>(request.pages, request.lines));
  request.tag_clocks = std::min(request.tag_clocks, request.lines);
  request.partial = std::min(request.partial, sectors);
  request.sectors = sectors;
}

void leave_out(Waste waste, double least, BlockTrace& block) {
  using Access = TracedAccess::Kind;
  for (auto& request : block.requests) {
    if (waste == Waste::kSharedWavefronts && request.kind == Access::kShared) {
      request.wavefronts = limited(request.wavefronts, std::max(least, 1.0));
      request.on_one_word = 0;
      request.rounds = std::min(request.rounds, 1U);
    } else if (waste == Waste::kLoadSectors && request.kind == Access::kLoad) {
      limit_sectors(least, request);
    } else if (waste == Waste::kStoreSectors && request.kind == Access::kStore) {
      limit_sectors(least, request);
    } else if (waste == Waste::kLocalMemory && request.buffer == TracedAccess::kLocal) {
      limit_sectors(0, request);
    } else if (waste == Waste::kAtomics && request.kind == Access::kAtomic) {
      limit_sectors(0, request);
      request.atomic_works = 0;
    }
  }
}

void leave_out(Waste waste, WarpProgram& program) {
  if (waste == Waste::kBarriers) {
    std::erase_if(program, [](const Step& step) { return step.kind == Step::Kind::kBarrier; });
  }
  for (auto& step : program) {
    if (step.kind != Step::Kind::kCompute) continue;
    if (waste == Waste::kInstructions) {
      step.slots = 0;
      step.value = 0;
    }
    if (waste == Waste::kInstructions || waste == Waste::kArithmetic) step.pipes = {};
  }
}

}  // namespace

bool is_kept(const Trace& trace) {
  std::size_t requests = 0;
  std::size_t steps = 0;
  for (const auto& block : trace.blocks) requests += block.requests.size();
  for (const auto& program : trace.programs) steps += program.size();
  return requests <= kMostRequests && steps <= kMostSteps;
}

double seconds_without(const device::Profile& profile, const ModelInputs& inputs, Waste waste,
                       double least) {
  auto card = profile;
  auto rates = inputs.rates;
  auto trace = *inputs.trace;
  trace.lines = nullptr;
  if (waste == Waste::kMemoryLatency) {
    card.dram.latency_seconds = 0;
    card.dram.loaded_latency_seconds = 0;
    card.dram.latency_tail_seconds = 0;
    card.l2.latency_seconds = 0;
  } else if (waste == Waste::kLowOccupancy) {
    const auto blocks = std::max(inputs.occupancy.blocks_per_sm, 1U);
    const auto warps = std::max(inputs.occupancy.warps_per_sm / blocks, 1U);
    rates.resident = std::max(rates.resident, card.sm.limits.warps / warps);
  }
  for (auto& block : trace.blocks) leave_out(waste, least, block);
  for (auto& program : trace.programs) leave_out(waste, program);
  return std::min(inputs.seconds, simulate(card, inputs.sample, rates, trace).seconds);
}

}  // namespace warpgrade::timing
