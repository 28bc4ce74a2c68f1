// SPDX-License-Identifier: Apache-2.0
#include "common/check/block_order.h"

#include "common/run/lanes.h"

namespace warpgrade::check {
namespace {

// Limit on the stamps that blocks pass on to others: about a GiB. Beyond it, accesses of different
// blocks count as ordered.
constexpr std::size_t kMostClocks = std::size_t{1} << 28;

}  // namespace

void BlockOrder::begin_block(std::uint32_t block) {
  block_ = block;
  learnt_.clear();
  known_.clear();
  pending_.clear();
}

void BlockOrder::release(std::uint64_t place, Clock clock) {
  if (clock.empty()) return;
  auto& records = shared_->records[place];
  if (records.empty() || records.back().block != block_ || records.back().is_learnt) {
    shared_->clocks += clock.size();
    records.push_back({block_, std::make_shared<Clock>(std::move(clock)), learnt_});
  } else {
    take_greater(*records.back().clock, clock);
    records.back().learnt = learnt_;
  }
}

std::size_t BlockOrder::releases(std::uint64_t place) const {
  const auto found = shared_->records.find(place);
  return found == shared_->records.end() ? 0 : found->second.size();
}

void BlockOrder::acquire(std::uint64_t place, std::size_t count) {
  std::vector<std::pair<std::uint64_t, std::size_t>> todo = {{place, count}};
  while (!todo.empty()) {
    const auto [from, most] = todo.back();
    todo.pop_back();
    auto& learnt = learnt_[from];
    auto& all = shared_->records[from];
    for (; learnt < most; ++learnt) {
      Record& record = all[learnt];
      if (record.block == block_) continue;
      record.is_learnt = true;
      auto& known = known_[record.block];
      if (known == nullptr) {
        known = record.clock;  // shared, because it is not changed
      } else {
        known = std::make_shared<Clock>(*known);
        take_greater(*known, *record.clock);
      }
      todo.insert(todo.end(), record.learnt.begin(), record.learnt.end());
    }
  }
}

// What is read must not change until it is acquired.
void BlockOrder::wait_to_acquire(std::uint32_t thread, std::uint64_t place, std::size_t count) {
  if (count == 0) return;
  auto& last = shared_->records[place][count - 1];
  if (last.block != block_) last.is_learnt = true;
  pending_[thread][place] = count;
}

void BlockOrder::settle(std::uint32_t warp, std::uint32_t mask) {
  for (auto rest = pending_.empty() ? 0 : mask; rest != 0; rest &= rest - 1) {
    const auto found = pending_.find(warp * run::kWarpSize + run::lowest_lane(rest));
    if (found == pending_.end()) continue;
    for (const auto& [place, count] : found->second) acquire(place, count);
    pending_.erase(found);
  }
}

void BlockOrder::settle_all() {
  for (const auto& [thread, places] : pending_) {
    for (const auto& [place, count] : places) acquire(place, count);
  }
  pending_.clear();
}

bool BlockOrder::knows(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp) const {
  if (shared_->clocks > kMostClocks) return true;
  const auto known = known_.find(block);
  return known != known_.end() && stamp < (*known->second)[thread];
}

}  // namespace warpgrade::check
