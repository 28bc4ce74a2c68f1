// SPDX-License-Identifier: Apache-2.0
// Barriers of a block: arrival, release, and diagnosis if no thread can continue.
//
// A barrier ends when enough threads have arrived; for the whole block these are all threads that
// have not exited. The observers see the threads that have met: all, or a part of the block.

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "common/sim/block.h"
#include "common/sim/cluster.h"

namespace warpgrade::sim {
namespace {

// "threads 64 to 127", "threads (0, 2, 0) to (31, 7, 0)", "21 threads, the first of them (11, 0,
// 0),"
std::string threads_text(const std::vector<std::uint32_t>& threads, const base::Dim3& block) {
  const auto name = [&](std::uint32_t thread) {
    const auto at = base::index_at(thread, block);
    return block.y == 1 && block.z == 1 ? fmt::format("{}", at.x) : base::text(at);
  };
  if (threads.size() == 1) return "thread " + name(threads.front());
  if (threads.back() - threads.front() + 1 == threads.size()) {
    return fmt::format("threads {} to {}", name(threads.front()), name(threads.back()));
  }
  return fmt::format("{} threads, the first of them {},", threads.size(), name(threads.front()));
}

}  // namespace

bool is_noted(const std::vector<base::SkippedBarrier>& skipped, const base::SourceLocation& where) {
  return skipped.size() >= kMostWarnings ||
         std::any_of(skipped.begin(), skipped.end(),
                     [&](const auto& other) { return other.where == where; });
}

void Block::arrive(Warp& warp, const MicroOp& op, std::uint32_t number, std::uint32_t expected) {
  for (const auto& other : warp.waiting) {
    if (other.for_block && other.barrier == number && other.op != &op) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.mask));
      warp.fault(base::DiagnosticKind::kDivergentBarrier, op, lane,
                 fmt::format("threads of one warp wait at two different barriers: some here, some "
                             "at line {}; all threads of a block must reach the same "
                             "__syncthreads(), so move it out of the if or the loop",
                             location(*other.op).line));
      return;
    }
  }
  Waiting entry;
  entry.split = {warp.pc, warp.mask, warp.frame};
  entry.op = &op;
  entry.for_block = true;
  entry.barrier = number;
  entry.expected = expected;
  arrivals_.awaited |= 1U << number;
  warp.wait(entry);
}

void Block::arrive_only(const Warp& warp, const MicroOp& op, std::uint32_t number,
                        std::uint32_t mask) {
  arrivals_.only.at(number) += static_cast<std::uint64_t>(std::popcount(mask));
  std::uint64_t objects[run::kWarpSize];
  std::fill_n(objects, run::kWarpSize, run::kNamedBarriers + number);
  tell({run::OrderEvent::Kind::kRelease, false, op.instruction, warp.index, mask, objects});
}

// Releases threads at each barrier that all its threads have reached; exited threads count as
// arrived at a barrier of the whole block.
bool Block::release_barriers() {
  bool released = arrivals_.awaits_cluster && release_cluster();
  for (auto left = arrivals_.awaited; left != 0; left &= left - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(left));
    std::uint64_t arrived = 0;
    bool reduces = false;
    const Waiting* first = nullptr;
    for (const auto& warp : warps_) {
      for (const auto& entry : warp.waiting) {
        if (!entry.for_block || entry.barrier != number) continue;
        arrived += static_cast<std::uint64_t>(std::popcount(entry.split.mask));
        reduces |= entry.op->c != kNoSlot;
        if (first == nullptr) first = &entry;
      }
    }
    if (first == nullptr) continue;
    const auto needed = first->expected == 0 ? live_threads() : first->expected;
    if (arrived + arrivals_.only[number] < needed) continue;
    const auto& op = *first->op;
    if (first->expected == 0 && needed < parts.threads()) note_skipped(op);
    if (reduces) finish_reduction(number);
    tell_barrier(number, op, arrived == live_threads());
    for (auto& warp : warps_) {
      warp.release([&](const Waiting& w) { return w.for_block && w.barrier == number; });
    }
    arrivals_.only[number] = 0;
    arrivals_.awaited &= ~(1U << number);
    released = true;
  }
  return released;
}

// The barrier is complete: waiting threads have met. Threads that only arrived have released their
// accesses, which the waiting threads acquire.
void Block::tell_barrier(std::uint32_t number, const MicroOp& op, bool all_wait) {
  if (all_wait) {
    tell({run::BarrierEvent::Scope::kBlock, op.instruction});
    return;
  }
  std::vector<std::uint32_t> members(warps_.size(), 0);
  for (const auto& warp : warps_) {
    for (const auto& entry : warp.waiting) {
      if (entry.for_block && entry.barrier == number) members[warp.index] |= entry.split.mask;
    }
  }
  std::uint64_t objects[run::kWarpSize];
  std::fill_n(objects, run::kWarpSize, run::kNamedBarriers + number);
  for (const auto& warp : warps_) {
    const auto mask = members[warp.index];
    if (mask == 0 || arrivals_.only[number] == 0) continue;
    tell({run::OrderEvent::Kind::kAcquire, false, op.instruction, warp.index, mask, objects});
  }
  tell({run::BarrierEvent::Scope::kPart, op.instruction, 0, 0, members.data()});
}

// bar.red: combines the waiting threads' predicates to one value for all of them.
void Block::finish_reduction(std::uint32_t number) {
  std::uint32_t count = 0;
  std::uint32_t total = 0;
  const auto each = [&](const auto& visit) {
    for (auto& warp : warps_) {
      for (const auto& entry : warp.waiting) {
        const bool reduces = entry.for_block && entry.barrier == number && entry.op->c != kNoSlot;
        if (reduces) visit(warp, entry);
      }
    }
  };
  each([&](Warp& warp, const Waiting& entry) {
    const auto mask = entry.split.mask;
    count += static_cast<std::uint32_t>(std::popcount(warp.predicate(entry.op->c) & mask));
    total += static_cast<std::uint32_t>(std::popcount(mask));
  });
  each([&](Warp& warp, const Waiting& entry) {
    const auto mask = entry.split.mask;
    if (entry.op->reduction == BarrierReduction::kPopc) {
      auto* d = warp.lanes<std::uint32_t>(entry.op->d);
      for (auto rest = mask; rest != 0; rest &= rest - 1) d[std::countr_zero(rest)] = count;
    } else {
      const bool all = entry.op->reduction == BarrierReduction::kAnd;
      const bool value = all ? count == total : count != 0;
      auto& predicate = warp.predicate(entry.op->d);
      predicate = value ? predicate | mask : predicate & ~mask;
    }
  });
}

// The barrier of `op` is complete, and some threads of the block exited before it.
void Block::note_skipped(const MicroOp& op) {
  const auto& where = location(op);
  if (is_noted(out.skipped, where)) return;
  const auto threads = parts.threads();
  std::vector<std::uint32_t> gone;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    const auto live = warps_[thread / run::kWarpSize].live;
    if ((live >> thread % run::kWarpSize & 1U) == 0) gone.push_back(thread);
  }
  out.skipped.push_back(
      {where, index_, threads_text(gone, parts.launch.block), threads - gone.size(), threads});
}

// Explains why the wait of `entry` never ends.
std::string Block::barrier_text(const Waiting& entry) const {
  if (entry.barrier == kClusterBarrier) return cluster_barrier_text();
  std::uint64_t here = arrivals_.only[entry.barrier];
  const Waiting* elsewhere = nullptr;
  for (const auto& warp : warps_) {
    for (const auto& other : warp.waiting) {
      if (other.for_block && other.barrier == entry.barrier) {
        here += static_cast<std::uint64_t>(std::popcount(other.split.mask));
      } else if (elsewhere == nullptr) {
        elsewhere = &other;
      }
    }
  }
  auto text = entry.expected != 0
                  ? fmt::format("barrier {} waits for {} threads, but only {} {}", entry.barrier,
                                entry.expected, here, here == 1 ? "arrives" : "arrive")
                  : fmt::format("{} of the block's {} threads {} here, and the others never arrive",
                                here, live_threads(), here == 1 ? "waits" : "wait");
  if (elsewhere != nullptr) {
    text += fmt::format("; some wait at line {} instead", location(*elsewhere->op).line);
  }
  return text + (entry.expected != 0
                     ? ". The count must equal the number of threads that call it, in whole warps"
                     : ". Every thread that has not returned must reach the same barrier");
}

void Block::report_deadlock() { report_endless_wait(/*elsewhere=*/false); }

bool Block::report_endless_wait(bool elsewhere) {
  for (auto& warp : warps_) {
    if (warp.waiting.empty()) continue;
    const auto& entry = warp.waiting.front();
    if (elsewhere && entry.for_block && entry.barrier == kClusterBarrier) continue;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(entry.split.mask));
    auto message =
        entry.for_block
            ? barrier_text(entry)
            : fmt::format(
                  "this call waits for the lanes of mask {:#010x}, which never arrive: the mask of "
                  "a warp-synchronous call must contain exactly the lanes that make it",
                  entry.members);
    warp.fault(base::DiagnosticKind::kDeadlock, *entry.op, lane, std::move(message));
    return true;
  }
  return false;
}

}  // namespace warpgrade::sim
