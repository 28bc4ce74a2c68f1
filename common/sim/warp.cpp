// SPDX-License-Identifier: Apache-2.0
#include "common/sim/warp.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "common/base/diagnostic.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/block.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

bool same_call(const Frame* a, const Frame* b) {
  while (a != b) {
    if (a == nullptr || b == nullptr || a->site != b->site || a->callee != b->callee) return false;
    if (!a->saved.empty() || !b->saved.empty()) return false;
    a = a->parent;
    b = b->parent;
  }
  return true;
}

Frame* Frames::make() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Frame>());
    return all_.back().get();
  }
  auto* frame = free_.back();
  free_.pop_back();
  return frame;
}

void Frames::drop(std::uint32_t lanes, Frame* from, const Frame* to) {
  for (auto* frame = from; frame != to; frame = frame->parent) {
    frame->inside &= ~lanes;
    if (frame->inside == 0) free_.push_back(frame);
  }
}

void Frames::move(std::uint32_t lanes, Frame* from, Frame* to) {
  while (from != to) {
    to->inside |= lanes;
    from->inside &= ~lanes;
    if (from->inside == 0) free_.push_back(from);
    from = from->parent;
    to = to->parent;
  }
}

void Frames::clear() {
  free_.clear();
  for (const auto& frame : all_) free_.push_back(frame.get());
}

namespace {

// Backward branches of one split before others get a turn. High enough to keep loops with different
// trip counts per lane together: otherwise splits would no longer meet after the loop.
constexpr std::uint32_t kFuel = 1U << 16;
// The same for a block that may do little work: it exceeds that by a few passes of a loop.
constexpr std::uint32_t fuel_of(std::uint64_t budget) {
  constexpr std::uint64_t kWorkOfAJump = 16;
  return static_cast<std::uint32_t>(
      std::clamp(budget / kWorkOfAJump, std::uint64_t{1}, std::uint64_t{kFuel}));
}
// Fuel charged to a split that polls (nanosleep, yield), so that others get a turn.
constexpr std::uint32_t kYieldFuel = kFuel / 16;
// Loads of the same value before a warp counts as waiting.
constexpr std::uint32_t kPolls = 64;
// Loads of the same value before other splits of its warp get a turn, and the fuel that the switch
// costs: not all, because a holder of the lock then continues at once, but some, because it may be
// in another warp.
constexpr std::uint32_t kSplitPolls = 16;
constexpr std::uint32_t kGiveWayFuel = kFuel / 64;
// kPolls for blocks that run in turns: there the warp waits for another block.
constexpr std::uint32_t kResidentPolls = 2;
// The same for blocks with clocks: a warp that reads a value twice waits for the next one.
constexpr std::uint32_t kTimedPolls = 1;
constexpr std::uint64_t kChargedPerFuel = 64;
// A warp that polls words further apart waits for a change of the first one only.
constexpr std::uint64_t kMostPolledBytes = 1024;

// Fewer turns first, then deeper calls, then the lowest position.
bool precedes(const Split& a, const Split& b) {
  if (a.turns != b.turns) return a.turns < b.turns;
  const auto a_depth = depth_of(a.frame);
  const auto b_depth = depth_of(b.frame);
  return a_depth != b_depth ? a_depth > b_depth : a.pc < b.pc;
}

}  // namespace

void Warp::start(std::uint32_t lanes_mask) {
  pc = 0;
  mask = lanes_mask;
  live = lanes_mask;
  stop_pc = std::numeric_limits<std::uint32_t>::max();
  fuel = kFuel;
  kept_fuel_ = 0;
  status = WarpStatus::kReady;
  frame = nullptr;
  turns = 0;
  carry = 0;
  guests_ = 0;
  stall = {};
  has_polled = false;
  last_poll_ = {};
  polls_ = 0;
  gives_way_ = false;
  has_turn_ = false;
  ready.clear();
  waiting.clear();
}

void Warp::run() {
  const bool traced = !block->watchers().empty();
  if (block->is_timed()) {
    traced ? run_ready<true, true>() : run_ready<false, true>();
  } else {
    traced ? run_ready<true, false>() : run_ready<false, false>();
  }
}

template <bool traced, bool timed>
void Warp::run_ready() {
  if (mask == 0) reschedule();
  const MicroOp* ops = block->parts.code.ops.data();
  run::InstructionCount* counts = block->out.counts.data();
  fuel = kept_fuel_ != 0 ? kept_fuel_ : fuel_of(block->parts.options.block_budget);
  kept_fuel_ = 0;
  std::uint64_t steps = 0;
  while (status == WarpStatus::kReady) {
    if (pc >= stop_pc) [[unlikely]]
      reschedule();
    ++steps;
    const MicroOp& op = ops[pc++];
    std::uint32_t lanes_mask = mask;
    if (op.guard != kNoSlot) {
      const auto guard = predicate(op.guard);
      lanes_mask &= op.guard_negated ? ~guard : guard;
      if (lanes_mask == 0) continue;
    }
    if constexpr (timed) {
      if (block->is_ordered(op.instruction) && !std::exchange(has_turn_, false)) {
        has_turn_ = true;
        --pc;
        yield();
        block->work.add_steps(steps);
        if (timed) block->issue(*this, steps);
        steps = 0;
        if (out_of_fuel()) return;
        continue;
      }
    }
    if (op.instruction != kNoInstruction) {
      counts[op.instruction].warps += 1;
      counts[op.instruction].threads += static_cast<std::uint32_t>(std::popcount(lanes_mask));
      if constexpr (traced) {
        for (auto* watcher : block->watchers()) {
          block->work.charge(watcher->on_instruction(index, op.instruction));
        }
        if (op.teller != nullptr) op.teller(*this, op, lanes_mask);
      }
    }
    op.handler(*this, op, lanes_mask);
    if (traced && block->work.is_overcharged()) fuel = 0;
    if (fuel == 0) [[unlikely]] {
      block->work.add_steps(traced ? steps * (1 + kTracedWork) : steps);
      if (timed) block->issue(*this, steps);
      steps = 0;
      if (out_of_fuel()) return;
    }
  }
  block->work.add_steps(traced ? steps * (1 + kTracedWork) : steps);
  if (timed) block->issue(*this, steps);
}

// Whether other warps get a turn; other splits of this warp get one at once.
bool Warp::out_of_fuel() {
  if (guests_ != 0) {  // stopped only to let them continue separately
    mask &= ~guests_;
    guests_ = 0;
    fuel = spared_fuel_;
    if (status == WarpStatus::kReady) set_stop();
    if (fuel != 0) return false;
  }
  if (!block->within_budget()) return true;
  if (gives_way_) {
    gives_way_ = false;
    ++turns;
    reschedule();
    fuel = polled_fuel_ > kGiveWayFuel ? polled_fuel_ - kGiveWayFuel : 0;
    return fuel == 0;
  }
  if (kept_fuel_ == 0 && !ready.empty() && block->parts.options.independent_lanes) {
    ++turns;
    reschedule();
  }
  return true;
}

void Warp::yield() {
  kept_fuel_ = fuel > kYieldFuel ? fuel - kYieldFuel : 0;
  fuel = 0;
}

void Warp::give_way() {
  gives_way_ = true;
  polled_fuel_ = fuel;
  fuel = 0;
}

void Warp::poll(const MicroOp& op, std::uint32_t lanes_mask, std::uint64_t value) {
  const auto own = address[std::countr_zero(lanes_mask)];
  Poll now = {&op, own, value};
  std::uint64_t last = own;
  if (!block->is_alone()) {
    for (auto rest = lanes_mask; rest != 0; rest &= rest - 1) {
      const auto place = address[std::countr_zero(rest)];
      now.address = std::min(now.address, place);
      last = std::max(last, place);
    }
    if (last - now.address > kMostPolledBytes) now.address = last = own;
    polled_bytes = last - now.address + sizeof value;
  }
  polls_ = now == last_poll_ ? polls_ + 1 : 0;
  last_poll_ = now;
  const auto* timed = block->parts.turns;
  if (timed != nullptr && op.operation == run::Operation::kLoad) {
    clock += now.address < kWindowBytes ? block->shared_answer() : timed->load;
  }
  if (block->parts.options.independent_lanes && !ready.empty()) {
    if (polls_ < (timed == nullptr ? kSplitPolls : kTimedPolls)) return;
    polls_ = 0;
    give_way();
    return;
  }
  const auto most = timed != nullptr ? kTimedPolls : kResidentPolls;
  if (polls_ < (block->is_alone() ? kPolls : most)) return;
  polls_ = 0;
  has_polled = true;
  yield();
}

void Warp::fail_swap(const MicroOp& op, std::uint32_t lane, std::uint64_t value) {
  const Poll now = {&op, address[lane], value};
  if (std::exchange(failed_swaps_[lane], now) == now) ++block->beside.grid->failed_swaps;
}

void Warp::set_stop() {
  stop_pc = std::numeric_limits<std::uint32_t>::max();
  for (const auto& split : ready) {
    if (split.pc >= pc && split.pc < stop_pc && same_call(split.frame, frame)) stop_pc = split.pc;
  }
}

void Warp::reschedule() {
  if (mask == 0 && ready.size() == 1) {  // usual after barriers
    pc = ready.front().pc;
    mask = ready.front().mask;
    frame = ready.front().frame;
    turns = 0;  // no other split to compare with
    ready.clear();
    stop_pc = std::numeric_limits<std::uint32_t>::max();
    return;
  }
  if (mask != 0) ready.push_back({pc, mask, frame, turns});
  mask = 0;
  if (ready.empty()) {
    status = live == 0 ? WarpStatus::kDone : WarpStatus::kBlocked;
    return;
  }
  const auto chosen = std::min_element(ready.begin(), ready.end(), precedes);
  take(static_cast<std::size_t>(chosen - ready.begin()));
}

void Warp::take(std::size_t position) {
  pc = ready[position].pc;
  frame = ready[position].frame;
  turns = ready[position].turns;
  std::erase_if(ready, [&](const Split& split) {
    if (split.pc != pc || !same_call(split.frame, frame)) return false;
    if (split.frame != frame) block->frames.move(split.mask, split.frame, frame);
    mask |= split.mask;
    return true;
  });
  set_stop();
}

void Warp::jump(std::uint32_t target) {
  const bool backward = target < pc;
  pc = target;
  if (backward) {
    --fuel;
    if (!ready.empty()) set_stop();
  }
}

void Warp::diverge(std::uint32_t target, std::uint32_t taken) {
  ready.push_back({pc, mask & ~taken, frame, turns});
  mask = taken;
  if (target < pc) --fuel;
  pc = target;
  const auto left = fuel;
  reschedule();
  fuel = left;
}

void Warp::split_off(std::uint32_t lanes_mask, std::uint32_t at) {
  ready.push_back({at, lanes_mask, frame, turns});
  mask &= ~lanes_mask;
}

void Warp::enter(std::uint32_t target, std::uint32_t lanes_mask, Frame* callee) {
  if (lanes_mask != mask) split_off(mask & ~lanes_mask, pc);
  frame = callee;
  pc = target;
  --fuel;
  set_stop();
}

void Warp::leave(std::uint32_t lanes_mask) {
  auto* left = frame;
  if (lanes_mask != mask) split_off(mask & ~lanes_mask, pc);
  pc = left->return_pc;
  frame = left->parent;
  block->frames.drop(lanes_mask, left, frame);
  if (ready.empty()) {
    set_stop();
  } else {
    reschedule();
  }
}

void Warp::exit(std::uint32_t lanes_mask) {
  block->frames.drop(lanes_mask, frame, nullptr);
  live &= ~lanes_mask;
  mask &= ~lanes_mask;
  // Splits that wait for these lanes and, at the same instruction, for each other stop waiting.
  const auto entries = waiting;
  release([&](const Waiting& w) {
    std::uint32_t here = 0;
    for (const auto& entry : entries) {
      if (entry.for_block) continue;
      const bool can_meet = block->parts.options.independent_lanes &&
                            entry.op->handler == w.op->handler && entry.members == w.members;
      if (entry.op == w.op || can_meet) here |= entry.split.mask;
    }
    return !w.for_block && (w.members & live & ~here) == 0;
  });
  if (mask == 0) {
    reschedule();
  } else {
    set_stop();
  }
}

void Warp::wait(const Waiting& entry) {
  waiting.push_back(entry);
  mask = 0;
  if (ready.empty()) {
    status = WarpStatus::kBlocked;
  } else {
    reschedule();
  }
}

std::uint32_t Warp::arrived(const MicroOp& op) const {
  std::uint32_t lanes_here = mask;
  for (const auto& entry : waiting) {
    if (!entry.for_block && entry.op == &op) lanes_here |= entry.split.mask;
  }
  return lanes_here;
}

bool Warp::gather(const MicroOp& op, std::uint32_t complete, std::uint32_t members) {
  if (const auto lacking = mask & ~complete; lacking != 0) {
    Waiting entry;
    entry.split = {pc - 1, lacking, frame, turns};
    entry.op = &op;
    entry.members = members;
    if (lacking == mask) {
      wait(entry);
      return false;
    }
    waiting.push_back(entry);
    mask &= complete;
  }
  for (auto& entry : waiting) {
    const auto joining = entry.split.mask & complete;
    if (entry.for_block || entry.op != &op || joining == 0) continue;
    if (!same_call(entry.split.frame, frame)) {
      guests_ |= joining;
      ready.push_back({pc, joining, entry.split.frame, entry.split.turns});
    } else if (entry.split.frame != frame) {
      block->frames.move(joining, entry.split.frame, frame);
    }
    mask |= joining;
    entry.split.mask &= ~joining;
  }
  std::erase_if(waiting, [](const Waiting& entry) { return entry.split.mask == 0; });
  if (guests_ != 0) {  // run() checks the fuel after each instruction
    spared_fuel_ = fuel;
    fuel = 0;
  }
  return true;
}

void Warp::part(std::uint32_t lanes_mask) {
  for (auto& entry : waiting) {
    if (entry.for_block || (entry.split.mask & lanes_mask) == 0) continue;
    auto& split = entry.split;
    ready.push_back({split.pc + 1, split.mask & lanes_mask, split.frame, split.turns});
    split.mask &= ~lanes_mask;
  }
  std::erase_if(waiting, [](const Waiting& entry) { return entry.split.mask == 0; });
  set_stop();
}

void Warp::settle_loads() {
  if (loaded <= clock) return;
  clock = loaded;
  yield();
}

void Warp::charge(std::uint64_t units) {
  block->work.charge(units);
  // run() checks the budget when fuel runs out, so charged work also uses fuel.
  fuel -= static_cast<std::uint32_t>(std::min<std::uint64_t>(fuel, units / kChargedPerFuel));
  if (block->work.is_overcharged()) fuel = 0;
}

void Warp::fault(base::DiagnosticKind kind, const MicroOp& op, std::uint32_t lane,
                 std::string message, base::Facts facts) {
  status = WarpStatus::kFaulted;
  block->fault(kind, op, index * run::kWarpSize + lane, std::move(message), std::move(facts));
}

}  // namespace warpgrade::sim
