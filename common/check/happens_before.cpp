// SPDX-License-Identifier: Apache-2.0
#include "common/check/happens_before.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/base/place.h"
#include "common/check/flags_and_locks.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::check {

void WarpOrder::reset() {
  for (Warp& warp : warps_) {
    warp.clock = 0;
    warp.all_know = 0;
    warp.partial = false;
  }
}

void WarpOrder::barrier(std::uint32_t warp, std::uint32_t mask) {
  Warp& state = warps_[warp];
  ++state.clock;
  if (mask == run::kFullMask) {
    state.all_know = state.clock;
    state.partial = false;
    return;
  }
  if (!state.partial) {
    state.known.assign(run::kWarpSize, Row{});
    state.partial = true;
  }
  // Each of them now knows everything that one of them knew, and their own accesses.
  Row merged{};
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    const Row& row = state.known[static_cast<std::size_t>(std::countr_zero(left))];
    for (std::size_t a = 0; a < merged.size(); ++a) merged[a] = std::max(merged[a], row[a]);
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    merged[static_cast<std::size_t>(std::countr_zero(left))] = state.clock;
  }
  for (std::uint32_t left = mask; left != 0; left &= left - 1) {
    state.known[static_cast<std::size_t>(std::countr_zero(left))] = merged;
  }
}

std::uint32_t WarpOrder::unordered_by_pairs(const Warp& state, std::uint32_t lanes,
                                            std::uint32_t stamp, std::uint32_t lane) {
  std::uint32_t result = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto other = static_cast<std::uint32_t>(std::countr_zero(left));
    if (stamp >= state.known[lane][other]) result |= 1U << other;
  }
  return result;
}

namespace {

// Places in shared memory and in global memory have distinct numbers.
std::uint64_t object_at(const run::MemoryEvent& event, std::uint32_t lane) {
  return event.address[lane];
}

}  // namespace

void take_greater(Clock& sum, const Clock& other) {
  for (std::size_t u = 0; u < sum.size(); ++u) sum[u] = std::max(sum[u], other[u]);
}

HappensBefore::Role HappensBefore::role_of(const ptx::Function& function,
                                           std::uint32_t instruction) {
  using ptx::MemoryRole;
  using ptx::Modifier;
  const auto& in = function.instructions[instruction];
  const auto& m = in.modifiers;
  Role role;
  const auto memory = ptx::facts(in).memory;
  const bool is_update = ptx::is_update(in);
  if (!is_update && memory != MemoryRole::kLoad && memory != MemoryRole::kStore) return role;
  const bool ordered =
      m.has(Modifier::relaxed) || m.has(Modifier::acquire) || m.has(Modifier::release);
  role.strength = is_update || ordered         ? Strength::kStrong
                  : m.has(Modifier::volatile_) ? Strength::kVolatile
                                               : Strength::kPlain;
  if (role.strength == Strength::kPlain) return role;
  role.reads = memory == MemoryRole::kLoad || ptx::is_result_used(function, in);
  role.writes = memory != MemoryRole::kLoad;
  role.releases = m.has(Modifier::release) || m.has(Modifier::acq_rel);
  role.acquires = m.has(Modifier::acquire) || m.has(Modifier::acq_rel);
  role.swaps = m.has(Modifier::cas);
  role.is_of_block = m.has(Modifier::cta);
  return role;
}

void HappensBefore::begin_launch(const run::LaunchContext& context) {
  const auto warps = context.warps_per_block;
  warps_ = WarpOrder(warps);
  threads_ = warps * run::kWarpSize;
  base_.assign(warps, 0);
  for (auto* order : {&granted_, &intended_}) {
    *order = {};
    order->rows.assign(threads_, nullptr);
  }
  pending_.assign(threads_, nullptr);
  pending_wide_.assign(threads_, nullptr);
  any_pending_ = false;
  uses_ = *context.function->analyses.get<std::vector<FlagUse>>(
      [&] { return flag_uses(*context.function); });
  const auto blocks = static_cast<std::uint32_t>(base::volume(context.cluster));
  warps_per_rank_ = context.has_clusters ? warps / std::max(blocks, 1U) : 0;
  fresh_fences_.assign(warps, 0);
  fenced_.assign(threads_, {});
  device_fenced_.assign(threads_, {});
  fence_points_.assign(threads_, 0);
  roles_.clear();
  uses_order_ = false;
  has_flags_ = false;
  has_swaps_ = false;
  has_shared_swaps_ = false;
  has_block_scope_ = false;
  const auto count = static_cast<std::uint32_t>(context.function->instructions.size());
  const auto is_open = open_attempts(*context.function);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto memory = ptx::facts(context.function->instructions[i]).memory;
    roles_.push_back(role_of(*context.function, i));
    if (is_open[i]) roles_.back().reads = false;
    uses_order_ |= roles_.back().releases || memory == ptx::MemoryRole::kFence;
    has_swaps_ |= roles_.back().swaps;
    const auto space = context.function->instructions[i].space;
    has_shared_swaps_ |= roles_.back().swaps && space != ptx::StateSpace::kGlobal;
    has_block_scope_ |= roles_.back().is_of_block;
    const auto& m = context.function->instructions[i].modifiers;
    has_flags_ |= m.has(ptx::Modifier::cas) || m.has(ptx::Modifier::exch) ||
                  (memory == ptx::MemoryRole::kLoad && roles_.back().strength == Strength::kStrong);
  }
}

void HappensBefore::begin_block() {
  warps_.reset();
  std::fill(base_.begin(), base_.end(), 0);
  std::fill(fence_points_.begin(), fence_points_.end(), 0);
  any_device_fence_ = false;
  if (uses_order_) std::fill(device_fenced_.begin(), device_fenced_.end(), Fenced{});
  forget();
}

void HappensBefore::forget() {
  if (uses_order_) {
    std::fill(fenced_.begin(), fenced_.end(), Fenced{});
    std::fill(fresh_fences_.begin(), fresh_fences_.end(), 0);
  }
  if (any_pending_) {
    std::fill(pending_.begin(), pending_.end(), nullptr);
    std::fill(pending_wide_.begin(), pending_wide_.end(), nullptr);
    any_pending_ = false;
  }
  forget(granted_);
  forget(intended_);
}

void HappensBefore::forget(Across& order) {
  if (!order.crosses) return;
  std::fill(order.rows.begin(), order.rows.end(), nullptr);
  order.objects.clear();
  order.crosses = false;
}

void HappensBefore::block_barrier() {
  for (std::uint32_t w = 0; w < base_.size(); ++w) {
    warps_.barrier(w, run::kFullMask);
    base_[w] = warps_.stamp(w);
  }
  forget();
}

void HappensBefore::barrier(const run::BarrierEvent& event) {
  if (event.scope == run::BarrierEvent::Scope::kPart) {
    meet(event.members);
    return;
  }
  const bool has_fences = (fresh_fences_[event.warp] & event.mask) != 0;
  if (has_fences || granted_.crosses || intended_.crosses) {
    std::vector<std::uint32_t> members(threads_ / run::kWarpSize, 0);
    members[event.warp] = event.mask;
    join_fences(members.data());
    settle_all(members.data());
    for (auto* order : {&granted_, &intended_}) {
      if (!order->crosses) continue;
      const Row first = order->rows[event.warp * run::kWarpSize + run::lowest_lane(event.mask)];
      bool same = true;
      for (auto rest = event.mask; rest != 0; rest &= rest - 1) {
        same &= order->rows[event.warp * run::kWarpSize + run::lowest_lane(rest)] == first;
      }
      // WarpOrder handles the order within their own warp.
      if (!same) meet(*order, members.data());
    }
  }
  warps_.barrier(event.warp, event.mask);
}

void HappensBefore::order(const run::OrderEvent& event) {
  using Kind = run::OrderEvent::Kind;
  for (auto rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto thread = event.warp * run::kWarpSize + lane;
    if (event.kind == Kind::kFence) {
      settle(thread, event.device_wide);
      fenced_[thread] = known_now(granted_, event.warp, lane);
      fresh_fences_[event.warp] |= 1U << lane;
      if (!event.device_wide) continue;
      any_device_fence_ = true;
      device_fenced_[thread] = fenced_[thread];
      fence_points_[thread] = warps_.stamp(event.warp) + 1;
    } else if (event.kind == Kind::kRelease) {
      release(granted_, event.warp, known_now(granted_, event.warp, lane), event.object[lane]);
      if (!has_intent()) continue;
      release(intended_, event.warp, known_now(intended_, event.warp, lane), event.object[lane]);
    } else {
      settle(thread, /*device_wide=*/true);
      acquire(granted_, granted_.rows[thread], event.object[lane]);
      acquire(intended_, intended_.rows[thread], event.object[lane]);
    }
  }
  if (event.kind != Kind::kAcquire) warps_.advance(event.warp);
}

void HappensBefore::access(const run::MemoryEvent& event) {
  if (!uses_order_ && !has_intent()) return;
  const Role& role = roles_[event.instruction];
  if (role.strength == Strength::kPlain) return;
  for (auto rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto thread = event.warp * run::kWarpSize + lane;
    const auto place = object_at(event, lane);
    const auto narrow = of_block(place, event.warp);
    if (role.reads) {
      Row& row = role.acquires ? granted_.rows[thread] : pending_[thread];
      acquire(granted_, row, narrow);
      if (narrow != place && !role.is_of_block) {
        acquire(granted_, role.acquires ? row : pending_wide_[thread], place);
      }
      any_pending_ = true;
      if (has_intent() && use(event.instruction).reads_flag) {
        acquire(intended_, intended_.rows[thread], place);
      }
    }
    if (!role.writes) continue;
    if (has_intent() && use(event.instruction).writes && !role.swaps) {
      release(intended_, event.warp, known_now(intended_, event.warp, lane), place);
    }
    const Fenced known = role.releases ? known_now(granted_, event.warp, lane) : fenced_[thread];
    if (known.own_warp.empty()) continue;
    release(granted_, event.warp, known, narrow);
    if (narrow == place || role.is_of_block) continue;
    const Fenced& wide = role.releases ? known : device_fenced_[thread];
    if (!wide.own_warp.empty()) release(granted_, event.warp, wide, place);
  }
  if (role.writes) warps_.advance(event.warp);
}

// The object by which threads of one block of a cluster hand on knowledge, if the scope is narrow.
std::uint64_t HappensBefore::of_block(std::uint64_t place, std::uint32_t warp) const {
  constexpr unsigned kAboveAddresses = 48;
  if (warps_per_rank_ == 0) return place;
  return place | (warp / warps_per_rank_ + std::uint64_t{1}) << kAboveAddresses;
}

// A fence or a barrier of this thread: it acquires what it has read from flags.
void HappensBefore::settle(std::uint32_t thread, bool device_wide) {
  if (!any_pending_) return;
  for (auto* pending : {&pending_, &pending_wide_}) {
    Row& row = (*pending)[thread];
    if (row == nullptr || (pending == &pending_wide_ && !device_wide)) continue;
    learn(granted_.rows[thread], row);
    if (has_intent()) learn(intended_.rows[thread], row);
    row = nullptr;
  }
}

void HappensBefore::settle_all(const std::uint32_t* members) {
  if (!any_pending_) return;
  for (std::uint32_t w = 0; w < base_.size(); ++w) {
    for (auto rest = members[w]; rest != 0; rest &= rest - 1) {
      settle(w * run::kWarpSize + run::lowest_lane(rest), /*device_wide=*/true);
    }
  }
}

Strength HappensBefore::strength(const run::MemoryEvent& event, std::uint32_t lane) const {
  const Role& role = roles_[event.instruction];
  const bool is_fenced = role.strength == Strength::kVolatile && role.writes &&
                         !fenced_[event.warp * run::kWarpSize + lane].own_warp.empty();
  return is_fenced || is_atomic(event.operation) ? Strength::kStrong : role.strength;
}

std::uint32_t HappensBefore::unordered_across(const Across& order, std::uint32_t before,
                                              std::uint32_t lanes, std::uint32_t stamp,
                                              std::uint32_t warp, std::uint32_t lane) const {
  if (before == warp) lanes = warps_.unordered(warp, lanes, stamp, lane);
  const Row& row = order.rows[warp * run::kWarpSize + lane];
  if (row == nullptr) return lanes;
  std::uint32_t result = 0;
  for (auto rest = lanes; rest != 0; rest &= rest - 1) {
    const auto other = run::lowest_lane(rest);
    if (stamp >= (*row)[before * run::kWarpSize + other]) result |= 1U << other;
  }
  return result;
}

// Includes its own accesses so far.
HappensBefore::Fenced HappensBefore::known_now(const Across& order, std::uint32_t warp,
                                               std::uint32_t lane) const {
  Fenced known{order.rows[warp * run::kWarpSize + lane], {}, base_};
  known.own_warp.resize(run::kWarpSize);
  for (std::uint32_t other = 0; other < run::kWarpSize; ++other) {
    known.own_warp[other] =
        other == lane ? warps_.stamp(warp) + 1 : warps_.known(warp, other, lane);
  }
  return known;
}

void HappensBefore::merge_into(Clock& sum, std::uint32_t warp, const Fenced& known) const {
  for (std::uint32_t other = 0; other < run::kWarpSize; ++other) {
    auto& stamp = sum[warp * run::kWarpSize + other];
    stamp = std::max(stamp, known.own_warp[other]);
  }
}

void HappensBefore::release(Across& order, std::uint32_t warp, const Fenced& known,
                            std::uint64_t object) {
  Object& to = order.objects[object];
  order.crosses = true;
  if (to.sum == nullptr) {
    to.sum = std::make_shared<Clock>(threads_, 0);
  } else if (to.sum.use_count() > 1) {
    to.sum = std::make_shared<Clock>(*to.sum);  // a thread's knowledge, which must not change
  }
  if (known.row != nullptr && known.row != to.base) {
    take_greater(*to.sum, *known.row);
    to.base = known.row;
  }
  merge_into(*to.sum, warp, known);
}

void HappensBefore::acquire(const Across& order, Row& row, std::uint64_t object) {
  const auto found = order.objects.find(object);
  if (found == order.objects.end()) return;
  if (row == found->second.base) row = nullptr;
  learn(row, found->second.sum);
}

void HappensBefore::learn(Row& row, const Row& other) {
  if (row == nullptr) {
    row = other;
    return;
  }
  if (row == other) return;
  auto sum = std::make_shared<Clock>(*row);
  take_greater(*sum, *other);
  row = std::move(sum);
}

// From now on, `members` (lanes by warp) know everything that any of them knows.
void HappensBefore::meet(const std::uint32_t* members) {
  join_fences(members);
  settle_all(members);
  meet(granted_, members);
  if (has_intent()) meet(intended_, members);
  for (std::uint32_t w = 0; w < base_.size(); ++w) {
    if (members[w] != 0) warps_.advance(w);
  }
}

// A barrier hands on what the fences of `members` made visible, to those with a fence of their own.
void HappensBefore::join_fences(const std::uint32_t* members) {
  bool any = false;
  for (std::uint32_t w = 0; w < base_.size(); ++w) any |= (fresh_fences_[w] & members[w]) != 0;
  if (!any) return;
  for (auto* fenced : {&fenced_, &device_fenced_}) {
    auto sum = std::make_shared<Clock>(threads_, 0);
    std::vector<Fenced*> joined;
    for (std::uint32_t w = 0; w < base_.size(); ++w) {
      for (auto rest = members[w]; rest != 0; rest &= rest - 1) {
        Fenced& known = (*fenced)[w * run::kWarpSize + run::lowest_lane(rest)];
        if (known.own_warp.empty()) continue;
        const bool is_new = joined.empty() || known.row != joined.back()->row;
        if (known.row != nullptr && is_new) take_greater(*sum, *known.row);
        merge_into(*sum, w, known);
        joined.push_back(&known);
      }
    }
    for (Fenced* known : joined) known->row = sum;
  }
  for (std::uint32_t w = 0; w < base_.size(); ++w) fresh_fences_[w] &= ~members[w];
}

void HappensBefore::meet(Across& order, const std::uint32_t* members) {
  order.crosses = true;
  auto sum = std::make_shared<Clock>(threads_, 0);
  const auto each = [&](const auto& visit) {
    for (std::uint32_t w = 0; w < base_.size(); ++w) {
      for (auto rest = members[w]; rest != 0; rest &= rest - 1) visit(w, run::lowest_lane(rest));
    }
  };
  Row last;
  each([&](std::uint32_t w, std::uint32_t lane) {
    const Row& row = order.rows[w * run::kWarpSize + lane];
    if (row != nullptr && row != last) take_greater(*sum, *row);
    last = row;
    merge_into(*sum, w, known_now(order, w, lane));
  });
  const Row shared = std::move(sum);
  each(
      [&](std::uint32_t w, std::uint32_t lane) { order.rows[w * run::kWarpSize + lane] = shared; });
}

Clock HappensBefore::handed_on(const run::MemoryEvent& event, std::uint32_t lane) const {
  const Role& role = roles_[event.instruction];
  if (!role.writes || !(role.releases || any_device_fence_)) return {};
  Clock sum = all_of(known_now(granted_, event.warp, lane), event.warp);
  if (role.releases) return sum;
  // It releases only accesses that a fence of their thread, or its own fence, made visible.
  for (std::uint32_t u = 0; u < threads_; ++u) sum[u] = std::min(sum[u], fence_points_[u]);
  const Fenced& fenced = device_fenced_[event.warp * run::kWarpSize + lane];
  if (!fenced.own_warp.empty()) take_greater(sum, all_of(fenced, event.warp));
  return sum;
}

Clock HappensBefore::handed_on_by_intent(const run::MemoryEvent& event, std::uint32_t lane) const {
  if (!has_intent() || !use(event.instruction).writes || use(event.instruction).swaps) return {};
  return all_of(known_now(intended_, event.warp, lane), event.warp);
}

Clock HappensBefore::all_of(const Fenced& known, std::uint32_t warp) const {
  Clock clock = known.row != nullptr ? *known.row : Clock(threads_, 0);
  for (std::uint32_t u = 0; u < threads_; ++u) {
    clock[u] = std::max(clock[u], known.base[u / run::kWarpSize]);
  }
  merge_into(clock, warp, known);
  return clock;
}

}  // namespace warpgrade::check
