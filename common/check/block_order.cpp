// SPDX-License-Identifier: Apache-2.0
#include "common/check/block_order.h"

#include <algorithm>

#include "common/run/lanes.h"

namespace warpgrade::check {
namespace {

// Limit on the stamps that blocks pass on to others: about a GiB. Beyond it, accesses of different
// blocks count as ordered.
constexpr std::size_t kMostClocks = std::size_t{1} << 28;
// Limit on the stamps that single threads acquire. Beyond it, a thread acquires for its block.
constexpr std::size_t kMostAcquired = std::size_t{1} << 25;

// Adds the knowledge in `more`, which other blocks share.
void learn(std::shared_ptr<Clock>& known, const std::shared_ptr<Clock>& more) {
  if (known == nullptr) {
    known = more;
    return;
  }
  known = std::make_shared<Clock>(*known);
  take_greater(*known, *more);
}

}  // namespace

void BlockOrder::begin_block(std::uint32_t block) {
  block_ = block;
  known_counts_.clear();
  learnt_ = std::make_shared<Counts>();
  known_.clear();
  own_.clear();
  acquired_.clear();
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

template <class Learn>
void BlockOrder::walk(Counts& learnt, std::uint64_t place, std::size_t count, const Learn& learn) {
  std::vector<std::pair<std::uint64_t, std::size_t>> todo = {{place, count}};
  while (!todo.empty()) {
    const auto [from, most] = todo.back();
    todo.pop_back();
    const auto found = learnt.find(from);
    if (most <= (found == learnt.end() ? 0 : found->second)) continue;
    auto& done = learnt[from];
    auto& all = shared_->records[from];
    for (; done < most; ++done) {
      Record& record = all[done];
      if (record.block == block_) continue;
      record.is_learnt = true;
      learn(record);
      todo.insert(todo.end(), record.learnt->begin(), record.learnt->end());
    }
    const auto any = learnt_->find(from);
    if (any != learnt_->end() && any->second >= most) continue;
    if (learnt_.use_count() > 1) learnt_ = std::make_shared<Counts>(*learnt_);
    (*learnt_)[from] = most;
  }
}

void BlockOrder::acquire_for_all(std::uint64_t place, std::size_t count) {
  walk(known_counts_, place, count,
       [&](const Record& record) { learn(known_[record.block], record.clock); });
}

void BlockOrder::acquire(const Reader& reader, std::uint64_t place, std::size_t count) {
  if (shared_->acquired > kMostAcquired) {
    acquire_for_all(place, count);
    return;
  }
  auto& own = own_.try_emplace(reader.thread, known_counts_).first->second;
  walk(own, place, count, [&](const Record& record) {
    auto& all = acquired_[record.block][reader.thread];
    if (all.empty() || all.back().reader.stamp != reader.stamp) {
      all.push_back({reader, all.empty() ? nullptr : all.back().clock});
    }
    learn(all.back().clock, record.clock);
    shared_->acquired += record.clock->size();
  });
}

// What is read must not change until it is acquired.
void BlockOrder::wait_to_acquire(const Reader& reader, std::uint64_t place, std::size_t count) {
  if (count == 0) return;
  auto& last = shared_->records[place][count - 1];
  if (last.block != block_) last.is_learnt = true;
  auto& pending = pending_[reader.thread];
  pending.reader = reader;
  pending.counts[place] = count;
}

void BlockOrder::settle(std::uint32_t warp, std::uint32_t mask, std::uint32_t stamp) {
  for (auto rest = pending_.empty() ? 0 : mask; rest != 0; rest &= rest - 1) {
    const auto found = pending_.find(warp * run::kWarpSize + run::lowest_lane(rest));
    if (found == pending_.end()) continue;
    auto& [reader, counts] = found->second;
    reader.stamp = stamp;
    for (const auto& [place, count] : counts) acquire(reader, place, count);
    pending_.erase(found);
  }
}

void BlockOrder::settle_all() {
  for (const auto& [thread, pending] : pending_) {
    for (const auto& [place, count] : pending.counts) acquire_for_all(place, count);
  }
  pending_.clear();
  for (const auto& [block, readers] : acquired_) {
    for (const auto& [thread, all] : readers) learn(known_[block], all.back().clock);
  }
  acquired_.clear();
  own_.clear();
  known_counts_ = *learnt_;
}

bool BlockOrder::knows_all(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp) const {
  if (shared_->clocks > kMostClocks) return true;
  const auto known = known_.find(block);
  return known != known_.end() && stamp < (*known->second)[thread];
}

}  // namespace warpgrade::check
