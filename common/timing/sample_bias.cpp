// SPDX-License-Identifier: Apache-2.0
#include "common/timing/sample_bias.h"

#include <algorithm>

namespace warpgrade::timing {
namespace {

using run::Operation;
using run::Space;

constexpr double kLongest = 4;  // Relative to the mean block.

struct Work {
  std::uint64_t instructions = 0;
  std::uint64_t sectors = 0;
  std::uint64_t wavefronts = 0;
};

Work work_of_block(const BlockTrace& block) {
  Work work;
  work.instructions = block.instructions;
  for (const TracedAccess& request : block.requests) {
    if (request.buffer == TracedAccess::kSpills) continue;
    const bool is_shared = request.kind == TracedAccess::Kind::kShared;
    (is_shared ? work.wavefronts : work.sectors) +=
        is_shared ? request.wavefronts : static_cast<std::uint64_t>(request.sectors + request.more);
  }
  return work;
}

Work traced(const Trace& trace) {
  Work sum;
  for (const BlockTrace& block : trace.blocks) {
    const Work work = work_of_block(block);
    sum.instructions += work.instructions;
    sum.sectors += work.sectors;
    sum.wavefronts += work.wavefronts;
  }
  return sum;
}

Work executed(const memory::Counters& counters, const run::Result& result) {
  Work work;
  work.instructions = run::warp_instructions(result);
  work.sectors = counters.missed_load_sectors();
  for (const auto operation : {Operation::kStore, Operation::kAtomic, Operation::kReduction}) {
    work.sectors += counters.total(Space::kGlobal, operation).sectors;
  }
  for (const auto operation :
       {Operation::kLoad, Operation::kStore, Operation::kAtomic, Operation::kReduction}) {
    work.wavefronts += counters.total(Space::kShared, operation).wavefronts;
  }
  return work;
}

}  // namespace

double sample_bias(const Trace& trace, const memory::Counters& counters, const run::Result& result,
                   std::uint64_t blocks) {
  if (trace.blocks.empty() || blocks == 0) return 1;
  const Work part = traced(trace);
  const Work all = executed(counters, result);
  const double share = static_cast<double>(trace.blocks.size()) / static_cast<double>(blocks);
  const auto times = [&](std::uint64_t of_all, std::uint64_t of_part) {
    const auto whole = static_cast<double>(of_all);
    return whole * share / static_cast<double>(std::max<std::uint64_t>(of_part, 1));
  };
  return std::max({1.0, times(all.instructions, part.instructions),
                   times(all.sectors, part.sectors), times(all.wavefronts, part.wavefronts)});
}

bool is_even(const Trace& trace) {
  const auto blocks = static_cast<double>(trace.blocks.size());
  const Work all = traced(trace);
  // Relative to the mean block.
  const auto times = [&](std::uint64_t of_block, std::uint64_t of_all) {
    return of_all == 0 ? 1 : static_cast<double>(of_block) * blocks / static_cast<double>(of_all);
  };
  double odd = 0;
  for (const BlockTrace& block : trace.blocks) {
    const double instructions = times(block.instructions, all.instructions);
    const double sectors = times(work_of_block(block).sectors, all.sectors);
    if (std::max(instructions, sectors) >= kLongest) return false;
    if (instructions < 0.5 || instructions > 2) ++odd;
  }
  return odd <= blocks / 4;
}

}  // namespace warpgrade::timing
