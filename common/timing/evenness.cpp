// SPDX-License-Identifier: Apache-2.0
#include "common/timing/evenness.h"

#include <algorithm>

namespace warpgrade::timing {
namespace {

using run::Operation;
using run::Space;

struct Work {
  std::uint64_t instructions = 0;
  std::uint64_t sectors = 0;
  std::uint64_t passes = 0;
};

Work traced(const Trace& trace) {
  Work work;
  for (const BlockTrace& block : trace.blocks) {
    work.instructions += block.instructions;
    for (const Request& request : block.requests) {
      const bool is_shared = request.kind == Request::Kind::kShared;
      (is_shared ? work.passes : work.sectors) += is_shared ? request.passes : request.sectors;
    }
  }
  return work;
}

Work executed(const memory::Counters& counters, const run::Result& result) {
  Work work;
  for (const auto& count : result.instructions) work.instructions += count.warps;
  work.sectors = counters.missed_load_sectors();
  for (const auto operation : {Operation::kStore, Operation::kAtomic, Operation::kReduction}) {
    work.sectors += counters.total(Space::kGlobal, operation).sectors;
  }
  for (const auto operation :
       {Operation::kLoad, Operation::kStore, Operation::kAtomic, Operation::kReduction}) {
    work.passes += counters.total(Space::kShared, operation).wavefronts;
  }
  return work;
}

}  // namespace

double unevenness(const Trace& trace, const memory::Counters& counters, const run::Result& result,
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
                   times(all.sectors, part.sectors), times(all.passes, part.passes)});
}

}  // namespace warpgrade::timing
