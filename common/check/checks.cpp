// SPDX-License-Identifier: Apache-2.0
// Counts events and passes the number to every checker, so that their moments are comparable.
//
// In a launch with clusters the blocks of one cluster run in turns, each with an observer of its
// own. All pass on their events to the one of rank 0.
#include "common/check/checks.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

namespace warpgrade::check {
namespace {

// Whether anything except barriers of the whole block or a warp can order threads of the kernel. If
// so, a correct block does not imply that another one with the same accesses is correct.
bool makes_order(const ptx::Function* function) {
  using ptx::MemoryRole;
  using ptx::Modifier;
  if (function == nullptr) return false;
  const auto makes = [](const ptx::Instruction& in) {
    const auto has = [&](Modifier modifier) { return in.modifiers.has(modifier); };
    switch (ptx::facts(in).memory) {
      case MemoryRole::kFence:
      case MemoryRole::kArrival:
      case MemoryRole::kClusterBarrier:
      case MemoryRole::kCopy:
      case MemoryRole::kBulkCopy:
      case MemoryRole::kCopyGroup:
      case MemoryRole::kBarrierObject:
        return true;
      case MemoryRole::kBarrier:
        return in.operands.size() > 1;
      case MemoryRole::kLoad:
      case MemoryRole::kStore:
      case MemoryRole::kAtomic:
      case MemoryRole::kReduction:
        return has(Modifier::relaxed) || has(Modifier::acquire) || has(Modifier::release) ||
               has(Modifier::acq_rel);
      case MemoryRole::kNoMemory:
      case MemoryRole::kHint:
      case MemoryRole::kWarpBarrier:
        return false;
    }
    return false;
  };
  return std::any_of(function->instructions.begin(), function->instructions.end(), makes);
}

bool is_needed(Needs needs, const run::MemoryEvent& event) {
  switch (needs) {
    case Needs::kNothing:
    case Needs::kSharedMemory:  // See on_shared().
      return false;
    case Needs::kGlobalMemory:
      return event.space == run::Space::kGlobal;
    case Needs::kGlobalWrites:
      return event.space == run::Space::kGlobal && event.operation != run::Operation::kLoad;
    case Needs::kEverything:
      break;
  }
  return true;
}

bool is_needed(Needs needs, const run::BarrierEvent& /*event*/) {
  return needs == Needs::kEverything;
}

bool is_on_chip(const run::MemoryEvent& event) { return event.space == run::Space::kShared; }
bool is_on_chip(const run::BarrierEvent& /*event*/) { return true; }

template <typename Checker>
void tell_checker(Checker& checker, const run::MemoryEvent& event) {
  checker.on_memory(event);
}
template <typename Checker>
void tell_checker(Checker& checker, const run::BarrierEvent& event) {
  checker.on_barrier(event);
}

}  // namespace

Checks::Checks(bool global_races) : with_on_demand_(global_races) {}

template <typename Self, typename Function>
void Checks::for_each(Self& self, const Function& function) {
  const auto visit = [&](auto& checker) {
    using Checker = std::remove_cvref_t<decltype(checker)>;
    if (self.with_on_demand_ || !Checker::kIsOnDemand) function(checker);
  };
  std::apply([&](auto&... checker) { (visit(checker), ...); }, self.checkers_);
}

// Passes on an event that every checker counts.
template <typename Function>
void Checks::tell_all(const Function& function) {
  for_each(*this, [&](auto& checker) {
    checker.skip_to(events_ - 1);
    function(checker);
  });
}

std::unique_ptr<run::Observer> Checks::fork() const {
  return std::make_unique<Checks>(with_on_demand_);
}

void Checks::join(run::Observer& observer) {
  auto& other = static_cast<Checks&>(observer);
  if (other.rank_ != nullptr && other.rank_->number != 0) return;
  for_each(*this, [&](auto& mine) {
    mine.join(std::get<std::remove_cvref_t<decltype(mine)>>(other.checkers_));
  });
}

void Checks::on_launch(const run::LaunchContext& launch) {
  rank_ = nullptr;
  if (launch.has_clusters) {
    rank_ = std::make_unique<Rank>(Rank{std::make_shared<ClusterEvents>(launch), this, 0});
  }
  const auto& context = rank_ == nullptr ? launch : rank_->cluster->context();
  for_each(*this, [&](auto& checker) { checker.on_launch(context); });
  begin_launch(context);
}

void Checks::on_launch_beside(const run::LaunchContext& context, run::Observer& first) {
  auto& other = static_cast<Checks&>(first);
  if (context.has_clusters) {
    rank_ = std::make_unique<Rank>(Rank{other.rank_->cluster, &other, context.rank});
    return;
  }
  for_each(*this, [&](auto& mine) {
    mine.on_launch_beside(context, std::get<std::remove_cvref_t<decltype(mine)>>(other.checkers_));
  });
  begin_launch(context);
}

void Checks::begin_launch(const run::LaunchContext& context) {
  has_order_of_own_ = context.has_clusters || makes_order(context.function);
  const bool has_trace = context.shared_bytes != 0 && !has_order_of_own_;
  trace_ = SharedTrace(has_trace ? context.warps_per_block : 0);
}

void Checks::on_block_begin(std::uint64_t linear_block) {
  if (rank_ == nullptr) return receive_begin(linear_block);
  if (rank_->cluster->begin()) rank_->first->receive_begin(linear_block);
}

void Checks::receive_begin(std::uint64_t linear_block) {
  for_each(*this, [&](auto& checker) { checker.on_block_begin(linear_block); });
  trace_.begin_block();
  events_ = 0;
}

void Checks::on_memory(const run::MemoryEvent& event) {
  if (rank_ == nullptr) return pass_on(event);
  rank_->first->pass_on(rank_->cluster->memory(event, rank_->number));
}

void Checks::on_barrier(const run::BarrierEvent& event) {
  if (rank_ == nullptr) return pass_on(event);
  const auto of_cluster = rank_->cluster->barrier(event, rank_->number);
  if (of_cluster) rank_->first->pass_on(*of_cluster);
}

// Passes an event to each checker that needs it.
template <typename Event>
void Checks::pass_on(const Event& event) {
  ++events_;
  if (has_order_of_own_) {
    tell_all([&](auto& checker) { tell_checker(checker, event); });
    return;
  }
  for_each(*this, [&](auto& checker) {
    if (!is_needed(std::remove_cvref_t<decltype(checker)>::kNeeds, event)) return;
    checker.skip_to(events_ - 1);
    tell_checker(checker, event);
  });
  if (is_on_chip(event)) on_shared(event);
}

void Checks::on_order(const run::OrderEvent& event) {
  if (rank_ == nullptr) return receive(event);
  rank_->first->receive(rank_->cluster->order(event, rank_->number));
}

void Checks::receive(const run::OrderEvent& event) {
  ++events_;
  tell_all([&](auto& checker) { checker.on_order(event); });
}

void Checks::on_copy(const run::CopyEvent& event) {
  if (rank_ == nullptr) return receive(event);
  rank_->first->receive(rank_->cluster->copy(event, rank_->number));
}

// Checkers of shared memory get the bytes that a wait completes as a store: accesses of other
// threads must be ordered after the wait.
void Checks::receive(const run::CopyEvent& event) {
  ++events_;
  const auto on_store = [&](const run::MemoryEvent& store) { check_shared(store, events_); };
  tell_all([&](auto& checker) {
    if constexpr (requires { checker.complete(event, on_store); }) {
      checker.complete(event, on_store);
    } else {
      checker.on_copy(event);
    }
  });
}

void Checks::on_bulk(const run::BulkEvent& event) {
  if (rank_ == nullptr) return receive(event);
  rank_->first->receive(rank_->cluster->bulk(event, rank_->number));
}

void Checks::receive(const run::BulkEvent& event) {
  ++events_;
  tell_all([&](auto& checker) { checker.on_bulk(event); });
}

void Checks::on_grid(const run::GridEvent& event) {
  ++events_;
  tell_all([&](auto& checker) { checker.on_grid(event); });
}

void Checks::on_block_end() {
  if (rank_ == nullptr) return receive_end();
  auto& first = *rank_->first;
  for_each(first, [&](auto& checker) {
    if constexpr (requires { checker.end_rank(0U); }) {
      checker.skip_to(first.events_);
      checker.end_rank(rank_->number);
    }
  });
  if (rank_->cluster->end()) first.receive_end();
}

void Checks::receive_end() {
  bool is_clean = true;
  for_each(*this, [&](auto& checker) {
    checker.on_block_end();
    if constexpr (std::remove_cvref_t<decltype(checker)>::kNeeds == Needs::kSharedMemory) {
      is_clean = is_clean && checker.is_clean();
    }
  });
  trace_.end_block(is_clean);
}

// Receives an access to shared memory or a barrier.
template <typename Event>
void Checks::on_shared(const Event& event) {
  if (trace_.repeats(event, events_)) return;
  if (trace_.must_play_back()) {
    trace_.play_back(
        [&](const auto& earlier, std::uint64_t moment) { check_shared(earlier, moment); });
  }
  check_shared(event, events_);
}

template <typename Event>
void Checks::check_shared(const Event& event, std::uint64_t moment) {
  for_each(*this, [&](auto& checker) {
    if constexpr (std::remove_cvref_t<decltype(checker)>::kNeeds == Needs::kSharedMemory) {
      checker.skip_to(moment - 1);
      tell_checker(checker, event);
    }
  });
}

std::vector<base::Diagnostic> Checks::diagnostics() const {
  const auto& written = std::get<GlobalInit>(checkers_);
  const auto is_written = [&](auto buffer, auto offset, auto bytes) {
    return written.is_written(buffer, offset, bytes);
  };
  Findings all;
  for_each(*this, [&](const auto& checker) {
    if constexpr (requires { checker.findings(is_written); }) {
      all.merge(checker.findings(is_written));
    } else {
      all.merge(checker.findings());
    }
  });
  all.fold_races_within_warps();
  return to_diagnostics(all.all(), kMostDiagnostics);
}

std::vector<UndefinedRead> Checks::undefined_reads() const {
  std::vector<UndefinedRead> out;
  for_each(*this, [&](const auto& checker) {
    if constexpr (requires { checker.undefined_reads(); }) {
      for (auto& read : checker.undefined_reads()) out.push_back(std::move(read));
    }
  });
  return out;
}

}  // namespace warpgrade::check
