// SPDX-License-Identifier: Apache-2.0
#include "common/timing/block_waits.h"

#include <bit>

namespace warpgrade::timing {

void BlockWaits::arrive(WarpRecord& warp, std::uint32_t meeting, TracedAccess::Copy copy) {
  if (warp.stretch.empty()) return;
  const auto before = warp.stretch.back().requests;
  warp.add({.kind = TracedAccess::Kind::kArrive, .place = meeting, .copy = copy});
  if (meeting >= arrivals_.size()) arrivals_.resize(meeting + 1);
  arrivals_[meeting] += warp.stretch.back().requests - before;
}

void BlockWaits::meet(WarpRecord& warp, std::uint32_t meeting) const {
  // A thread may also wait for a phase that ended before the first arrival.
  if (meeting >= arrivals_.size() || arrivals_[meeting] == 0) return;
  warp.add({.kind = TracedAccess::Kind::kMeet, .place = meeting});
}

void BlockWaits::read_constants(WarpRecord& warp, const run::MemoryEvent& event) {
  std::vector<std::uint64_t> addresses;
  const auto mask = event.stride == 0 ? 1U << std::countr_zero(event.mask) : event.mask;
  for (auto rest = mask; rest != 0; rest &= rest - 1) {
    addresses.push_back(event.address[std::countr_zero(rest)]);
  }
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  TracedAccess access{.kind = TracedAccess::Kind::kConstant,
                      .values = static_cast<std::uint8_t>(addresses.size())};
  const bool has_one = addresses.size() < 2;
  if (has_one && event.space == run::Space::kParam) return;
  constants_.read(addresses, access);
  if (has_one) {
    warp.constant_misses += access.lines;
  } else {
    warp.add(access);
  }
}

void BlockWaits::sleep(WarpRecord& warp, std::uint32_t nanoseconds) {
  constexpr std::uint32_t kLongest = 1'000'000;  // PTX ISA 9.0, 9.7.19.13
  warp.add({.kind = TracedAccess::Kind::kSleep, .place = std::min(nanoseconds, kLongest)});
}

void BlockWaits::meet(std::vector<WarpRecord>& warps, const run::BarrierEvent& event) {
  using Scope = run::BarrierEvent::Scope;
  if (event.scope != Scope::kPart && event.scope != Scope::kBlock) return;
  const auto object = std::exchange(named_barrier_, std::nullopt);
  const auto meeting = meetings_.end_named(object.value_or(run::kNamedBarriers - 1));
  const auto is_member = [&](std::size_t w) {
    return event.members == nullptr || event.members[w] != 0;
  };
  for (std::size_t w = 0; w < warps.size(); ++w) {
    if (is_member(w)) arrive(warps[w], meeting, TracedAccess::Copy::kNone);
  }
  for (std::size_t w = 0; w < warps.size(); ++w) {
    if (is_member(w)) meet(warps[w], meeting);
  }
}

void BlockWaits::order(WarpRecord& warp, const run::OrderEvent& event) {
  using Copy = TracedAccess::Copy;
  const auto lane = std::countr_zero(event.mask);
  const std::uint64_t object = event.object[lane];
  const bool is_arrival = event.kind == run::OrderEvent::Kind::kRelease;
  if (object >= run::kNamedBarriers) {
    if (!is_arrival) named_barrier_ = object;
    if (is_arrival) arrive(warp, meetings_.named(object), Copy::kNone);
    return;
  }
  if (event.phase == nullptr) return;  // a bulk copy, which bulk() handles
  const std::uint64_t phase = event.phase[lane];
  if (!is_arrival) return meet(warp, meetings_.last(object, phase));
  const bool tracks = std::exchange(warp.tracks, false);
  arrive(warp, meetings_.current(object, phase), tracks ? Copy::kAsync : Copy::kNone);
}

void BlockWaits::copy(WarpRecord& warp, const run::CopyEvent& event) {
  using Kind = run::CopyEvent::Kind;
  if (event.kind == Kind::kTrack) {
    warp.tracks = true;
    return;
  }
  warp.add({.kind = event.kind == Kind::kCommit ? TracedAccess::Kind::kCloseGroup
                                                : TracedAccess::Kind::kAwaitGroups,
            .place = event.left,
            .copy = TracedAccess::Copy::kAsync});
}

void BlockWaits::bulk(WarpRecord& warp, const run::BulkEvent& event) {
  using Kind = run::BulkEvent::Kind;
  using Copy = TracedAccess::Copy;
  switch (event.kind) {
    case Kind::kToShared:
      return arrive(warp, meetings_.current(event.object, event.phase), Copy::kBulkIn);
    case Kind::kToGlobal:
      return;
    case Kind::kCommit:
      warp.add({.kind = TracedAccess::Kind::kCloseGroup, .copy = Copy::kBulkRead});
      warp.add({.kind = TracedAccess::Kind::kCloseGroup, .copy = Copy::kBulkOut});
      return;
    case Kind::kWait:
    case Kind::kWaitRead:
      warp.add({.kind = TracedAccess::Kind::kAwaitGroups,
                .place = event.left,
                .copy = event.kind == Kind::kWait ? Copy::kBulkOut : Copy::kBulkRead});
      return;
  }
}

}  // namespace warpgrade::timing
