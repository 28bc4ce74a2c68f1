// SPDX-License-Identifier: Apache-2.0
// Two other orders of turns: at random by a seed, and by the clocks of warps.
//
// Seeded turns find races: a right kernel has the same result under every seed. CUDA guarantees
// no order except by barriers and fences. Turns by clocks give work to blocks as a GPU does, so a
// queue of tickets is not emptied by the first block alone.
//
// Clocks count instructions, answers of memory, fences, barriers and stores of other warps.
// Caches and partitions are not modelled.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/sim/block.h"
#include "common/sim/residents.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {
namespace {

// Seeded orders: the warps of a block take turns at random, some for one instruction, some for
// hundreds, and a warp's splits run in any order.
//
// CUDA guarantees no order except by barriers and fences, so a right kernel has the same result
// under every seed. A wrong kernel fails only if one warp gets ahead of another between two
// instructions, which turns of many lengths cause. The turns depend only on the seed and the
// block's number, so a seed is reproducible for any number of host threads.

constexpr std::uint32_t kTurnsALook = 256;  // between two looks at the budget

}  // namespace

void Block::run_interleaved(std::uint64_t linear) {
  auto state = random_state(parts.options.seed, linear);
  std::vector<Warp*> ready;
  for (std::uint32_t turn = 1;; ++turn) {
    ready.clear();
    for (auto& warp : warps_) {
      if (warp.status == WarpStatus::kReady) ready.push_back(&warp);
    }
    if (ready.empty()) {
      if (!release_barriers()) return;
      continue;
    }
    const auto turn_taken = random_turn(ready, state);
    auto& warp = *turn_taken.warp;
    warp.run_some(turn_taken.instructions, turn_taken.choice);
    if (out.diagnostic) return;
    // The barrier may be complete, so its threads continue while other warps are elsewhere.
    if (warp.status != WarpStatus::kReady || arrivals_.awaits_cluster) release_barriers();
    if (turn % kTurnsALook == 0 && !within_budget()) return;
  }
}

void Warp::run_some(std::uint32_t instructions, std::uint32_t choice) {
  if (mask == 0) reschedule();
  const MicroOp* ops = block->parts.code.ops.data();
  auto* counts = block->out.counts.data();
  fuel = instructions + 1;  // more than the turn can use
  std::uint64_t steps = 0;
  while (status == WarpStatus::kReady && instructions != 0) {
    if (pc >= stop_pc) reschedule();
    ++steps;
    const MicroOp& op = ops[pc++];
    auto lanes_mask = mask;
    if (op.guard != kNoSlot) {
      const auto guard = predicate(op.guard);
      lanes_mask &= op.guard_negated ? ~guard : guard;
      if (lanes_mask == 0) continue;
    }
    if (op.instruction != kNoInstruction) {
      counts[op.instruction].warps += 1;
      counts[op.instruction].threads += static_cast<std::uint32_t>(std::popcount(lanes_mask));
      --instructions;
    }
    op.handler(*this, op, lanes_mask);
    if (fuel != 0) continue;
    block->work.add_steps(steps);
    steps = 0;
    if (out_of_fuel()) return;
  }
  block->work.add_steps(steps);
  // Switches half of the time if there is a choice.
  if (status == WarpStatus::kReady && !ready.empty() && choice % 2 == 0) {
    if (mask != 0) ready.push_back({pc, mask, frame, turns});
    mask = 0;
    take(choice / 2 % ready.size());
  }
}

namespace {

// Turns of blocks in the order of their clocks, so that work goes to them as on a GPU.
//
// If one block ran after the other, the first would empty a queue of tickets alone, and no block
// would ever wait for another. Here each warp has a clock, and the one whose clock is least is
// next. It runs up to its next access that can order warps (an atomic operation with a result, a
// volatile, relaxed, acquire or release access), waits, or has stored a word for which others wait.
// As many blocks are resident as fit on the device; the next block begins when one ends.
//
// A clock counts instructions, answers of memory, fences, barriers and stores of other warps. Of
// the resources that warps share it knows four: the issue slots of a multiprocessor; the busiest
// resource of all plain accesses (Turns::plain_pass); L2, which serves accesses to one word one by
// one; and shared memory, if lanes poll there. Caches and partitions it does not know.
//
// A warp that reads the same words again and again does not run before one of them changes.

// Turns without a change, as in residents.cpp, and turns between two looks at the launch's budget.
constexpr std::uint64_t kMostIdleTurns = std::uint64_t{1} << 19;
constexpr std::uint64_t kTurnsABudgetLook = 4096;

// The fractional parts of the multiples of this number are spread evenly.
constexpr double kGoldenRatio = 1.618033988749895;

// All warps of a block, one bit each.
constexpr std::uint64_t kAll = ~std::uint64_t{0};

struct WarpTurn {
  double clock = 0;
  std::uint64_t order = 0;  // decides between equal clocks
  std::uint32_t slot = 0;   // the place of a resident block
  std::uint32_t warp = 0;
  double seen = 0;  // if it polls: when it sees the new value

  bool operator<(const WarpTurn& other) const {  // the least is on top of a queue
    return std::tie(clock, order) > std::tie(other.clock, other.order);
  }
};

bool is_plain(const ptx::Instruction& in) {
  const auto memory = ptx::facts(in).memory;
  const bool is_far = in.space == ptx::StateSpace::kGlobal || in.space == ptx::StateSpace::kGeneric;
  return is_far && !ptx::is_strong(in) &&
         (memory == ptx::MemoryRole::kLoad || memory == ptx::MemoryRole::kStore);
}

// Warps that poll the same place.
struct Polled {
  Stall stall;
  std::vector<WarpTurn> warps;
  double queue = 0;  // clocks of L2 for one access of each
  // Is going to swap. If it changes the value at `offered`, others find nothing new; else they see
  // it, too, from `seen` on.
  std::optional<WarpTurn> winner;
  std::uint64_t offered = 0;
  double seen = 0;
};

// Accesses through which threads find out about each other.
bool orders_warps(const ptx::Instruction& in) {
  return ptx::is_strong(in) && ptx::facts(in).memory != ptx::MemoryRole::kReduction;
}

class Timeline {
 public:
  Timeline(const LaunchParts& parts, std::vector<Share>& shares, const BlockList& list)
      : parts_(parts), list_(list), begun_(shares.size()) {
    for (const auto& in : parts.code.function->instructions) {
      grid_.strong.push_back(orders_warps(in));
      grid_.swaps.push_back(in.modifiers.has(ptx::Modifier::cas));
      grid_.ordered.push_back(grid_.strong.back() || is_plain(in));
    }
    grid_.issue.resize(parts.turns->multiprocessors);
    grid_.polling.resize(grid_.issue.size());
    for (auto& share : shares) {
      const auto slot = static_cast<std::uint32_t>(blocks_.size());
      blocks_.emplace_back(parts, Neighbours{&grid_, nullptr, 0, slot}, share.observer_list(),
                           share.result);
      unknown_.push_back(~std::uint64_t{0} >> (64 - parts.warps()));
    }
  }

  void run(Progress& progress) {
    for (std::uint32_t slot = 0; slot < blocks_.size(); ++slot) begin_block(slot, 0);
    std::uint64_t fallow = 0;
    for (std::uint64_t turn = 0;; ++turn) {
      if (turns_.empty() && !stalled_.empty()) wake_all();
      if (turns_.empty()) break;
      const auto next = turns_.top();
      turns_.pop();
      grid_.now = next.clock;
      auto& block = blocks_[next.slot];
      auto& warp = block.warps()[next.warp];
      unknown_[next.slot] |= std::uint64_t{1} << next.warp;
      const auto done = block.take_warp_turn(warp);
      if (block.out.diagnostic) break;
      fallow = warp.stall.place != nullptr ? fallow + 1 : 0;
      if (fallow > kMostIdleTurns && block.report_endless_poll()) break;
      enter(next.slot, done.frees_others ? kAll : std::uint64_t{1} << next.warp);
      wake_changed(next.slot, warp);
      if (done.is_last) end_block(next.slot);
      if (turn % kTurnsABudgetLook == 0 && ended_ + used() > parts_.options.launch_budget) break;
    }
    progress.used = ended_ + used();
  }

  void put_into(run::Result& result) const {
    result.waits = waits_;
    result.waits_for_later = waits_for_later_;
    result.failed_swaps = grid_.failed_swaps;
    result.blocks_in_turns = next_;
    result.clocks = last_end_;
  }

 private:
  void begin_block(std::uint32_t slot, double now) {
    if (next_ >= list_.count()) return;
    auto& block = blocks_[slot];
    begun_[slot] = now;
    block.start(list_.at(next_++));
    block.set_clocks(now);
    enter(slot, kAll);
  }

  void end_block(std::uint32_t slot) {
    auto& block = blocks_[slot];
    double end = 0;
    for (const auto& warp : block.warps()) end = std::max(end, warp.clock);
    last_end_ = std::max(last_end_, end);
    block.finish();
    ended_ += block.work.used();
    begin_block(slot, end + parts_.turns->block);
  }

  // Enters those of the block's warps in `which`, one bit each, that can run, or that poll.
  void enter(std::uint32_t slot, std::uint64_t which) {
    auto& warps = blocks_[slot].warps();
    for (auto left = unknown_[slot] & which; left != 0; left &= left - 1) {
      const auto w = static_cast<std::uint32_t>(std::countr_zero(left));
      auto& warp = warps[w];
      if (warp.status != WarpStatus::kReady) continue;
      unknown_[slot] &= ~(std::uint64_t{1} << w);
      if (warp.stall.place != nullptr) {
        const auto& stall = warp.stall;
        auto& polled = stalled_[{stall.place, stall.bytes}];
        if (polled.warps.empty()) polled.stall = stall;
        polled.warps.push_back({warp.clock, 0, slot, w});
        const auto& turns = *parts_.turns;
        polled.queue = static_cast<double>(polled.warps.size()) *
                       (stall.lanes == 0 ? turns.load_pass : stall.lanes * turns.atomic_pass);
        if (!stall.is_far) {
          grid_.polling[slot % grid_.polling.size()] += std::max(stall.lanes, 1U);
        }
        ++grid_.stalled;
      } else {
        turns_.push({warp.clock, order_++, slot, w});
      }
    }
  }

  static bool has_changed(const Polled& polled) { return polled.stall.now() != polled.stall.held; }

  // Others could see a new value from `seen` on, which a block that had begun at `begun` set. Each
  // warp that polls has a request on its way, and L2 serves these one by one, so the new value has
  // to queue, too. A warp sees it with its first request after it.
  void wake(Polled& polled, double seen, double begun, bool wakes_all) {
    const auto& turns = *parts_.turns;
    const auto& stall = polled.stall;
    const double alone = !stall.is_far      ? blocks_[polled.warps.front().slot].shared_answer()
                         : stall.lanes == 0 ? turns.load
                                            : turns.atomic;
    const double answer = stall.is_far ? std::max(alone, polled.queue) : alone;
    if (stall.is_far) grid_.queue = answer - alone;
    for (auto& warp : polled.warps) {
      const double turn = kGoldenRatio * static_cast<double>(order_++);
      const double phase = turn - std::floor(turn);
      warp.seen = std::max(warp.clock, seen + answer - alone + phase * answer - alone / 2);
    }
    if (!stall.is_swap || wakes_all) {
      for (const auto& warp : polled.warps) wake(warp, begun);
      polled.warps.clear();
      return;
    }
    const auto first = std::ranges::min_element(polled.warps, {}, &WarpTurn::seen);
    polled.winner = *first;
    polled.offered = stall.now();
    polled.seen = seen;
    wake(*first, begun);
    polled.warps.erase(first);
  }

  void wake(const WarpTurn& polls, double begun) {
    auto& block = blocks_[polls.slot];
    auto& warp = block.warps()[polls.warp];
    const auto& stall = warp.stall;
    if (!stall.is_far)
      grid_.polling[polls.slot % grid_.polling.size()] -= std::max(stall.lanes, 1U);
    // A later block may have had a lock before.
    const bool is_for_later = begun > polls.clock && !stall.is_swap;
    const auto wakes = grid_.wakes;
    block.wake(warp);
    --grid_.stalled;
    if (grid_.wakes != wakes && is_for_later) ++waits_for_later_;
    if (grid_.wakes != wakes && polls.seen > warp.clock) {
      warp.clock = polls.seen;
      ++waits_;
    }
    turns_.push({warp.clock, order_++, polls.slot, polls.warp});
  }

  // After a turn of `warp` in `slot`.
  void wake_changed(std::uint32_t slot, const Warp& warp) {
    const bool has_acted = grid_.end_written != 0 || grid_.has_written_shared ||
                           warp.stall.place != nullptr || warp.status != WarpStatus::kReady;
    if (!has_acted) return;
    for (auto place = stalled_.begin(); place != stalled_.end();) {
      auto& [key, polled] = *place;
      const auto& stall = polled.stall;
      double seen = warp.seen;
      bool wakes_all = false;
      if (polled.winner && polled.winner->slot == slot && polled.winner->warp == warp.index) {
        polled.winner.reset();
        wakes_all = stall.now() == polled.offered;
        if (wakes_all) seen = polled.seen;
      } else if (polled.winner ||
                 (stall.is_far ? stall.first >= grid_.end_written ||
                                     stall.first + stall.bytes <= grid_.first_written
                               : !grid_.has_written_shared)) {
        ++place;
        continue;
      }
      if (has_changed(polled) && !polled.warps.empty()) {
        wake(polled, seen, begun_[slot], wakes_all);
      }
      place = polled.warps.empty() && !polled.winner ? stalled_.erase(place) : std::next(place);
    }
    grid_.first_written = ~std::uint64_t{0};
    grid_.end_written = 0;
    grid_.has_written_shared = false;
  }

  void wake_all() {
    for (const auto& [place, polled] : stalled_) {
      for (const auto& warp : polled.warps) wake(warp, 0);
    }
    stalled_.clear();
  }

  // By the blocks that have not ended.
  std::uint64_t used() const {
    std::uint64_t sum = 0;
    for (const auto& block : blocks_) sum += block.has_ended() ? 0 : block.work.used();
    return sum;
  }

  const LaunchParts& parts_;
  const BlockList& list_;
  Grid grid_;
  std::deque<Block> blocks_;  // by slot
  std::priority_queue<WarpTurn> turns_;
  std::map<std::pair<const std::byte*, std::size_t>, Polled> stalled_;  // by place and bytes
  std::vector<std::uint64_t> unknown_;  // by slot: warps in neither, as bits
  std::vector<double> begun_;           // by slot: when its block began
  std::uint64_t next_ = 0;              // block of the list
  std::uint64_t order_ = 0;
  std::uint64_t ended_ = 0;  // used by blocks that have ended
  std::uint64_t waits_ = 0;
  std::uint64_t waits_for_later_ = 0;
  double last_end_ = 0;
};

}  // namespace

void run_in_time(const LaunchParts& parts, std::vector<Share>& shares, const BlockList& list,
                 Progress& progress, run::Result& result) {
  Timeline timeline(parts, shares, list);
  timeline.run(progress);
  timeline.put_into(result);
}

bool Block::is_ordered(std::uint32_t instruction) const {
  return instruction != kNoInstruction && beside.grid->ordered[instruction];
}

void Block::set_clocks(double now) {
  for (auto& warp : warps_) {
    warp.clock = now;
    warp.loaded = now;
    warp.is_behind_access = false;
  }
}

void Block::issue(Warp& warp, std::uint64_t steps) const {
  auto& free_at = beside.grid->issue[beside.slot % parts.turns->multiprocessors];
  const auto count = static_cast<double>(steps);
  free_at = std::max(free_at, beside.grid->now) + count * parts.turns->issue;
  warp.clock = std::max(warp.clock + count * parts.turns->instruction, free_at);
}

double Block::shared_answer() const {
  return std::max(parts.turns->shared,
                  beside.grid->polling[beside.slot % beside.grid->polling.size()]);
}

void Block::pass_time(Warp& warp, const MicroOp& op, run::Space space, std::uint32_t mask) const {
  const bool is_far = space == run::Space::kGlobal;
  if (!is_far && space != run::Space::kShared) return;
  const bool is_load = op.operation == run::Operation::kLoad;
  if (!is_load) warp.settle_loads();
  warp.is_behind_access |= is_far;
  if (is_far && op.instruction != kNoInstruction && !beside.grid->strong[op.instruction]) {
    beside.grid->memory = std::max(beside.grid->memory, beside.grid->now) +
                          parts.turns->plain_pass * std::popcount(mask);
    const double chance = static_cast<double>(next_random(beside.grid->random) >> 11) * 0x1p-53;
    const double tail = parts.turns->plain_tail * (-std::log(1 - chance) - 1);
    const double served = std::max(beside.grid->memory, warp.clock);
    if (is_load) warp.loaded = std::max(warp.loaded, served + parts.turns->plain_load + tail);
  }
  if (is_load) return;
  beside.grid->has_written_shared |= !is_far;
  if (is_far) {
    for (auto rest = mask; rest != 0; rest &= rest - 1) {
      const auto place = warp.address[std::countr_zero(rest)];
      beside.grid->first_written = std::min(beside.grid->first_written, place);
      beside.grid->end_written = std::max(beside.grid->end_written, place + sizeof(std::uint64_t));
    }
  }
  const bool is_atomic = op.operation == run::Operation::kAtomic;
  const double answer = is_far ? parts.turns->atomic : shared_answer();
  warp.seen = warp.clock + (is_atomic || !is_far ? answer / 2 : parts.turns->store);
  if (is_atomic && is_far) {
    auto& word = beside.grid->words[warp.address[std::countr_zero(mask)]];
    word = std::max(word, warp.seen) + parts.turns->atomic_pass * std::popcount(mask);
    warp.seen = word;
  }
  if (is_atomic) warp.clock = warp.seen + answer / 2;
  if (beside.grid->stalled != 0) warp.yield();
}

Turn Block::take_warp_turn(Warp& turn) {
  Turn done{.ran = true};
  turn.run();
  done.is_last = out.diagnostic.has_value();
  if (done.is_last) return done;
  note_poll(turn);
  done.is_last = !within_budget();
  if (done.is_last) return done;
  if (turn.status != WarpStatus::kReady) {
    turn.settle_loads();
    std::vector<Warp*> blocked;
    for (auto& warp : warps_) {
      if (warp.status == WarpStatus::kBlocked) blocked.push_back(&warp);
    }
    if (release_barriers()) {
      done.frees_others = true;
      double last = turn.clock;
      for (const auto* warp : blocked) last = std::max(last, warp->clock);
      for (auto* warp : blocked) {
        if (warp->status == WarpStatus::kReady) warp->clock = last + parts.turns->barrier;
      }
    } else if (blocked.size() == warps_.size()) {
      report_deadlock();
      done.is_last = true;
    }
  }
  done.is_last |= turn.live == 0 && live_threads() == 0;
  return done;
}

}  // namespace warpgrade::sim
