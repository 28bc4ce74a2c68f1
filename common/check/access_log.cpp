// SPDX-License-Identifier: Apache-2.0
// Keeps chains of accesses short and exact; access_log.h defines entries and chains.
#include "common/check/access_log.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/check/happens_before.h"

namespace warpgrade::check {
namespace {

// References have 26 bits for the number, and an interval has fewer than 2^22 entries.
constexpr std::uint32_t kLastBase = std::uint32_t{1} << 22;

bool same_access(const Entry& a, const Entry& b) {
  return a.warp == b.warp && a.instruction == b.instruction && a.stamp == b.stamp &&
         a.strength == b.strength;
}

// The lanes in `lanes` of `old` that are unordered with some lane in `by`, lanes that access now.
std::uint32_t unordered(const Entry& old, std::uint32_t lanes, const Entry& now, std::uint32_t by,
                        const HappensBefore& order) {
  if (old.warp == now.warp) lanes &= ~by;
  std::uint32_t result = 0;
  for (auto left = lanes != 0 ? by : 0; left != 0; left &= left - 1) {
    result |= order.unordered(old.warp, lanes, old.stamp, now.warp,
                              static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  return result;
}

}  // namespace

AccessLog::AccessLog(std::uint32_t instructions, std::uint32_t warps, bool keeps_all_warps)
    : warps_(warps), keeps_all_warps_(keeps_all_warps), latest_(std::size_t{instructions} * warps) {
  entries_.reserve(4096);
}

bool AccessLog::begin_interval() {
  base_ += static_cast<std::uint32_t>(entries_.size());
  entries_.resize(1);
  if (base_ < kLastBase) return false;
  base_ = 1;
  std::fill(latest_.begin(), latest_.end(), Slot{});
  pair_ = 0;
  return true;
}

std::uint32_t AccessLog::append(const Entry& entry) {
  entries_.push_back(entry);
  return base_ + static_cast<std::uint32_t>(entries_.size()) - 1;
}

std::uint32_t AccessLog::number_of(std::uint32_t instruction, std::uint32_t warp,
                                   std::uint32_t stamp, Strength strength, bool is_update) {
  Slot& slot = latest_[std::size_t{instruction} * warps_ + warp];
  if (slot.number < base_ || slot.stamp != stamp) {
    slot = {append({.instruction = instruction,
                    .stamp = stamp,
                    .warp = static_cast<std::uint16_t>(warp),
                    .strength = strength,
                    .is_update = is_update}),
            stamp};
  }
  return slot.number;
}

Reference AccessLog::only(const Access& access) {
  if (std::has_single_bit(access.lanes)) {
    return reference(access.number, static_cast<std::uint32_t>(std::countr_zero(access.lanes)));
  }
  Entry entry_of_lanes = entry(access.number);
  entry_of_lanes.mask = access.lanes;
  return reference(append(entry_of_lanes), 0);
}

bool AccessLog::are_all(Strength strength, Reference reference) const {
  for (std::uint32_t number = static_cast<std::uint32_t>(reference) >> 5; number != 0;) {
    if (entry(number).strength != strength) return false;
    number = entry(number).next;
  }
  return true;
}

Reference AccessLog::with_other_warp(Reference before, const Access& access) {
  const std::uint32_t number = static_cast<std::uint32_t>(before) >> 5;
  const std::uint32_t lane = static_cast<std::uint32_t>(before) & 31;
  Entry other = entry(number);
  Entry first = entry(access.number);
  const bool same_lane = other.mask == 0 && access.lanes == 1U << lane;
  if (same_lane && pair_ >= base_ && pair_before_ == number && pair_now_ == access.number) {
    return reference(pair_, lane);
  }
  if (!same_lane) {
    other.mask = lanes(other, before);
    first.mask = access.lanes;
  }
  other.next = 0;
  first.next = append(other);
  first.two_warps = true;
  const std::uint32_t chain = append(first);
  if (!same_lane) return reference(chain, 0);
  pair_before_ = number;
  pair_now_ = access.number;
  pair_ = chain;
  return reference(chain, lane);
}

Reference AccessLog::with(Reference reference_before, const Access& access,
                          const HappensBefore& order) {
  const Entry now = entry(access.number);
  const Entry head = entry(reference_before);
  if (order.crosses() || keeps_all_warps_) {
    return without_covered(reference_before, access, order);
  }
  if (head.two_warps && covers(head.strength, now.strength)) return reference_before;
  const std::uint32_t head_lanes = lanes(head, reference_before);
  const bool same_lanes = head.warp == now.warp && (head_lanes & ~access.lanes) == 0;
  if (same_lanes && head.next == 0 && covers(now.strength, head.strength)) {
    // The same threads again, the common case: only the later access counts.
    if (head.mask == 0) return only(access);
    Entry& own = mutable_entry(static_cast<std::uint32_t>(reference_before) >> 5);
    own = now;
    own.mask = access.lanes;
    return reference_before;
  }
  if (head.warp != now.warp && !head.two_warps && are_all(now.strength, reference_before)) {
    return with_other_warp(reference_before, access);
  }
  if (head.mask != 0 && head.next == 0 && same_access(head, now)) {
    mutable_entry(static_cast<std::uint32_t>(reference_before) >> 5).mask |= access.lanes;
    return reference_before;
  }
  return without_covered(reference_before, access, order);
}

// A new chain: this access first, then the rest of the old one; reuses its entries.
Reference AccessLog::without_covered(Reference reference_before, const Access& access,
                                     const HappensBefore& order) {
  const Entry now = entry(access.number);
  const std::uint32_t head_lanes = lanes(entry(reference_before), reference_before);
  // A spinning thread adds nothing.
  for (std::uint32_t number = static_cast<std::uint32_t>(reference_before) >> 5; number != 0;) {
    const Entry& old = entry(number);
    const std::uint32_t old_lanes = old.mask != 0 ? old.mask : head_lanes;
    if (same_access(old, now) && (access.lanes & ~old_lanes) == 0) return reference_before;
    number = old.next;
  }
  std::uint32_t mask = access.lanes;
  std::uint32_t kept = 0;
  std::uint32_t spare = 0;  // a free entry of the old chain
  for (std::uint32_t number = static_cast<std::uint32_t>(reference_before) >> 5; number != 0;) {
    Entry old = entry(number);
    const std::uint32_t next = old.next;
    const bool is_own = old.mask != 0;
    std::uint32_t left = is_own ? old.mask : head_lanes;
    if (same_access(old, now)) {
      mask |= left;
      left = 0;
    } else if (covers(now.strength, old.strength)) {
      left = unordered(old, left, now, access.lanes, order);
    }
    if (left != 0) {
      old.mask = left;
      old.next = kept;
      old.two_warps = false;
      if (is_own) {
        mutable_entry(number) = old;
        kept = number;
      } else {
        kept = append(old);
      }
    } else if (is_own) {
      spare = number;
    }
    number = next;
  }
  if (kept == 0 && std::has_single_bit(mask)) return only({access.number, mask});
  Entry first = now;
  first.mask = mask;
  first.next = kept;
  if (spare == 0) return reference(append(first), 0);
  mutable_entry(spare) = first;
  return reference(spare, 0);
}

Reference AccessLog::without(Reference from, std::uint32_t warp, std::uint32_t lane) {
  Reference left = 0;
  for (std::uint32_t number = static_cast<std::uint32_t>(from) >> 5; number != 0;) {
    Entry kept = entry(number);
    kept.mask = lanes(kept, from);
    number = kept.next;
    if (kept.warp == warp) kept.mask &= ~(1U << lane);
    if (kept.mask == 0) continue;
    kept.next = static_cast<std::uint32_t>(left) >> 5;
    kept.two_warps = false;
    left = reference(append(kept), 0);
  }
  return left;
}

Reference AccessLog::copy(Reference from) {
  if (entry(from).mask == 0) return from;
  std::uint32_t chain = 0;
  for (std::uint32_t number = static_cast<std::uint32_t>(from) >> 5; number != 0;) {
    Entry copied = entry(number);
    number = copied.next;
    copied.next = 0;
    // The order of a chain does not matter, except that its first entry contains two_warps.
    const std::uint32_t added = append(copied);
    if (chain == 0) {
      chain = added;
    } else {
      mutable_entry(added).next = mutable_entry(chain).next;
      mutable_entry(chain).next = added;
    }
  }
  return reference(chain, 0);
}

}  // namespace warpgrade::check
