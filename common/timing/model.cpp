// SPDX-License-Identifier: Apache-2.0
#include "common/timing/model.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/run/observer.h"
#include "common/timing/block_replay.h"
#include "common/timing/bound.h"
#include "common/timing/dram_demand.h"
#include "common/timing/machine_code.h"
#include "common/timing/sample.h"
#include "common/timing/simulation.h"
#include "common/timing/trace.h"
#include "common/timing/what_if.h"

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
    const auto& work = block.atomic_works[request.first_transaction + i];
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

// Blocks load a sector at the same time if its places in the order of their loads, from 0 to 1,
// differ by less.
constexpr double kSameTime = 1.0 / 16;

double loads_together(const Trace& trace, std::size_t buffer) {
  struct First {
    const BlockTrace* block = nullptr;
    float at = 0;
  };
  std::unordered_map<std::uint32_t, First> firsts;
  double all = 0;
  double same = 0;
  for (const BlockTrace& block : trace.blocks) {
    for (const TracedAccess& request : block.requests) {
      const bool is_fresh = request.sectors > request.reused + request.lost;
      if (request.kind != TracedAccess::Kind::kLoad || request.buffer != buffer || !is_fresh)
        continue;
      const auto [first, is_new] =
          firsts.try_emplace(request.granule, First{&block, request.fresh_begin});
      if (is_new || first->second.block == &block) continue;
      ++all;
      same += std::abs(first->second.at - request.fresh_begin) < kSameTime ? 1 : 0;
    }
  }
  constexpr double kByChance = 2 * kSameTime;
  return all > 0 ? std::max(0.0, (same / all - kByChance) / (1 - kByChance)) : 1;
}

Skew skew_of(const Trace& trace, Bound bound_by, const std::vector<double>& warp_seconds,
             double seconds) {
  if (bound_by == Bound::kBusiestAtomicUnit) return contention(trace, TracedAccess::Kind::kAtomic);
  if (bound_by == Bound::kSharedWavefronts) return contention(trace, TracedAccess::Kind::kShared);
  if (bound_by == Bound::kLatency) return imbalance(trace, warp_seconds, seconds);
  return {};
}

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
      if (buffer ? request.buffer != *buffer : request.buffer == TracedAccess::kLocal) continue;
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
    demand = dram_demand(profile, buffers, executed.buffer_bytes, locality, share, executed.held);
    dram = demand.traffic;
    const bool is_one_wave = grid_blocks <= 1.0 * profile.sm.count * rates.resident;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const TracedShares shares = traced_shares(trace, i);
      const auto loaded = static_cast<double>(buffers[i].load_sectors) * shares.fresh;
      const auto stored = static_cast<double>(buffers[i].store_sectors) * shares.stored;
      const BufferDemand& here = demand.buffers[i];
      const bool is_held = l2_holds(profile, static_cast<double>(executed.buffer_bytes[i]));
      rates.buffers.push_back({.read = ratio(here.read, loaded),
                               .held = ratio(here.held, loaded),
                               .lost = is_held ? 0.0 : 1.0,
                               .written = ratio(here.written, stored),
                               .filled = ratio(here.filled, stored)});
      const double read = rates.buffers.back().read;
      // One of the blocks that load a sector together makes DRAM read it, but all wait for that: on
      // an H200, loads of gemm_registers_4_1024 (tests/evidence/launches) take 500 clocks, where L2
      // takes 287 and DRAM 680, though only 6 % of their sectors come from DRAM.
      if (is_one_wave && read > 0 && read < 1)
        rates.buffers.back().together = loads_together(trace, i);
    }
    const double all_loads = static_cast<double>(counters.missed_load_sectors()) * traced.loaded;
    rates.displaced = ratio(demand.displaced, all_loads + stores + atomics);
    const double at_once = std::min(grid_blocks, 1.0 * profile.sm.count * rates.resident);
    rates.local = local_rates(profile, trace, at_once);
    add_local(trace, rates.local, grid_blocks, dram);
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

// `longest`: the busiest resource.
static TimeParts parts_of(const SimulatedTime& outcome, double overhead, const Share& longest) {
  TimeParts out;
  out.launch = overhead;
  double left = outcome.seconds;
  const auto take = [&](double seconds) {
    const double taken = std::min(seconds, left);
    left -= taken;
    return taken;
  };
  if (longest.seconds > 0) out.busy[longest.resource] = take(longest.seconds);
  out.first_loads = take(outcome.first_loads);
  out.tail = take(outcome.tail);
  double clocks = 0;
  for (std::size_t i = 1; i < kWarpStates; ++i) clocks += outcome.activity.clocks[i];
  for (std::size_t i = 1; i < kWarpStates && clocks > 0; ++i) {
    out.waiting[i] = left * outcome.activity.clocks[i] / clocks;
  }
  if (clocks <= 0) out.waiting[static_cast<std::size_t>(WarpState::kWait)] = left;
  return out;
}

TimeParts& TimeParts::operator+=(const TimeParts& other) {
  launch += other.launch;
  for (const auto& [resource, seconds] : other.busy) busy[resource] += seconds;
  first_loads += other.first_loads;
  tail += other.tail;
  other_blocks += other.other_blocks;
  for (std::size_t i = 0; i < waiting.size(); ++i) waiting[i] += other.waiting[i];
  return *this;
}

double TimeParts::total() const {
  double out = launch + first_loads + tail + other_blocks;
  for (const auto& [resource, seconds] : busy) out += seconds;
  return std::accumulate(waiting.begin(), waiting.end(), out);
}

std::map<std::string, double> TimeParts::by_name() const {
  std::map<std::string, double> out = {{std::string(name(Bound::kLaunchOverhead)), launch},
                                       {"first loads", first_loads},
                                       {"tail", tail},
                                       {"waiting for other blocks", other_blocks}};
  for (const auto& [resource, seconds] : busy) out[std::string(name(resource))] += seconds;
  for (std::size_t i = 1; i < waiting.size(); ++i) {
    out[std::string(in_words(static_cast<WarpState>(i)))] += waiting[i];
  }
  std::erase_if(out, [](const auto& part) { return part.second <= 0; });
  return out;
}

TimeEstimate estimate(const device::Profile& profile, const Sample& sample,
                      const std::shared_ptr<const Trace>& kept, const DramPageLocality& locality,
                      const memory::Counters& counters, const ExecutedPart& executed,
                      const Occupancy& occupancy, LaunchPlace place) {
  const Trace& trace = *kept;
  TimeEstimate estimate;
  estimate.unmodelled = trace.unmodelled;
  if (occupancy.blocks_per_sm == 0) {
    estimate.bound_by = Bound::kOccupancy;
    return estimate;
  }
  const Rates rates =
      rates_of(profile, sample, trace, counters, locality, executed, occupancy, estimate.dram);
  const SimulatedTime outcome = simulate(profile, sample, rates, trace);
  if (is_kept(trace)) {
    estimate.inputs.push_back(std::make_shared<const ModelInputs>(
        ModelInputs{sample, rates, kept, occupancy, outcome.seconds}));
  }
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
      {profile.sm.pipes.fp32_lanes ? Bound::kFmaPipe : Bound::kFmaHeavyPipe,
       busy.pipes[kFmaHeavyPipe]},
  };
  // If every partition is equally busy, the limit is DRAM as a whole, not one partition.
  if (busy.partition > 1.25 * busy.dram)
    resources.push_back({Bound::kBusiestPartition, busy.partition});
  std::erase_if(resources, [](const Share& share) { return share.seconds == 0; });
  const auto longer = [](const Share& a, const Share& b) { return a.seconds > b.seconds; };
  std::stable_sort(resources.begin(), resources.end(), longer);
  const double longest = resources.empty() ? 0 : resources.front().seconds;

  estimate.parts = parts_of(outcome, overhead, resources.empty() ? Share() : resources.front());
  const auto& parts = estimate.parts;
  const double waits = std::accumulate(parts.waiting.begin(), parts.waiting.end(), 0.0);
  if (overhead > std::max({longest, waits, parts.first_loads, parts.tail})) {
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
  estimate.lines = outcome.lines;
  estimate.timeline = outcome.timeline;
  estimate.speed_of_light.emplace(profile, sample, trace, outcome, estimate.dram, occupancy);
  return estimate;
}

void lengthen(TimeEstimate& estimate, double times) {
  const double more = estimate.seconds * (times - 1);
  estimate.seconds += more;
  estimate.bound_by = Bound::kBlocksNotFollowed;
  estimate.parts.busy[estimate.bound_by] += more;
  estimate.skew = {};
  estimate.speed_of_light.reset();
  estimate.lines.clear();
  estimate.timeline.reset();
  estimate.shares.insert(estimate.shares.begin(), {estimate.bound_by, more});
}

namespace {

constexpr auto kOverhead = Bound::kLaunchOverhead;

void add_share(const Share& share, std::vector<Share>& all) {
  const auto known = std::find_if(all.begin(), all.end(),
                                  [&](const Share& one) { return one.resource == share.resource; });
  if (known == all.end()) {
    all.push_back(share);
  } else {
    known->seconds += share.seconds;
  }
}

}  // namespace

double SequenceTime::add(TimeEstimate launch) {
  if (launches_ > 0) {
    const double is_launched = profile_.launch.overhead_seconds +
                               static_cast<double>(launches_) * profile_.launch.issue_seconds;
    const double wait = std::max(0.0, is_launched - total_.seconds - profile_.launch.gap_seconds);
    const double executed = launch.seconds - profile_.launch.gap_seconds;
    if (wait + profile_.launch.gap_seconds > executed) {
      launch.bound_by = kOverhead;
      launch.skew = {};
    }
    if (wait > 0) add_share({kOverhead, wait}, launch.shares);
    launch.seconds += wait;
    launch.parts.launch += wait;
  }
  if (launches_ == 0) {
    total_.speed_of_light = launch.speed_of_light;
    total_.timeline = launch.timeline;
  } else if (total_.speed_of_light && launch.speed_of_light) {
    *total_.speed_of_light += *launch.speed_of_light;
  } else {
    total_.speed_of_light.reset();
  }
  // Lines of some launches only would not add up.
  if (total_.speed_of_light) {
    add_activity(launch.lines, total_.lines);
  } else {
    total_.lines.clear();
  }
  // Some launches only would be no answer for the sequence.
  constexpr std::size_t kMostLaunches = 16;
  const bool has_all = total_.inputs.size() == launches_ && !launch.inputs.empty();
  if (has_all && launches_ < kMostLaunches) {
    total_.inputs.push_back(launch.inputs.front());
  } else {
    total_.inputs.clear();
  }
  ++launches_;
  total_.parts += launch.parts;
  total_.unmodelled.add(launch.unmodelled);
  total_.seconds += launch.seconds;
  auto& part = bound_[launch.bound_by];
  part.seconds += launch.seconds;
  if (launch.seconds > part.most) {
    part.most = launch.seconds;
    part.skew = launch.skew;
  }
  const auto longest = std::max_element(
      bound_.begin(), bound_.end(),
      [](const auto& a, const auto& b) { return a.second.seconds < b.second.seconds; });
  total_.bound_by = longest->first;
  total_.skew = longest->second.skew;
  for (const auto& share : launch.shares) add_share(share, total_.shares);
  return launch.seconds;
}

TimeEstimate SequenceTime::total() const {
  auto out = total_;
  if (launches_ > 1) {
    std::stable_sort(out.shares.begin(), out.shares.end(),
                     [](const Share& a, const Share& b) { return a.seconds > b.seconds; });
  }
  return out;
}

}  // namespace warpgrade::timing
