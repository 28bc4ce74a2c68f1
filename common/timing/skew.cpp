// SPDX-License-Identifier: Apache-2.0
#include "common/timing/skew.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpgrade::timing {
namespace {

constexpr double kManyLanes = 8;   // A quarter of a warp.
constexpr double kMostUneven = 4;  // Instructions of the longest warp relative to the mean.
constexpr double kDecisive = 0.5;  // Share of the resource's work, or of the time.

// The passes of an L2 unit for the request, or its wavefronts in shared memory.
double request_work(const BlockTrace& block, const TracedAccess& request) {
  if (request.kind == TracedAccess::Kind::kShared) return request.wavefronts;
  double passes = 0;
  for (std::uint32_t i = 0; i < request.atomic_works; ++i) {
    const auto& work = block.atomic_works[request.first_transaction + i].work;
    passes += work.passes + work.again;
  }
  return passes;
}

// `kind` is kShared or kAtomic. Other shared accesses are work, too.
Skew contention(const Trace& trace, TracedAccess::Kind kind) {
  Contention out{kind == TracedAccess::Kind::kShared ? run::Space::kShared : run::Space::kGlobal};
  double requests = 0;
  double work = 0;
  for (const auto& block : trace.blocks) {
    for (const auto& request : block.requests) {
      if (request.kind != kind) continue;
      work += request_work(block, request);
      if (request.on_one_word == 0) continue;
      ++requests;
      out.lanes += request.lanes;
      out.on_one_word += request.on_one_word;
    }
  }
  if (requests == 0) return {};
  if (out.on_one_word < kManyLanes * requests || out.on_one_word < kDecisive * work) return {};
  out.lanes /= requests;
  out.on_one_word /= requests;
  return out;
}

Skew imbalance(const Trace& trace, const std::vector<double>& warp_seconds, double seconds) {
  std::vector<double> instructions;
  for (const auto& program : trace.programs) instructions.push_back(instructions_of(program));
  Imbalance out;
  double warps = 0;
  for (const auto& block : trace.blocks) {
    for (const auto& warp : block.warps) {
      const double own = instructions[warp.program];
      if (own > out.longest) {
        out.longest = own;
        out.longest_seconds = warp_seconds.at(warp.program);
      }
      out.mean += own;
      ++warps;
    }
  }
  out.mean /= std::max(warps, 1.0);
  const bool is_uneven = out.longest > 0 && out.longest >= kMostUneven * out.mean;
  if (!is_uneven || out.longest_seconds < kDecisive * seconds) return {};
  return out;
}

}  // namespace

double instructions_of(const WarpProgram& program) {
  double out = 0;
  for (const auto& step : program) {
    out += step.kind == Step::Kind::kCompute ? step.slots : step.kind == Step::Kind::kRequest;
  }
  return out;
}

Skew skew_of(const Trace& trace, Bound bound_by, const std::vector<double>& warp_seconds,
             double seconds) {
  if (bound_by == Bound::kBusiestAtomicUnit) return contention(trace, TracedAccess::Kind::kAtomic);
  if (bound_by == Bound::kSharedWavefronts) return contention(trace, TracedAccess::Kind::kShared);
  if (bound_by == Bound::kLatency) return imbalance(trace, warp_seconds, seconds);
  return {};
}

}  // namespace warpgrade::timing
