// SPDX-License-Identifier: Apache-2.0
#include "common/timing/block_waits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

SwapContention::SwapContention(const device::Profile& profile)
    : window_share_(profile.shared.swap_round_clocks
                        ? profile.shared.swap_window_clocks / *profile.shared.swap_round_clocks
                        : -1) {}

void SwapContention::begin_block() {
  warps_of_.clear();
  words_.clear();
  loops_of_.clear();
}

std::uint32_t SwapContention::add(const run::MemoryEvent& event) {
  if (event.warp >= loops_of_.size()) loops_of_.resize(event.warp + 1);
  const std::uint64_t side_by_side = std::uint64_t{loops_of_[event.warp]++} << 48;
  std::vector<std::uint64_t> words;
  for (std::uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1) {
    const auto address = event.address[static_cast<std::size_t>(std::countr_zero(lanes))];
    words.push_back(address ^ side_by_side);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  for (const std::uint64_t word : words) {
    warps_of_[word] |= std::uint64_t{1} << event.warp % 64;
  }
  words_.push_back(std::move(words));
  return static_cast<std::uint32_t>(words_.size() - 1);
}

double SwapContention::tries(std::uint32_t number) const {
  if (window_share_ < 0) return 1;
  double sum = 0;
  const auto& words = words_.at(number);
  for (const std::uint64_t word : words) {
    const int warps = std::popcount(warps_of_.at(word));
    sum += std::min<double>(warps, 1 + warps * window_share_);
  }
  return sum / static_cast<double>(words.size());
}

void SwapContention::lengthen(std::vector<TracedAccess>& requests) const {
  for (TracedAccess& request : requests) {
    if (request.rounds == 0) continue;
    const double times = tries(request.first_transaction);
    request.wavefronts =
        static_cast<std::uint16_t>(std::min(std::lround(request.wavefronts * times), 0xffffL));
    request.rounds = static_cast<std::uint32_t>(std::lround(request.rounds * times));
  }
}

void BlockWaits::arrive(WarpRecord& warp, std::uint32_t meeting, TracedAccess::Copy copy) {
  if (warp.stretch.empty()) return;
  const auto before = warp.stretch[warp.current].requests;
  warp.add({.kind = TracedAccess::Kind::kArrive, .place = meeting, .copy = copy});
  if (meeting >= arrivals_.size()) arrivals_.resize(meeting + 1);
  arrivals_[meeting] += warp.stretch[warp.current].requests - before;
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
