// SPDX-License-Identifier: Apache-2.0
// Turns of blocks in the order of their clocks, so that work goes to them as on a GPU.
//
// If one block ran after the other, the first would empty a queue of tickets alone, and no block
// would ever wait for another. Here each warp has a clock, and the one whose clock is least is
// next. It runs up to its next access that can order warps (an atomic operation with a result, a
// volatile, relaxed, acquire or release access), waits, or has stored a word for which others wait.
// As many blocks are resident as fit on the device; the next block begins when one ends.
//
// A clock counts what a warp waits for alone: instructions one after the other, an answer of memory
// for each group of loads, fences, barriers, and stores of other warps. It knows no resource that
// warps share, so it is less than the time of a launch. The difference matters little for the
// order, and the latest clock is a bound of the time that waits alone cause.
//
// A warp that reads the same word again and again does not run before that word changes. It then
// continues no earlier than the warp that changed the word.
#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/sim/residents.h"

namespace warpgrade::sim {
namespace {

// Turns without a change, as in residents.cpp, and turns between two looks at the launch's budget.
constexpr std::uint64_t kMostIdleTurns = std::uint64_t{1} << 19;
constexpr std::uint64_t kTurnsABudgetLook = 4096;

// Each warp that polls a word delays the others by this many clocks when the word changes. On an
// H200: a chain of 4,096 blocks on one word takes 3.1 us per block, one of 256 blocks 0.9 us.
constexpr double kPollClocks = 1;

struct WarpTurn {
  double clock = 0;
  std::uint64_t order = 0;  // decides between equal clocks
  std::uint32_t slot = 0;   // the place of a resident block
  std::uint32_t warp = 0;

  bool operator<(const WarpTurn& other) const {  // the least is on top of a queue
    return std::tie(clock, order) > std::tie(other.clock, other.order);
  }
};

// Accesses through which threads find out about each other.
bool orders_warps(const ptx::Instruction& in) {
  return ptx::is_strong(in) && ptx::facts(in).memory != ptx::MemoryRole::kReduction;
}

class Timeline {
 public:
  Timeline(std::vector<Share>& shares, const BlockList& list)
      : shares_(shares), list_(list), begun_(shares.size()) {
    for (const auto& in : shares_.front().block.code->function->instructions) {
      grid_.ordered.push_back(orders_warps(in));
    }
    for (auto& share : shares_) {
      share.block.grid = &grid_;
      share.block.prepare();
      is_known_.emplace_back(share.block.warps().size(), false);
    }
  }

  void run(std::uint64_t launch_budget, Progress& progress) {
    for (std::uint32_t slot = 0; slot < shares_.size(); ++slot) begin_block(slot, 0);
    std::uint64_t fallow = 0;
    for (std::uint64_t turn = 0;; ++turn) {
      if (turns_.empty() && !stalled_.empty()) wake_all();
      if (turns_.empty()) break;
      const auto next = turns_.top();
      turns_.pop();
      auto& block = shares_[next.slot].block;
      auto& warp = block.warps()[next.warp];
      is_known_[next.slot][next.warp] = false;
      const bool has_ended = block.take_warp_turn(warp);
      if (block.diagnostic) break;
      fallow = warp.stall.place != nullptr ? fallow + 1 : 0;
      if (fallow > kMostIdleTurns && block.report_endless_poll()) break;
      enter(next.slot);
      wake_changed(warp.clock + block.turns->store, begun_[next.slot]);
      if (has_ended) end_block(next.slot);
      if (turn % kTurnsABudgetLook == 0 && ended_ + used() > launch_budget) break;
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
    auto& block = shares_[slot].block;
    begun_[slot] = now;
    block.start(list_.at(next_++));
    block.set_clocks(now);
    enter(slot);
  }

  void end_block(std::uint32_t slot) {
    auto& block = shares_[slot].block;
    double end = 0;
    for (const auto& warp : block.warps()) end = std::max(end, warp.clock);
    last_end_ = std::max(last_end_, end);
    block.finish();
    ended_ += block.used();
    begin_block(slot, end);
  }

  // Enters the warps of a block that can run, or that poll.
  void enter(std::uint32_t slot) {
    auto& warps = shares_[slot].block.warps();
    for (std::uint32_t w = 0; w < warps.size(); ++w) {
      auto& warp = warps[w];
      if (is_known_[slot][w] || warp.status != WarpStatus::kReady) continue;
      is_known_[slot][w] = true;
      if (warp.stall.place != nullptr) {
        stalled_[warp.stall.place].push_back({warp.clock, 0, slot, w});
        ++grid_.stalled;
      } else {
        turns_.push({warp.clock, order_++, slot, w});
      }
    }
  }

  // The warps polled the place until `now`, when a block that had begun at `begun` set a new value
  // (or until it may have one).
  void wake(const std::vector<WarpTurn>& polled, double now, double begun) {
    for (const auto& [clock, order, slot, number] : polled) {
      auto& block = shares_[slot].block;
      auto& warp = block.warps()[number];
      const auto wakes = grid_.wakes;
      block.wake(warp);
      if (grid_.wakes != wakes && begun > clock) ++waits_for_later_;
      if (grid_.wakes != wakes && now > warp.clock) {
        warp.clock = now;
        ++waits_;
      }
      turns_.push({warp.clock, order_++, slot, number});
    }
    grid_.stalled -= polled.size();
  }

  void wake_changed(double now, double begun) {
    for (auto place = stalled_.begin(); place != stalled_.end();) {
      const auto& first = place->second.front();
      if (!shares_[first.slot].block.warps()[first.warp].stall.has_changed()) {
        ++place;
        continue;
      }
      wake(place->second, now + kPollClocks * static_cast<double>(place->second.size()), begun);
      place = stalled_.erase(place);
    }
  }

  void wake_all() {
    for (const auto& [place, polled] : stalled_) wake(polled, 0, 0);
    stalled_.clear();
  }

  // By the blocks that have not ended.
  std::uint64_t used() const {
    std::uint64_t sum = 0;
    for (const auto& share : shares_) sum += share.block.has_ended ? 0 : share.block.used();
    return sum;
  }

  std::vector<Share>& shares_;
  const BlockList& list_;
  Grid grid_;
  std::priority_queue<WarpTurn> turns_;
  std::map<const std::byte*, std::vector<WarpTurn>> stalled_;  // by the place that they poll
  std::vector<std::vector<bool>> is_known_;                    // warps in one of these two
  std::vector<double> begun_;                                  // by slot: when its block began
  std::uint64_t next_ = 0;                                     // block of the list
  std::uint64_t order_ = 0;
  std::uint64_t ended_ = 0;  // used by blocks that have ended
  std::uint64_t waits_ = 0;
  std::uint64_t waits_for_later_ = 0;
  double last_end_ = 0;
};

}  // namespace

void run_in_time(std::vector<Share>& shares, const BlockList& list, std::uint64_t launch_budget,
                 Progress& progress, run::Result& result) {
  Timeline timeline(shares, list);
  timeline.run(launch_budget, progress);
  timeline.put_into(result);
}

bool Block::is_ordered(std::uint32_t instruction) const {
  return instruction != kNoInstruction && grid->ordered[instruction];
}

void Block::set_clocks(double now) {
  for (auto& warp : warps_) {
    warp.clock = now;
    warp.awaits_loads = false;
    warp.awaits_stores = false;
  }
}

void Block::pass_time(Warp& warp, run::Operation operation, run::Space space) const {
  const bool is_far = space == run::Space::kGlobal;
  if (!is_far && space != run::Space::kShared) return;
  if (operation == run::Operation::kLoad) {
    warp.awaits_loads |= is_far;
    return;
  }
  warp.settle_loads();
  warp.awaits_stores |= is_far && operation != run::Operation::kAtomic;
  if (operation == run::Operation::kAtomic) warp.clock += is_far ? turns->atomic : turns->shared;
  if (grid->stalled != 0) warp.yield();
}

bool Block::take_warp_turn(Warp& turn) {
  turn.run();
  if (diagnostic) return true;
  note_poll(turn);
  if (!within_budget()) return true;
  if (turn.status != WarpStatus::kReady) {
    turn.settle_loads();
    std::vector<Warp*> blocked;
    for (auto& warp : warps_) {
      if (warp.status == WarpStatus::kBlocked) blocked.push_back(&warp);
    }
    if (release_barriers()) {
      double last = turn.clock;
      for (const auto* warp : blocked) last = std::max(last, warp->clock);
      for (auto* warp : blocked) {
        if (warp->status == WarpStatus::kReady) warp->clock = last + turns->barrier;
      }
    } else if (blocked.size() == warps_.size()) {
      report_deadlock();
      return true;
    }
  }
  return live_threads() == 0;
}

}  // namespace warpgrade::sim
