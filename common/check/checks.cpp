// SPDX-License-Identifier: Apache-2.0
// Events are counted here and every checker is told the number, so that their moments can be
// compared.
#include "common/check/checks.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "common/ptx/module.h"

namespace warpgrade::check {
namespace {

// Makes `to` a fork of `from`: a fork is a checker of the same type, so it can be moved out.
template <class Checker>
void fork_into(Checker& to, const Checker& from) {
  to = std::move(static_cast<Checker&>(*from.fork()));
}

// Whether threads of the kernel can be ordered by anything but barriers of the whole block and of a
// warp: what one block does with shared memory then does not say that another is right.
bool makes_order(const ptx::Function* function) {
  using ptx::Modifier;
  using ptx::Opcode;
  if (function == nullptr) return false;
  const auto makes = [](const ptx::Instruction& in) {
    const auto has = [&](Modifier modifier) { return in.modifiers.has(modifier); };
    switch (in.opcode) {
      case Opcode::membar:
      case Opcode::fence:
      case Opcode::mbarrier:
        return true;
      case Opcode::bar:
      case Opcode::barrier:
        return has(Modifier::arrive) || in.operands.size() > 1;
      case Opcode::cp:
        return has(Modifier::async);
      default:
        return has(Modifier::relaxed) || has(Modifier::acquire) || has(Modifier::release) ||
               has(Modifier::acq_rel) || has(Modifier::mbarrier_);
    }
  };
  return std::any_of(function->instructions.begin(), function->instructions.end(), makes);
}

}  // namespace

Checks::Checks(bool global_races)
    : global_race_(global_races ? std::make_unique<GlobalRace>() : nullptr) {}

std::unique_ptr<run::Observer> Checks::fork() const {
  auto forked = std::make_unique<Checks>(global_race_ != nullptr);
  fork_into(forked->shared_uninitialized_, shared_uninitialized_);
  fork_into(forked->shared_race_, shared_race_);
  fork_into(forked->global_init_, global_init_);
  fork_into(forked->input_modified_, input_modified_);
  fork_into(forked->running_copies_, running_copies_);
  forked->trace_ = SharedTrace(trace_.warps());
  forked->has_order_of_own_ = has_order_of_own_;
  return forked;
}

void Checks::join(run::Observer& observer) {
  auto& other = static_cast<Checks&>(observer);
  shared_uninitialized_.join(other.shared_uninitialized_);
  shared_race_.join(other.shared_race_);
  global_init_.join(other.global_init_);
  input_modified_.join(other.input_modified_);
  running_copies_.join(other.running_copies_);
  if (global_race_) global_race_->join(*other.global_race_);
}

void Checks::on_launch(const run::LaunchContext& context) {
  shared_uninitialized_.on_launch(context);
  shared_race_.on_launch(context);
  global_init_.on_launch(context);
  input_modified_.on_launch(context);
  running_copies_.on_launch(context);
  has_order_of_own_ = makes_order(context.function);
  const bool has_trace = context.shared_bytes != 0 && !has_order_of_own_;
  trace_ = SharedTrace(has_trace ? context.warps_per_block : 0);
  if (global_race_) global_race_->on_launch(context);
}

void Checks::on_block_begin(std::uint64_t linear_block) {
  shared_uninitialized_.on_block_begin(linear_block);
  shared_race_.on_block_begin(linear_block);
  global_init_.on_block_begin(linear_block);
  input_modified_.on_block_begin(linear_block);
  running_copies_.on_block_begin(linear_block);
  trace_.begin_block();
  events_ = 0;
  if (global_race_) global_race_->on_block_begin(linear_block);
}

void Checks::on_memory(const run::MemoryEvent& event) {
  const std::uint64_t before = events_++;
  if (global_race_) global_race_->on_memory(event);
  if (has_order_of_own_) {
    for_all([&](auto& checker) { checker.on_memory(event); });
  } else if (event.space == run::Space::kShared) {
    on_shared(event);
  } else if (event.space == run::Space::kGlobal) {
    global_init_.skip_to(before);
    global_init_.on_memory(event);
    if (event.operation == run::Operation::kLoad) return;  // which modifies nothing
    input_modified_.skip_to(before);
    input_modified_.on_memory(event);
  }
}

void Checks::on_barrier(const run::BarrierEvent& event) {
  ++events_;
  if (global_race_) global_race_->on_barrier(event);
  if (has_order_of_own_) {
    for_all([&](auto& checker) { checker.on_barrier(event); });
  } else {
    on_shared(event);
  }
}

void Checks::on_order(const run::OrderEvent& event) {
  ++events_;
  if (global_race_) global_race_->on_order(event);
  for_all([&](auto& checker) { checker.on_order(event); });
}

// What a wait makes complete is a store by it to those that need an order behind it.
void Checks::on_copy(const run::CopyEvent& event) {
  ++events_;
  running_copies_.skip_to(events_ - 1);
  running_copies_.complete(event, [&](const run::MemoryEvent& store) {
    shared_race_.skip_to(events_ - 1);
    shared_race_.on_memory(store);
  });
}

void Checks::on_block_end() {
  shared_race_.on_block_end();
  if (global_race_) global_race_->on_block_end();
  trace_.end_block(shared_uninitialized_.findings().all().empty() && shared_race_.is_clean());
}

// Tells all checkers of an event that each of them counts.
template <typename Function>
void Checks::for_all(const Function& function) {
  const auto tell = [&](auto& checker) {
    checker.skip_to(events_ - 1);
    function(checker);
  };
  tell(shared_uninitialized_);
  tell(shared_race_);
  tell(global_init_);
  tell(input_modified_);
  tell(running_copies_);
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
  all.merge(shared_uninitialized_.findings());
  all.merge(shared_race_.findings());
  all.merge(global_init_.findings());
  all.merge(input_modified_.findings());
  all.merge(running_copies_.findings());
  if (global_race_) all.merge(global_race_->findings());
  return to_diagnostics(all.all(), kMostDiagnostics);
}

}  // namespace warpgrade::check
