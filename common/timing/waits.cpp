// SPDX-License-Identifier: Apache-2.0
#include "common/timing/waits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/instruction_facts.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/timing/bound.h"
#include "common/timing/machine_code.h"
#include "common/timing/model.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {
namespace {

using ptx::MemoryRole;
using ptx::Modifier;
using ptx::StateSpace;

// Clocks of an H200 on average over multiprocessors and addresses (clocks.csv of
// tests/evidence/golden/h200_blocks), relative to a load that L2 answers, 281 clocks: a fence of
// the device takes 269, and 490 behind a store or load. A block that polls a word has the new value
// 621 clocks after the store, 281 of which are its load.
constexpr double kFenceLatencies = 0.96;
constexpr double kFenceAfterLatencies = 1.74;
constexpr double kStoreLatencies = 1.2;
// Likewise: 2,110 blocks that poll the same word delay a hop by 820 clocks, which is 1.5 times
// their loads. With atomics the delay is 2,700 clocks, as l2_atomic_pass predicts.
constexpr double kLoadPassSeconds = 0.25e-9;
// Clocks of a PTX instruction of a warp that runs alone.
constexpr double kInstructionClocks = 2;
// A barrier of the grid takes 0.75 us, and 1.4 ns per block. The trace has the toolkit's code for
// it; this is the rest, relative to L2 (145 ns) and to an atomic there (0.7 ns). A barrier of a
// cluster takes 165 ns and 0.16 ns per thread of a block.
constexpr double kGridLatencies = 2.07;
constexpr double kGridAtomics = 1.56;
constexpr double kAtomicSeconds = 0.7e-9;
constexpr double kClusterLatencies = 1.14;
constexpr double kClusterThreadSeconds = 0.16e-9;
// Such times are 30 % off at most (tests/measure/waits_test.cpp). The worst lock that lanes contend
// for, with 132 blocks of 32 threads, takes 110.7 ms instead of 62.5.
constexpr double kLongerWait = 1 / 0.7 - 1;
constexpr double kShorterWait = 1 - 1 / 1.3;
constexpr double kContendedLock = 110.7 / 62.5 - 1;
// Work of the longest warp relative to the mean, as in model.h.
constexpr double kLongWarp = 4;

bool is_far(const ptx::Instruction& in) {
  return in.space == StateSpace::kGlobal || in.space == StateSpace::kGeneric;
}

bool is_swap(const ptx::Instruction& in) {
  const bool has_result = ptx::facts(in).memory == MemoryRole::kAtomic;
  return has_result && (in.modifiers.has(Modifier::cas) || in.modifiers.has(Modifier::exch));
}

// Whether it reads a word by an atomic that adds 0, or the like.
bool is_read_by_atomic(const ptx::Instruction& in) {
  if (ptx::facts(in).memory != MemoryRole::kAtomic || in.operands.size() < 3) return false;
  const auto& operand = in.operands[2];
  return !is_swap(in) && operand.kind == ptx::Operand::Kind::kImmediate && operand.bits == 0;
}

// Registers whose values may decide where a thread goes on, directly, through others, or through
// memory.
std::vector<bool> deciding_registers(const ptx::Function& function) {
  std::vector<bool> decides(function.registers.size());
  bool in_memory = false;
  for (bool more = true; more;) {
    more = false;
    for (auto in = function.instructions.rbegin(); in != function.instructions.rend(); ++in) {
      const auto& facts = ptx::facts(*in);
      const bool is_store = facts.memory == MemoryRole::kStore;
      const bool writes_memory = ptx::is_update(*in) || is_store;
      bool passes_on = facts.flow != ptx::Flow::kNext || (in_memory && writes_memory);
      ptx::for_each_written(*in, [&](std::uint32_t r) { passes_on |= decides[r]; });
      if (!passes_on) continue;
      const bool reads_memory = facts.memory != MemoryRole::kNoMemory && !is_store;
      more |= reads_memory && !in_memory;
      in_memory |= reads_memory;
      ptx::for_each_read(*in, [&](std::uint32_t r) {
        more |= !decides[r];
        decides[r] = true;
      });
    }
  }
  return decides;
}

// The instructions of loops that may wait for a value.
struct Waiting {
  std::vector<bool> may_wait;  // by instruction
  bool any = false;
};

Waiting find_waiting(const ptx::Function& function) {
  Waiting out;
  std::vector<bool> decides;
  for (const auto& in : function.instructions) {
    const bool is_load = ptx::facts(in).memory == MemoryRole::kLoad;
    bool waits =
        is_swap(in) || is_read_by_atomic(in) || (is_load && ptx::is_strong(in) && is_far(in));
    if (waits) {
      if (decides.empty()) decides = deciding_registers(function);
      waits = false;
      ptx::for_each_written(in, [&](std::uint32_t r) { waits |= decides[r]; });
    }
    out.may_wait.push_back(waits);
    out.any |= waits;
  }
  return out;
}

std::shared_ptr<const Waiting> waiting(const ptx::Function& function) {
  return function.analyses.get<Waiting>([&] { return find_waiting(function); });
}

bool has_long_warps(const Trace& trace) {
  double longest = 0;
  double sum = 0;
  double warps = 0;
  for (const auto& block : trace.blocks) {
    for (const auto& warp : block.warps) {
      const double own = instructions_of(trace.programs[warp.program]);
      longest = std::max(longest, own);
      sum += own;
      ++warps;
    }
  }
  return warps > 0 && longest >= kLongWarp * sum / warps;
}

// The innermost loop around instruction `i`; empty without one, and for a loop of the toolkit,
// whose waits were measured.
std::span<const ptx::Instruction> own_loop(const std::vector<ptx::Instruction>& all,
                                           std::size_t i) {
  std::size_t head = 0;
  std::size_t end = 0;
  for (auto branch = i; branch < all.size(); ++branch) {
    if (ptx::facts(all[branch]).flow != ptx::Flow::kBranch) continue;
    const std::size_t target = all[branch].operands.at(0).index;
    if (target > i || (end != 0 && target <= head)) continue;
    head = target;
    end = branch;
  }
  if (end == 0 || all[end].is_of_toolkit) return {};
  return std::span(all).subspan(head, end - head);
}

// Whether a loop loads a word of global memory, always at the same address, until it changes.
bool polls(const ptx::Function& function) {
  const auto& all = function.instructions;
  const auto found = waiting(function);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_swap(all[i]) || !found->may_wait[i]) continue;
    std::vector<std::uint32_t> read;
    ptx::for_each_read(all[i], [&](std::uint32_t r) { read.push_back(r); });
    const auto loop = own_loop(all, i);
    const bool moves = std::any_of(loop.begin(), loop.end(), [&](const ptx::Instruction& in) {
      bool writes = false;
      ptx::for_each_written(in, [&](std::uint32_t r) {
        writes |= std::find(read.begin(), read.end(), r) != read.end();
      });
      return writes;
    });
    if (!loop.empty() && !moves) return true;
  }
  return false;
}

// Adds a block, or blocks, to those of `out`.
template <typename Group>
void keep_longest(const Group& group, Group& out) {
  if (out.longest.size() < group.longest.size()) out.longest.resize(group.longest.size());
  for (std::size_t p = 0; p < group.longest.size(); ++p) {
    out.longest[p] = std::max(out.longest[p], group.longest[p]);
  }
  out.block = std::max(out.block, group.block);
}

}  // namespace

bool may_need_turns(const ptx::Function& function) {
  return waiting(function)->any ||
         std::ranges::any_of(function.instructions, [](const ptx::Instruction& in) {
           return ptx::facts(in).memory == MemoryRole::kAtomic && is_far(in);
         });
}

TurnNeeds turn_needs(const ptx::Function& function, const run::Launch& launch,
                     const run::Result& result, std::uint64_t blocks, const Trace& trace,
                     bool is_even) {
  const auto block_warps = (base::volume(launch.block) + run::kWarpSize - 1) / run::kWarpSize;
  const auto warps = base::volume(launch.grid) * block_warps;
  // The barrier of the grid in a cooperative launch is code of the toolkit.
  const bool knows_barrier = launch.cooperative;
  TurnNeeds out;
  const auto found = waiting(function);
  std::uint64_t tickets = 0;
  std::uint64_t decisions = 0;
  for (std::size_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    const auto executed = i < result.instructions.size() ? result.instructions[i].warps : 0;
    if (executed == 0) continue;
    out.waits |= found->may_wait[i] && !(knows_barrier && in.is_of_toolkit);
    if (ptx::facts(in).memory == MemoryRole::kAtomic) tickets += executed;
    if (is_far(in) && found->may_wait[i]) decisions += executed;
  }
  const bool has_tickets = tickets != 0 && tickets * 32 >= warps;
  out.queue = has_tickets && (!is_even || has_long_warps(trace));
  out.finds = decisions >= blocks * block_warps;
  return out;
}

Pace pace_of(const ptx::Function& function, const run::Result& result, double share,
             const TimeEstimate& estimate) {
  std::uint64_t accesses = 0;
  for (std::size_t i = 0; i < result.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    const auto memory = ptx::facts(in).memory;
    const bool is_plain = memory == MemoryRole::kLoad || memory == MemoryRole::kStore;
    if (is_plain && is_far(in) && !ptx::is_strong(in)) accesses += result.instructions[i].threads;
  }
  Pace pace;
  if (accesses == 0) return pace;
  for (const auto& [resource, seconds] : estimate.shares) {
    if (resource == Bound::kLatency || resource == Bound::kLaunchOverhead ||
        resource == Bound::kBlocksNotFollowed) {
      continue;
    }
    pace.access = std::max(pace.access, seconds * share / static_cast<double>(accesses));
  }
  pace.is_from_dram = estimate.dram.read > 0;
  return pace;
}

run::Turns turns_of(const device::Profile& profile, const Occupancy& occupancy, const Pace& pace) {
  const double l2 = profile.l2.latency_seconds * profile.sm.clock_hz;
  run::Turns turns;
  turns.resident = std::max(occupancy.blocks_per_sm, 1U) * profile.sm.count;
  turns.multiprocessors = profile.sm.count;
  turns.block = profile.launch.block_seconds * profile.sm.clock_hz;
  turns.instruction = kInstructionClocks;
  turns.issue = 1.0 / profile.sm.schedulers;
  turns.block_fence = kBlockFenceClocks;
  turns.load = l2;
  turns.plain_load = pace.is_from_dram ? profile.dram.latency_seconds * profile.sm.clock_hz : l2;
  turns.plain_tail =
      pace.is_from_dram ? profile.dram.latency_tail_seconds * profile.sm.clock_hz : 0;
  turns.plain_pass = pace.access * profile.sm.clock_hz;
  turns.store = kStoreLatencies * l2;
  turns.load_pass = kLoadPassSeconds * profile.sm.clock_hz;
  turns.atomic_pass = profile.l2.atomic_pass_seconds * profile.sm.clock_hz;
  turns.atomic = kAtomicLatencies * l2;
  turns.shared = profile.shared.latency_seconds * profile.sm.clock_hz;
  turns.fence = kFenceLatencies * l2;
  turns.fence_after = kFenceAfterLatencies * l2;
  turns.barrier = profile.sm.barrier_clocks;
  return turns;
}

bool sleeps_until_others(const ptx::Function& function) {
  // PTX that can find out what another thread has done.
  const auto looks = [](const ptx::Instruction& in) {
    const auto memory = ptx::facts(in).memory;
    return memory == MemoryRole::kAtomic || memory == MemoryRole::kBarrierObject ||
           (memory == MemoryRole::kLoad && ptx::is_strong(in));
  };
  const auto& all = function.instructions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool passes_time = ptx::facts(all[i]).layout == ptx::Layout::kDuration ||
                             all[i].modifiers.has(Modifier::test_wait);
    if (!passes_time) continue;
    const auto loop = own_loop(all, i);
    if (std::any_of(loop.begin(), loop.end(), looks)) return true;
  }
  return false;
}

std::vector<ClockLoop> clock_loops(const ptx::Function& function) {
  const auto& all = function.instructions;
  const auto clock_of = [](const ptx::Instruction& in) -> std::optional<ptx::SpecialRegister> {
    if (in.operands.size() < 2 || in.operands[1].kind != ptx::Operand::Kind::kSpecial) return {};
    const auto which = static_cast<ptx::SpecialRegister>(in.operands[1].index);
    const bool is_clock =
        which >= ptx::SpecialRegister::clock && which <= ptx::SpecialRegister::globaltimer;
    return is_clock ? std::optional(which) : std::nullopt;
  };
  std::vector<ClockLoop> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto clock = clock_of(all[i]);
    if (!clock) continue;
    const auto loop = own_loop(all, i);
    const bool accesses = std::any_of(loop.begin(), loop.end(), [](const ptx::Instruction& in) {
      return ptx::facts(in).memory != MemoryRole::kNoMemory;
    });
    if (loop.empty() || accesses) continue;
    const auto begin = static_cast<std::size_t>(loop.data() - all.data());
    out.push_back({begin, begin + loop.size() + 1, *clock >= ptx::SpecialRegister::globaltimer_lo});
  }
  return out;
}

void add_waits(const device::Profile& profile, const ptx::Function& function,
               const run::Result& result, double share, TimeEstimate& estimate) {
  if (result.waits_for_later != 0) estimate.unmodelled.add(Unmodelled::kBlocksNotBegun);
  const double overhead = profile.launch.overhead_seconds;
  const double least = result.clocks / share / profile.sm.clock_hz + overhead;
  const double seconds = std::max(estimate.seconds, least) - overhead;
  if (result.failed_swaps != 0) {
    estimate.unmodelled.add(Unmodelled::kLockAttempts, kContendedLock * seconds);
    estimate.skew = {};
  }
  if (result.waits != 0 || polls(function)) {
    estimate.unmodelled.add(Unmodelled::kMemoryDuringWaits, kLongerWait * seconds,
                            kShorterWait * seconds);
  }
  if (result.waits == 0 || least <= estimate.seconds) return;
  estimate.shares.insert(estimate.shares.begin(), {Bound::kLatency, least - estimate.seconds});
  estimate.parts.other_blocks += least - estimate.seconds;
  estimate.seconds = least;
  estimate.bound_by = Bound::kLatency;
  estimate.skew = {};
  estimate.speed_of_light.reset();
}

void WideBarriers::join(run::Observer& other) {
  const auto& theirs = dynamic_cast<WideBarriers&>(other);
  most_.grid = std::max(most_.grid, theirs.most_.grid);
  most_.cluster = std::max(most_.cluster, theirs.most_.cluster);
  if (groups_.size() < theirs.groups_.size()) groups_.resize(theirs.groups_.size());
  for (std::size_t g = 0; g < theirs.groups_.size(); ++g)
    keep_longest(theirs.groups_[g], groups_[g]);
}

void WideBarriers::on_launch(const run::LaunchContext& context) {
  blocks_ = static_cast<double>(base::volume(context.launch->grid));
  threads_ = static_cast<double>(base::volume(context.launch->block));
  has_barriers_ = context.launch->cooperative || context.has_clusters;
}

void WideBarriers::on_block_begin(std::uint64_t /*linear_block*/) {
  here_ = {};
  instructions_ = 0;
  phases_.clear();
  ++begun_;
}

std::uint64_t WideBarriers::on_instruction(std::uint32_t /*warp*/, std::uint32_t /*instruction*/) {
  ++instructions_;
  return 0;
}

void WideBarriers::end_phase(std::size_t phase) {
  if (phases_.size() <= phase) phases_.resize(phase + 1);
  phases_[phase] += std::exchange(instructions_, 0);
}

void WideBarriers::on_grid(const run::GridEvent& event) {
  if (event.kind == run::GridEvent::Kind::kArrive) end_phase(here_.grid++);
}

void WideBarriers::on_barrier(const run::BarrierEvent& event) {
  if (event.scope != run::BarrierEvent::Scope::kCluster) return;
  ++here_.cluster;
  end_phase(here_.grid + event.phase - 1);
}

double WideBarriers::lateness() const {
  double waits = 0;
  double runs = 0;
  for (const auto& group : groups_) {
    for (const auto longest : group.longest) waits += static_cast<double>(longest);
    runs += static_cast<double>(group.block);
  }
  return runs > 0 ? std::max(1.0, waits / runs) : 1;
}

void WideBarriers::on_block_end() {
  if (!phases_.empty()) {
    end_phase(phases_.size());
    if (groups_.size() < begun_) groups_.resize(begun_);
    const auto all = std::accumulate(phases_.begin(), phases_.end(), std::uint64_t{0});
    keep_longest({phases_, all}, groups_[begun_ - 1]);
  }
  most_.grid = std::max(most_.grid, here_.grid);
  most_.cluster = std::max(most_.cluster, here_.cluster);
}

void WideBarriers::add_time(const device::Profile& profile, std::uint32_t resident,
                            TimeEstimate& estimate) const {
  const double l2 = profile.l2.latency_seconds;
  const double late = lateness() - 1;
  if (late > kNegligible) {
    estimate.unmodelled.add(Unmodelled::kLateBlocks,
                            late * (estimate.seconds - profile.launch.overhead_seconds));
  }
  // All blocks wait, so nothing else happens.
  const double grid = static_cast<double>(most_.grid) *
                      (kGridLatencies * l2 + kGridAtomics * kAtomicSeconds * blocks_);
  // Other clusters of the multiprocessor work while one waits.
  const double rounds =
      std::ceil(blocks_ / std::max(1.0, 1.0 * std::max(resident, 1U) * profile.sm.count));
  const double cluster = rounds * static_cast<double>(most_.cluster) *
                         (kClusterLatencies * l2 + kClusterThreadSeconds * threads_);
  const double seconds = std::max(
      estimate.seconds + grid, most_.cluster == 0 ? 0 : cluster + profile.launch.overhead_seconds);
  if (seconds <= estimate.seconds) return;
  const double more = seconds - estimate.seconds;
  if (more > estimate.seconds) {
    estimate.bound_by = Bound::kLatency;
    estimate.skew = {};
  }
  estimate.shares.push_back({Bound::kLatency, more});
  estimate.parts.other_blocks += more;
  estimate.seconds = seconds;
  std::stable_sort(estimate.shares.begin(), estimate.shares.end(),
                   [](const Share& a, const Share& b) { return a.seconds > b.seconds; });
}

}  // namespace warpgrade::timing
