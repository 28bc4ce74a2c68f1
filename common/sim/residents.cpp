// SPDX-License-Identifier: Apache-2.0
// Divides the blocks of a launch into shares, and runs resident blocks in turns.
//
// A share is for one host thread, or for one block of a cooperative launch, or for one rank of a
// cluster. A resident block runs until its warps wait, end or poll; then the next has its turn.
// In each round, blocks run in the order of their index, or in an order that the seed gives.
//
// If all blocks wait, or polling changes nothing for very long, the launch ends with a fault.
#include "common/sim/residents.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/base/place.h"
#include "common/run/observer.h"
#include "common/run/runner.h"
#include "common/sim/block.h"
#include "common/sim/cluster.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

BlockList::BlockList(const std::vector<run::BlockRange>& ranges, std::uint64_t blocks)
    : ranges_(ranges) {
  if (ranges_.empty()) ranges_.push_back({0, blocks});
  std::uint64_t last = 0;
  for (const auto& [begin, end] : ranges_) {
    if (begin < last || end <= begin || end > blocks) {
      throw base::UsageError("the blocks to execute are not ascending ranges of the grid's");
    }
    last = end;
    ends_.push_back(count() + end - begin);
  }
}

std::uint64_t BlockList::at(std::uint64_t place) const {
  const auto i = std::upper_bound(ends_.begin(), ends_.end(), place) - ends_.begin();
  return ranges_[static_cast<std::size_t>(i)].end - (ends_[static_cast<std::size_t>(i)] - place);
}

std::vector<run::Observer*> Share::observer_list() const {
  std::vector<run::Observer*> list;
  for (const auto& observer : observers) list.push_back(observer.get());
  return list;
}

void Share::run(const LaunchParts& parts, const BlockList& list, Progress& progress) {
  auto& first_fault = progress.first_fault;
  try {
    const BlockOrder order(list.count(), parts.options.seed);
    Block block(parts, {}, observer_list(), result);
    for (auto position = begin; position < end; ++position) {
      if (position > first_fault.load(std::memory_order_relaxed)) return;
      block.run(list.at(order(position)));
      const auto used = block.work.used();
      const auto all = progress.used.fetch_add(used) + used;
      if (!result.diagnostic) {
        if (all > parts.options.launch_budget) return;
        continue;
      }
      auto known = first_fault.load();
      while (position < known && !first_fault.compare_exchange_weak(known, position)) {
      }
      return;
    }
  } catch (...) {
    failure = std::current_exception();
  }
}

namespace {

// Limit on turns of blocks while nothing that they poll has changed.
constexpr std::uint64_t kMostFallowTurns = std::uint64_t{1} << 19;
// Warps that have a turn within a random turn of their block.
constexpr std::uint64_t kMostWarpTurns = 64;

// The clusters with one of the blocks in `list`, in ascending order.
std::vector<std::uint64_t> clusters_of(const BlockList& list, const base::Dim3& grid,
                                       const base::Dim3& extent) {
  const auto clusters = base::divided(grid, extent);
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 0; i < list.count(); ++i) {
    const auto at = base::index_at(list.at(i), grid);
    const auto number = base::linear_at(base::divided(at, extent), clusters);
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

class Residents {
 public:
  Residents(const LaunchParts& parts, std::vector<Share>& shares) : parts_(parts) {
    for (auto& share : shares) {
      Neighbours beside{&grid_};
      if (parts.cluster) {
        beside.cluster = &cluster_;
        beside.rank = static_cast<std::uint32_t>(blocks_.size());
      }
      auto& block = blocks_.emplace_back(parts, beside, share.observer_list(), share.result);
      cluster_.blocks.push_back(&block);
    }
  }

  /// blocks_[i] runs numbers[i]. Returns false after a fault, or without budget.
  bool run(const std::vector<std::uint64_t>& numbers, Progress& progress) {
    is_live_.assign(blocks_.size(), true);
    live_ = blocks_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].start(numbers[i]);
    const std::uint64_t used_before = progress.used;
    bool polls_again = false;
    std::uint64_t fallow = 0;
    for (std::uint64_t round = 0; live_ != 0; ++round) {
      const auto before = progress_made();
      const auto ran = run_round(round, polls_again);
      progress.used = used_before + used();
      if (is_stopped_ || progress.used > parts_.options.launch_budget) return false;
      if (progress_made() != before) fallow = 0;
      if (polls_again) fallow += ran;
      if (ran == 0 && polls_again) return report_deadlock();
      if (fallow > kMostFallowTurns) return report_endless_poll();
      polls_again = ran == 0;
    }
    return true;
  }

 private:
  // Returns the number of blocks in which something ran.
  std::uint64_t run_round(std::uint64_t round, bool polls_again) {
    std::uint64_t ran = 0;
    const auto seed = parts_.options.seed;
    const BlockOrder order(blocks_.size(), seed == 0 ? 0 : random_state(seed, round) | 1);
    for (std::uint64_t i = 0; i < blocks_.size(); ++i) {
      const auto number = order(i);
      if (!is_live_[number]) continue;
      auto& block = blocks_[number];
      const auto turn = block.take_turn(polls_again);
      ran += turn.ran ? 1 : 0;
      if (block.out.diagnostic) {
        is_stopped_ = true;
        return ran;
      }
      if (!turn.is_last) continue;
      block.finish();
      is_live_[number] = false;
      --live_;
    }
    return ran;
  }

  // Changes whenever a block ends, all blocks meet, or one of them sees a new value in a place that
  // it polls.
  std::uint64_t progress_made() const {
    return grid_.phases + grid_.wakes + cluster_.phases + (blocks_.size() - live_);
  }

  std::uint64_t used() const {
    std::uint64_t sum = 0;
    for (const auto& block : blocks_) sum += block.work.used();
    return sum;
  }

  std::string name_of(std::size_t number) const {
    return "block " + base::text(blocks_[number].index());
  }

  // "block (1, 0, 0) has ended", "3 blocks, the first of them block (1, 0, 0), have ended".
  std::string ended_text() const {
    const auto first = std::find(is_live_.begin(), is_live_.end(), false) - is_live_.begin();
    const auto name = name_of(static_cast<std::size_t>(first));
    const auto ended = blocks_.size() - live_;
    return ended == 1 ? name + " has ended"
                      : fmt::format("{} blocks, the first of them {}, have ended", ended, name);
  }

  // Always false, for run().
  bool report_deadlock() {
    if (!parts_.cluster) {
      report_grid_deadlock();
      return false;
    }
    for (const bool elsewhere : {true, false}) {
      for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (is_live_[i] && blocks_[i].report_endless_wait(elsewhere)) return false;
      }
    }
    return false;
  }

  void report_grid_deadlock() {
    const auto waits = std::find(is_live_.begin(), is_live_.end(), true) - is_live_.begin();
    blocks_[static_cast<std::size_t>(waits)].report_grid_deadlock(
        fmt::format("{} of the grid's {} blocks wait{} here at the barrier of the grid, and "
                    "{} without it: every block must reach each grid.sync(), and the first "
                    "thread of a block, which arrives for it, must not return before",
                    live_, blocks_.size(), live_ == 1 ? "s" : "", ended_text()));
  }

  // Always false, for run().
  bool report_endless_poll() {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (is_live_[i] && blocks_[i].report_endless_poll()) return false;
    }
    return false;
  }

  const LaunchParts& parts_;
  Grid grid_;
  Cluster cluster_;           // unused in a launch without clusters
  std::deque<Block> blocks_;  // of the shares
  std::vector<bool> is_live_;
  std::uint64_t live_ = 0;
  bool is_stopped_ = false;
};

}  // namespace

void run_residents(const LaunchParts& parts, std::vector<Share>& shares, Progress& progress) {
  std::vector<std::uint64_t> numbers;
  for (const auto& share : shares) numbers.push_back(share.begin);
  Residents(parts, shares).run(numbers, progress);
}

void run_clusters(const LaunchParts& parts, std::vector<Share>& shares, const BlockList& list,
                  Progress& progress) {
  const auto& grid = parts.launch.grid;
  const auto& extent = *parts.cluster;
  const auto clusters = base::divided(grid, extent);
  Residents residents(parts, shares);
  const auto numbers = clusters_of(list, grid, extent);
  const BlockOrder order(numbers.size(), parts.options.seed);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto first = base::index_at(numbers[order(i)], clusters);
    std::vector<std::uint64_t> blocks;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
      const auto at = base::index_at(rank, extent);
      blocks.push_back(base::linear_at(
          {first.x * extent.x + at.x, first.y * extent.y + at.y, first.z * extent.z + at.z}, grid));
    }
    if (!residents.run(blocks, progress)) return;
    auto& all = shares.front().result.printed;
    for (std::size_t rank = 1; rank < shares.size(); ++rank) {
      auto& printed = shares[rank].result.printed;
      if (all.size() <= kPrintedLimit) all += printed;
      printed.clear();
    }
  }
}

void Block::arrive_at_grid(const MicroOp& op, bool ends) {
  ++at_grid_.arrivals;
  tell(run::GridEvent{run::GridEvent::Kind::kArrive, op.instruction});
  if (ends) ++beside.grid->phases;
}

// If other lanes of the warp can run, they do so first.
bool Block::waits_at_grid(Warp& warp, const MicroOp& op) {
  if (beside.grid->phases >= at_grid_.arrivals) return false;
  at_grid_.wait = &op;
  if (!warp.ready.empty()) {
    warp.give_way();
    return true;
  }
  warp.stall.for_grid = true;
  warp.yield();
  return true;
}

void Block::look_at_grid(const MicroOp& op) {
  if (beside.grid->phases < at_grid_.arrivals) return;
  tell(run::GridEvent{run::GridEvent::Kind::kPass, op.instruction});
}

void Block::report_grid_deadlock(std::string message) {
  fault(base::DiagnosticKind::kDeadlock, *at_grid_.wait, 0, std::move(message));
}

// A warp that polls waits for a change of the place, if that is in global memory, in the shared
// memory of a cluster, or (with clocks) of its block.
void Block::note_poll(Warp& warp) const {
  if (!warp.has_polled || warp.status != WarpStatus::kReady || warp.stall.for_grid) return;
  const auto address = warp.polled_address();
  const std::byte* host = nullptr;
  std::uint64_t left = 0;
  if (address < kWindowBytes) {
    const auto rank = rank_at(address, beside.rank);
    const auto offset = address % kClusterStride;
    const bool is_own = is_timed() && rank == beside.rank;
    const bool is_others = beside.cluster != nullptr && rank < beside.cluster->blocks.size();
    if ((!is_own && !is_others) || offset >= parts.shared_bytes) return;
    host = (is_own ? *this : *beside.cluster->blocks[rank]).shared() + offset;
    left = parts.shared_bytes - offset;
  } else if (const auto* region = parts.memory.find(address, 1); region != nullptr) {
    const auto offset = address - region->base;
    left = region->bytes - offset;
    if (region->host != nullptr) {
      host = region->host + offset;
    } else if (is_timed() && region->sparse != nullptr) {
      host = region->sparse->at(offset);
      left = std::min(left, SparseBuffer::kPiece - offset % SparseBuffer::kPiece);
    } else {
      return;
    }
  } else {
    return;
  }
  const bool is_atomic = warp.polled_op().operation == run::Operation::kAtomic;
  warp.stall.place = host;
  warp.stall.first = address;
  warp.stall.is_far = address >= kWindowBytes;
  warp.stall.is_swap = is_timed() && beside.grid->swaps[warp.polled_op().instruction];
  warp.stall.lanes = is_atomic ? static_cast<std::uint32_t>(std::popcount(warp.mask)) : 0;
  warp.stall.bytes = std::min<std::size_t>(warp.polled_bytes, left);
  warp.stall.held = warp.stall.now();
}

bool Block::can_run(const Warp& warp, bool polls_again) const {
  if (warp.status != WarpStatus::kReady) return false;
  if (warp.stall.for_grid) return beside.grid->phases >= at_grid_.arrivals;
  return polls_again || warp.stall.place == nullptr || warp.stall.has_changed();
}

void Block::wake(Warp& warp) const {
  const auto& stall = warp.stall;
  if (stall.place != nullptr && stall.has_changed()) ++beside.grid->wakes;
  warp.stall = {};
  warp.has_polled = false;
}

Turn Block::take_turn(bool polls_again) {
  Turn turn;
  turn.ran =
      parts.options.seed == 0 ? take_turn_in_order(polls_again) : take_turn_at_random(polls_again);
  turn.is_last = out.diagnostic.has_value() || live_threads() == 0;
  const auto is_ready = [](const Warp& warp) { return warp.status == WarpStatus::kReady; };
  // Another block of the cluster may still arrive at its barrier.
  if (beside.cluster == nullptr && !turn.is_last &&
      std::none_of(warps_.begin(), warps_.end(), is_ready)) {
    report_deadlock();
  }
  return turn;
}

bool Block::take_turn_in_order(bool polls_again) {
  bool any = false;
  for (;;) {
    bool ran = false;
    bool yields = false;
    for (auto& warp : warps_) {
      if (!can_run(warp, polls_again)) continue;
      wake(warp);
      warp.run();
      ran = true;
      if (out.diagnostic) return true;
      note_poll(warp);
      yields |= warp.status == WarpStatus::kReady;
    }
    any |= ran;
    if (!within_budget()) return true;
    const bool released = release_barriers();
    if (yields || (!ran && !released)) return any;
  }
}

bool Block::take_turn_at_random(bool polls_again) {
  if (random_ == 0) {
    random_ = random_state(parts.options.seed, base::linear_at(index_, parts.launch.grid)) | 1;
  }
  bool any = false;
  std::vector<Warp*> ready;
  for (auto left = 1 + next_random(random_) % kMostWarpTurns; left != 0; --left) {
    ready.clear();
    for (auto& warp : warps_) {
      if (can_run(warp, polls_again)) ready.push_back(&warp);
    }
    if (ready.empty()) {
      if (!release_barriers()) break;
      continue;
    }
    const auto turn = random_turn(ready, random_);
    auto& warp = *turn.warp;
    wake(warp);
    warp.run_some(turn.instructions, turn.choice);
    any = true;
    if (out.diagnostic) return true;
    note_poll(warp);
    if (warp.status != WarpStatus::kReady || arrivals_.awaits_cluster) release_barriers();
  }
  within_budget();
  return any;
}

bool Block::report_endless_poll() {
  for (auto& warp : warps_) {
    if (warp.status != WarpStatus::kReady || warp.stall.for_grid) continue;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.live));
    warp.fault(base::DiagnosticKind::kRunaway, parts.code.ops[warp.mask != 0 ? warp.pc : 0], lane,
               fmt::format("the thread waits here for a value that no thread changes: all other "
                           "threads of the {} have ended, or wait, too",
                           beside.cluster == nullptr ? "grid" : "cluster"));
    return true;
  }
  return false;
}

}  // namespace warpgrade::sim
