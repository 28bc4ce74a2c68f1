// SPDX-License-Identifier: Apache-2.0
#include "common/timing/model.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "common/timing/dram_demand.h"
#include "common/timing/simulation.h"
#include "common/timing/spills.h"
#include "common/timing/wait_clocks.h"

namespace warpgrade::timing {
namespace {

using run::Operation;
using run::Space;

// A resource that is busy for this share of the time bounds a launch; the rest is the start and end
// of blocks. Below it, blocks wait: for answers, at barriers, or for each other.
constexpr double kBinding = 0.75;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

// The shares of a buffer's loaded and stored sectors below L1 (as counted by Counters) in the
// trace.
struct TracedShares {
  double loaded = 1;
  double fresh = 1;  // loaded by their block for the first time
  double stored = 1;
};

// The shares for accesses to `buffer`, or to all buffers.
TracedShares traced_shares(const Trace& trace, std::optional<std::size_t> buffer) {
  TracedShares sum{0, 0, 0};
  double counted_loads = 0;
  double counted_stores = 0;
  for (const BlockTrace& block : trace.blocks) {
    for (const TracedAccess& request : block.requests) {
      if (buffer ? request.buffer != *buffer : request.buffer == TracedAccess::kSpills) continue;
      if (request.kind == TracedAccess::Kind::kLoad) {
        counted_loads += request.sectors + request.more;
        sum.loaded += request.sectors;
        sum.fresh += request.sectors - request.reused - request.lost;
      } else if (request.kind == TracedAccess::Kind::kStore) {
        counted_stores += request.sectors + request.more;
        sum.stored += request.sectors;
      }
    }
  }
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 1; };
  return {share(sum.loaded, counted_loads), share(sum.fresh, counted_loads),
          share(sum.stored, counted_stores)};
}

// The rates of a launch; `dram` gets the bytes that DRAM moves, if they are known.
Rates rates_of(const device::Profile& profile, const Sample& sample, const Trace& trace,
               const memory::Counters& counters, const DramPageLocality& locality,
               const ExecutedPart& executed, const Occupancy& occupancy, DramTraffic& dram) {
  const memory::Traffic traffic = counters.traffic();
  const auto sectors = [&](Operation operation) {
    return static_cast<double>(counters.total(Space::kGlobal, operation).sectors);
  };
  const TracedShares traced = traced_shares(trace, std::nullopt);
  const double atomics = sectors(Operation::kAtomic) + sectors(Operation::kReduction);
  const double loads = static_cast<double>(counters.missed_load_sectors()) * traced.fresh;
  Rates rates;
  rates.resident = occupancy.blocks_per_sm;
  const double stores = sectors(Operation::kStore) * traced.stored;
  rates.pages = locality.pages_per_byte();
  DramDemand demand{static_cast<double>(traffic.dram_read_bytes) / 32,
                    static_cast<double>(traffic.dirty_bytes) / 32,
                    {},
                    0,
                    {}};
  const auto buffers = counters.buffers();
  if (profile.l2.bytes && buffers.size() == executed.buffer_bytes.size()) {
    const double grid_blocks = sample.blocks / sample.chip_share;
    const double share = std::min(1.0, static_cast<double>(executed.blocks) / grid_blocks);
    demand = dram_demand(profile, buffers, executed.buffer_bytes, locality, share);
    dram = demand.traffic;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const TracedShares shares = traced_shares(trace, i);
      const auto loaded = static_cast<double>(buffers[i].load_sectors) * shares.fresh;
      const auto stored = static_cast<double>(buffers[i].store_sectors) * shares.stored;
      const BufferDemand& here = demand.buffers[i];
      const bool is_held = l2_holds(profile, static_cast<double>(executed.buffer_bytes[i]));
      rates.buffers.push_back({ratio(here.read, loaded), is_held ? 0.0 : 1.0,
                               ratio(here.written, stored), ratio(here.filled, stored)});
    }
    const double all_loads = static_cast<double>(counters.missed_load_sectors()) * traced.loaded;
    rates.displaced = ratio(demand.displaced, all_loads + stores + atomics);
    const double at_once = std::min(grid_blocks, 1.0 * profile.sm.count * rates.resident);
    rates.spills = spill_rates(profile, trace, at_once);
    add_spills(trace, rates.spills, grid_blocks, dram);
  }
  rates.dram_read_share = ratio(demand.read, loads + atomics);
  rates.dram_write_share = ratio(demand.written, stores + atomics);
  return rates;
}

// Requests of the traced blocks for which the model is known to lack something.
struct Doubtful {
  double fences = 0;  // behind another fence, without an access to global memory in between
  double remote = 0;  // wavefronts in the shared memory of other blocks
  bool bulk = false;  // bulk copies
  double lines = 0;   // of constants
  double misses = 0;  // of constants, by the warp with the most
};

Doubtful doubtful(const Trace& trace) {
  Doubtful out;
  for (const BlockTrace& block : trace.blocks) {
    bool is_behind_fence = false;
    auto next_warp = block.warps.begin();
    for (std::size_t r = 0; r < block.requests.size(); ++r) {
      while (next_warp != block.warps.end() && next_warp->first_request <= r) {
        is_behind_fence = false;
        ++next_warp;
      }
      const TracedAccess& request = block.requests[r];
      const bool is_fence = request.kind == TracedAccess::Kind::kFence;
      if (is_fence && request.fence != FenceScope::kBlock) {
        out.fences += is_behind_fence ? 1 : 0;
        is_behind_fence = true;
      } else if (request.kind == TracedAccess::Kind::kLoad ||
                 request.kind == TracedAccess::Kind::kStore ||
                 request.kind == TracedAccess::Kind::kAtomic) {
        is_behind_fence = false;
      }
      out.remote += request.is_remote ? request.wavefronts : 0;
      out.bulk |= request.copy > TracedAccess::Copy::kAsync;
    }
    out.lines = std::max(out.lines, 1.0 * block.constant_lines);
    out.misses = std::max(out.misses, 1.0 * block.constant_misses);
  }
  return out;
}

bool is_of_load_store_unit(Bound bound) {
  return bound == Bound::kTagLookups || bound == Bound::kL1Data || bound == Bound::kSmPort ||
         bound == Bound::kSharedWavefronts;
}

// Marks the parts of the estimate that are known to be off.
void mark_doubtful(const device::Profile& profile, const Sample& sample, const Trace& trace,
                   const memory::Counters& counters, const Occupancy& occupancy,
                   TimeEstimate& estimate) {
  const Doubtful found = doubtful(trace);
  const double grid_blocks = sample.blocks / sample.chip_share;
  const double traced = std::max(1.0, static_cast<double>(trace.blocks.size()));
  // Clocks of a multiprocessor for its part of a number in the traced blocks.
  const double part = grid_blocks / traced / profile.sm.count / profile.sm.clock_hz;
  const auto mark = [&](Unmodelled which, double seconds, double longer) {
    if (seconds > kNegligible * estimate.seconds) estimate.unmodelled.add(which, longer);
  };
  const double fences = found.fences * part * kMostFencePassClocks;
  mark(Unmodelled::kFences, fences, fences);
  mark(Unmodelled::kOtherBlocksMemory, found.remote * part, UnmodelledSet::kUnknown);
  const double rounds =
      std::ceil(grid_blocks / (1.0 * std::max(occupancy.blocks_per_sm, 1U) * profile.sm.count));
  const double constants =
      (found.lines + rounds * found.misses) * kMostConstantMissClocks / profile.sm.clock_hz;
  mark(Unmodelled::kColdConstants, constants, constants);
  if (found.bulk && is_of_load_store_unit(estimate.bound_by)) {
    estimate.unmodelled.add(Unmodelled::kBulkCopies, 0, estimate.seconds);
  }
  // Each multiprocessor loads a line for itself.
  const auto loaded = static_cast<double>(counters.missed_load_sectors()) * 32;
  const auto read = static_cast<double>(counters.traffic().dram_read_bytes);
  if (estimate.bound_by == Bound::kL2 && loaded > read) {
    estimate.unmodelled.add(Unmodelled::kRequestsOfManyUnits, 0);
  }
}

}  // namespace

TimeEstimate estimate(const device::Profile& profile, const Sample& sample, const Trace& trace,
                      const DramPageLocality& locality, const memory::Counters& counters,
                      const ExecutedPart& executed, const Occupancy& occupancy, LaunchPlace place) {
  TimeEstimate estimate;
  estimate.unmodelled = trace.unmodelled;
  if (occupancy.blocks_per_sm == 0) {
    estimate.bound_by = Bound::kOccupancy;
    return estimate;
  }
  const Rates rates =
      rates_of(profile, sample, trace, counters, locality, executed, occupancy, estimate.dram);
  const SimulatedTime outcome = simulate(profile, sample, rates, trace);
  const double overhead =
      place == LaunchPlace::kFirst ? profile.launch.overhead_seconds : profile.launch.gap_seconds;
  estimate.seconds = outcome.seconds + overhead;

  const Busy& busy = outcome.busy;
  std::vector<Share> resources = {
      {Bound::kDram, busy.dram},
      {Bound::kL2, busy.l2},
      {Bound::kSmPort, busy.port},
      {Bound::kL2PartialWrites, busy.l2_partial_writes},
      {Bound::kBusiestAtomicUnit, busy.atomic_unit},
      {Bound::kL2Stores, busy.l2_stores},
      {Bound::kTagLookups, busy.tags},
      {Bound::kL1Data, busy.l1_data},
      {Bound::kSharedWavefronts, busy.shared},
      {Bound::kConstantPasses, busy.constants},
      {Bound::kIssue, std::max(busy.issue, busy.pipes[kLockstep])},
      {Bound::kAluPipe, busy.pipes[kAluPipe]},
      {Bound::kXuPipe, busy.pipes[kXuPipe]},
      {Bound::kFp64Pipe, busy.pipes[kFp64Pipe]},
      {Bound::kFmaHeavyPipe, busy.pipes[kFmaHeavyPipe]},
  };
  // If every partition is equally busy, the limit is DRAM as a whole, not one partition.
  if (busy.partition > 1.25 * busy.dram)
    resources.push_back({Bound::kBusiestPartition, busy.partition});
  std::erase_if(resources, [](const Share& share) { return share.seconds == 0; });
  const auto longer = [](const Share& a, const Share& b) { return a.seconds > b.seconds; };
  std::stable_sort(resources.begin(), resources.end(), longer);
  const double longest = resources.empty() ? 0 : resources.front().seconds;

  if (overhead > outcome.seconds) {
    estimate.bound_by = Bound::kLaunchOverhead;
  } else if (longest < kBinding * outcome.seconds) {
    estimate.bound_by = Bound::kLatency;
  } else {
    estimate.bound_by = resources.front().resource;
  }
  estimate.skew = skew_of(trace, estimate.bound_by, outcome.warp_seconds, outcome.seconds);
  estimate.shares = std::move(resources);
  estimate.shares.push_back({Bound::kLatency, std::max(0.0, outcome.seconds - longest)});
  estimate.shares.push_back({Bound::kLaunchOverhead, overhead});
  std::stable_sort(estimate.shares.begin(), estimate.shares.end(), longer);
  mark_doubtful(profile, sample, trace, counters, occupancy, estimate);
  return estimate;
}

void lengthen(TimeEstimate& estimate, double times) {
  const double more = estimate.seconds * (times - 1);
  estimate.seconds += more;
  estimate.bound_by = Bound::kBlocksNotFollowed;
  estimate.skew = {};
  estimate.shares.insert(estimate.shares.begin(), {estimate.bound_by, more});
}

}  // namespace warpgrade::timing
