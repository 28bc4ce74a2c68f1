// SPDX-License-Identifier: Apache-2.0
// Counts events and passes the number to every checker, so that their moments are comparable.
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

}  // namespace

Checks::Checks(bool global_races)
    : global_race_(global_races ? std::make_unique<GlobalRace>() : nullptr) {}

template <typename Self, typename Function>
void Checks::for_each(Self& self, const Function& function) {
  std::apply([&](auto&... checker) { (function(checker), ...); }, checkers(self));
  if (self.global_race_) function(*self.global_race_);
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
  return std::make_unique<Checks>(global_race_ != nullptr);
}

void Checks::join(run::Observer& observer) {
  auto& other = static_cast<Checks&>(observer);
  const auto join_each = [&](auto&... mine) {
    std::apply([&](auto&... theirs) { (mine.join(theirs), ...); }, checkers(other));
  };
  std::apply(join_each, checkers(*this));
  read_only_loads_.join(other.read_only_loads_);
  if (global_race_) global_race_->join(*other.global_race_);
}

void Checks::on_launch(const run::LaunchContext& context) {
  for_each(*this, [&](auto& checker) { checker.on_launch(context); });
  read_only_loads_.on_launch(context);
  begin_launch(context);
}

void Checks::on_launch_beside(const run::LaunchContext& context, run::Observer& first) {
  auto& other = static_cast<Checks&>(first);
  const auto begin_each = [&](auto&... mine) {
    std::apply([&](auto&... theirs) { (mine.on_launch_beside(context, theirs), ...); },
               checkers(other));
  };
  std::apply(begin_each, checkers(*this));
  read_only_loads_.on_launch_beside(context, other.read_only_loads_);
  if (global_race_) global_race_->on_launch_beside(context, *other.global_race_);
  begin_launch(context);
}

void Checks::begin_launch(const run::LaunchContext& context) {
  has_order_of_own_ = makes_order(context.function);
  const bool has_trace = context.shared_bytes != 0 && !has_order_of_own_;
  trace_ = SharedTrace(has_trace ? context.warps_per_block : 0);
}

void Checks::on_block_begin(std::uint64_t linear_block) {
  for_each(*this, [&](auto& checker) { checker.on_block_begin(linear_block); });
  read_only_loads_.on_block_begin(linear_block);
  trace_.begin_block();
  events_ = 0;
}

void Checks::on_memory(const run::MemoryEvent& event) {
  const std::uint64_t before = events_++;
  if (read_only_loads_.is_needed()) {
    read_only_loads_.skip_to(before);
    read_only_loads_.on_memory(event);
  }
  if (has_order_of_own_) {
    tell_all([&](auto& checker) { checker.on_memory(event); });
    return;
  }
  if (global_race_) {
    global_race_->skip_to(before);
    global_race_->on_memory(event);
  }
  if (event.space == run::Space::kShared) {
    on_shared(event);
  } else if (event.space == run::Space::kGlobal) {
    global_init_.skip_to(before);
    global_init_.on_memory(event);
    if (event.operation == run::Operation::kLoad) return;  // modifies nothing
    input_modified_.skip_to(before);
    input_modified_.on_memory(event);
  }
}

void Checks::on_barrier(const run::BarrierEvent& event) {
  ++events_;
  if (has_order_of_own_) {
    tell_all([&](auto& checker) { checker.on_barrier(event); });
    return;
  }
  if (global_race_) {
    global_race_->skip_to(events_ - 1);
    global_race_->on_barrier(event);
  }
  on_shared(event);
}

void Checks::on_order(const run::OrderEvent& event) {
  ++events_;
  tell_all([&](auto& checker) { checker.on_order(event); });
}

// SharedRace sees the bytes that a wait completes as stores, because other threads must be ordered
// behind the wait.
void Checks::on_copy(const run::CopyEvent& event) {
  ++events_;
  running_copies_.skip_to(events_ - 1);
  running_copies_.complete(event, [&](const run::MemoryEvent& store) {
    shared_race_.skip_to(events_ - 1);
    shared_race_.on_memory(store);
  });
}

void Checks::on_bulk(const run::BulkEvent& event) {
  ++events_;
  bulk_copies_.skip_to(events_ - 1);
  bulk_copies_.on_bulk(event);
}

void Checks::on_grid(const run::GridEvent& event) {
  ++events_;
  if (!global_race_) return;
  global_race_->skip_to(events_ - 1);
  global_race_->on_grid(event);
}

void Checks::on_block_end() {
  for_each(*this, [](auto& checker) { checker.on_block_end(); });
  trace_.end_block(shared_uninitialized_.findings().all().empty() && shared_race_.is_clean());
}

// An access to shared memory or a barrier.
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
  const auto tell = [&](auto& checker) {
    checker.skip_to(moment - 1);
    if constexpr (std::is_same_v<Event, run::MemoryEvent>) {
      checker.on_memory(event);
    } else {
      checker.on_barrier(event);
    }
  };
  tell(shared_uninitialized_);
  tell(shared_race_);
}

std::vector<base::Diagnostic> Checks::diagnostics() const {
  Findings all;
  for_each(*this, [&](const auto& checker) { all.merge(checker.findings()); });
  all.merge(read_only_loads_.findings([&](auto buffer, auto offset, auto bytes) {
    return global_init_.is_written(buffer, offset, bytes);
  }));
  all.fold_races_within_warps();
  return to_diagnostics(all.all(), kMostDiagnostics);
}

std::vector<UndefinedRead> Checks::undefined_reads() const {
  auto out = shared_uninitialized_.undefined_reads();
  for (auto& read : global_init_.undefined_reads()) out.push_back(std::move(read));
  return out;
}

}  // namespace warpgrade::check
