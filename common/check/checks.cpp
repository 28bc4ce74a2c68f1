// SPDX-License-Identifier: Apache-2.0
// Events are counted here and every checker is told the number, so that their moments can be
// compared.
#include "common/check/checks.h"

#include <type_traits>
#include <utility>

namespace warpgrade::check {
namespace {

// Makes `to` a fork of `from`: a fork is a checker of the same type, so it can be moved out.
template <class Checker>
void fork_into(Checker& to, const Checker& from) {
  to = std::move(static_cast<Checker&>(*from.fork()));
}

}  // namespace

std::unique_ptr<run::Observer> Checks::fork() const {
  auto forked = std::make_unique<Checks>();
  fork_into(forked->shared_uninitialized_, shared_uninitialized_);
  fork_into(forked->shared_race_, shared_race_);
  fork_into(forked->global_init_, global_init_);
  fork_into(forked->input_modified_, input_modified_);
  forked->trace_ = SharedTrace(trace_.warps());
  return forked;
}

void Checks::join(run::Observer& observer) {
  auto& other = static_cast<Checks&>(observer);
  shared_uninitialized_.join(other.shared_uninitialized_);
  shared_race_.join(other.shared_race_);
  global_init_.join(other.global_init_);
  input_modified_.join(other.input_modified_);
}

void Checks::on_launch(const run::LaunchContext& context) {
  shared_uninitialized_.on_launch(context);
  shared_race_.on_launch(context);
  global_init_.on_launch(context);
  input_modified_.on_launch(context);
  trace_ = SharedTrace(context.shared_bytes != 0 ? context.warps_per_block : 0);
}

void Checks::on_block_begin(std::uint64_t linear_block) {
  shared_uninitialized_.on_block_begin(linear_block);
  shared_race_.on_block_begin(linear_block);
  global_init_.on_block_begin(linear_block);
  input_modified_.on_block_begin(linear_block);
  trace_.begin_block();
  events_ = 0;
}

void Checks::on_memory(const run::MemoryEvent& event) {
  const std::uint64_t before = events_++;
  if (event.space == run::Space::kShared) {
    on_shared(event);
  } else if (event.space == run::Space::kGlobal) {
    global_init_.skip_to(before);
    global_init_.on_memory(event);
    input_modified_.skip_to(before);
    input_modified_.on_memory(event);
  }
}

void Checks::on_barrier(const run::BarrierEvent& event) {
  ++events_;
  on_shared(event);
}

void Checks::on_block_end() {
  const bool clean = shared_uninitialized_.findings().all().empty() &&
                     shared_race_.findings().all().empty() && !shared_race_.has_equal_writes();
  trace_.end_block(clean);
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
  return to_diagnostics(all.all(), kMostDiagnostics);
}

}  // namespace warpgrade::check
