// SPDX-License-Identifier: Apache-2.0
// Every checker is told of every event, so that their moments can be compared.
#include "common/check/checks.h"

#include <utility>

namespace warpgrade::check {
namespace {

// Makes `to` a fork of `from`: a fork is a checker of the same type, so it can be moved out.
template <class Checker>
void fork_into(Checker& to, const Checker& from) {
  to = std::move(static_cast<Checker&>(*from.fork()));
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
  return forked;
}

void Checks::join(run::Observer& observer) {
  auto& other = static_cast<Checks&>(observer);
  shared_uninitialized_.join(other.shared_uninitialized_);
  shared_race_.join(other.shared_race_);
  global_init_.join(other.global_init_);
  input_modified_.join(other.input_modified_);
  if (global_race_) global_race_->join(*other.global_race_);
}

void Checks::on_launch(const run::LaunchContext& context) {
  shared_uninitialized_.on_launch(context);
  shared_race_.on_launch(context);
  global_init_.on_launch(context);
  input_modified_.on_launch(context);
  if (global_race_) global_race_->on_launch(context);
}

void Checks::on_block_begin(std::uint64_t linear_block) {
  shared_uninitialized_.on_block_begin(linear_block);
  shared_race_.on_block_begin(linear_block);
  global_init_.on_block_begin(linear_block);
  input_modified_.on_block_begin(linear_block);
  if (global_race_) global_race_->on_block_begin(linear_block);
}

void Checks::on_memory(const run::MemoryEvent& event) {
  shared_uninitialized_.on_memory(event);
  shared_race_.on_memory(event);
  global_init_.on_memory(event);
  input_modified_.on_memory(event);
  if (global_race_) global_race_->on_memory(event);
}

void Checks::on_barrier(const run::BarrierEvent& event) {
  shared_uninitialized_.on_barrier(event);
  shared_race_.on_barrier(event);
  global_init_.on_barrier(event);
  input_modified_.on_barrier(event);
  if (global_race_) global_race_->on_barrier(event);
}

void Checks::on_order(const run::OrderEvent& event) {
  shared_uninitialized_.on_order(event);
  shared_race_.on_order(event);
  global_init_.on_order(event);
  input_modified_.on_order(event);
  if (global_race_) global_race_->on_order(event);
}

std::vector<base::Diagnostic> Checks::diagnostics() const {
  Findings all;
  all.merge(shared_uninitialized_.findings());
  all.merge(shared_race_.findings());
  all.merge(global_init_.findings());
  all.merge(input_modified_.findings());
  if (global_race_) all.merge(global_race_->findings());
  return to_diagnostics(all.all(), kMostDiagnostics);
}

}  // namespace warpgrade::check
