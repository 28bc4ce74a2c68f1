// SPDX-License-Identifier: Apache-2.0
// A kernel has few copies in flight at a time, so a list is enough, and its length is limited.
#include "common/check/bulk_copies.h"

#include <algorithm>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/lanes.h"

namespace warpgrade::check {
namespace {

using BulkKind = run::BulkEvent::Kind;

bool overlap(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

bool knows(const std::vector<std::uint32_t>& lanes, std::uint32_t warp, std::uint32_t lane) {
  return (lanes[warp] >> lane & 1U) != 0;
}

bool is_known(const std::vector<std::uint32_t>& lanes) {
  return std::any_of(lanes.begin(), lanes.end(), [](auto mask) { return mask != 0; });
}

bool has_order_modifier(const ptx::Instruction& in) {
  using ptx::Modifier;
  const auto& m = in.modifiers;
  return m.has(Modifier::volatile_) || m.has(Modifier::relaxed) || m.has(Modifier::acquire) ||
         m.has(Modifier::release) || m.has(Modifier::acq_rel);
}

}  // namespace

void BulkCopies::begin_launch(const run::LaunchContext& context) {
  is_needed_ = false;
  may_hand_on_.clear();
  for (const auto& in : context.function->instructions) {
    is_needed_ |= ptx::facts(in).memory == ptx::MemoryRole::kBulkCopy;
    may_hand_on_.push_back(has_order_modifier(in));
  }
  open_groups_.assign(std::size_t{context.warps_per_block} * run::kWarpSize, 0);
  copies_.clear();
}

void BulkCopies::begin_block() {
  if (!is_needed_) return;
  std::fill(open_groups_.begin(), open_groups_.end(), 0);
  copies_.clear();
}

void BulkCopies::memory(const run::MemoryEvent& event) {
  if (copies_.empty() || event.is_bulk) return;
  if (event.space != run::Space::kShared && event.space != run::Space::kGlobal) return;
  if (is_atomic(event.operation) || may_hand_on_[event.instruction]) {
    pass_on(event.warp, event.mask);
  }
  access(event);
}

void BulkCopies::access(const run::MemoryEvent& event) {
  const bool is_shared = event.space == run::Space::kShared;
  const bool writes = event.operation != run::Operation::kLoad;
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto address = event.address[run::lowest_lane(left)];
    low = std::min(low, address);
    high = std::max(high, address + event.bytes);
  }
  auto unreported = event.mask;
  for (const auto& copy : copies_) {
    const bool to_shared = copy.start.kind == BulkKind::kToShared;
    const bool is_source = to_shared != is_shared;
    if (is_source && !writes) continue;
    const auto place = is_shared ? copy.start.shared : copy.start.global;
    if (!overlap(place, copy.start.bytes, low, high - low)) continue;
    const auto& known = is_source ? copy.know_source : copy.know_all;
    for (auto left = unreported & ~known[event.warp]; left != 0; left &= left - 1) {
      const auto lane = run::lowest_lane(left);
      if (!overlap(place, copy.start.bytes, event.address[lane], event.bytes)) continue;
      unreported &= ~(1U << lane);
      report(event, lane, copy, is_source);
    }
  }
}

// Lanes that may have acquired from others know everything that any thread knows.
void BulkCopies::pass_on(std::uint32_t warp, std::uint32_t lanes) {
  for (auto& copy : copies_) {
    for (auto* known : {&copy.know_source, &copy.know_all}) {
      if (is_known(*known)) (*known)[warp] |= lanes;
    }
  }
}

void BulkCopies::barrier(const run::BarrierEvent& event) {
  if (copies_.empty()) return;
  for (auto& copy : copies_) {
    for (auto* known : {&copy.know_source, &copy.know_all}) {
      if (event.scope == run::BarrierEvent::Scope::kWarp) {
        if (((*known)[event.warp] & event.mask) != 0) (*known)[event.warp] |= event.mask;
        continue;
      }
      const bool is_part = event.scope == run::BarrierEvent::Scope::kPart;
      bool any = false;
      for (std::size_t w = 0; w < known->size(); ++w) {
        any |= ((*known)[w] & (is_part ? event.members[w] : run::kFullMask)) != 0;
      }
      for (std::size_t w = 0; any && w < known->size(); ++w) {
        (*known)[w] |= is_part ? event.members[w] : run::kFullMask;
      }
    }
  }
  if (event.scope != run::BarrierEvent::Scope::kBlock) return;
  std::erase_if(copies_, [](const Copy& copy) { return is_known(copy.know_all); });
}

void BulkCopies::order(const run::OrderEvent& event) {
  if (copies_.empty() || event.kind != run::OrderEvent::Kind::kAcquire) return;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    pass_on(event.warp, 1U << lane);
    if (event.phase == nullptr) continue;
    for (auto& copy : copies_) {
      if (copy.start.kind != BulkKind::kToShared || copy.start.object != event.object[lane])
        continue;
      if (copy.start.phase == event.phase[lane]) {
        copy.early_wait = true;
        continue;
      }
      copy.know_source[event.warp] |= 1U << lane;
      copy.know_all[event.warp] |= 1U << lane;
    }
  }
}

void BulkCopies::bulk(const run::BulkEvent& event) {
  switch (event.kind) {
    case BulkKind::kToShared:
    case BulkKind::kToGlobal:
      return start(event);
    case BulkKind::kCommit:
      ++open_group(event);
      return;
    case BulkKind::kWait:
    case BulkKind::kWaitRead:
      break;
  }
  for (auto& copy : copies_) {
    const auto& begun = copy.start;
    if (begun.kind != BulkKind::kToGlobal || begun.warp != event.warp || begun.lane != event.lane) {
      continue;
    }
    if (std::uint64_t{copy.group} + event.left >= open_group(event)) continue;
    copy.know_source[event.warp] |= 1U << event.lane;
    if (event.kind == BulkKind::kWait) copy.know_all[event.warp] |= 1U << event.lane;
  }
}

// Drops copies whose shared memory it overwrites: SharedRace, which sees each part of a copy as an
// access, finds unordered ones.
void BulkCopies::start(const run::BulkEvent& event) {
  std::erase_if(copies_, [&](const Copy& copy) {
    return overlap(copy.start.shared, copy.start.bytes, event.shared, event.bytes) &&
           knows(copy.know_source, event.warp, event.lane);
  });
  if (copies_.size() == kMostInFlight) copies_.pop_front();
  const Lanes nobody(view_.warps_per_block(), 0);
  copies_.push_back({event, open_group(event), nobody, nobody, false});
}

void BulkCopies::end_block() {
  for (const auto& copy : copies_) {
    if (!is_known(copy.know_source)) report_left(copy);
  }
  copies_.clear();
}

void BulkCopies::report(const run::MemoryEvent& event, std::uint32_t lane, const Copy& copy,
                        bool is_source) {
  const auto& start = copy.start;
  const auto lines =
      std::minmax({view_.line_number(start.instruction), view_.line_number(event.instruction)});
  const auto moment = view_.moment(lane);
  findings_.add({base::DiagnosticKind::kRace, lines.first, lines.second}, moment, 1, [&] {
    using Advice = base::BulkRace::Advice;
    base::BulkRace facts;
    facts.place = event.space == run::Space::kShared
                      ? view_.shared_place(event.address[lane], event.bytes, event.warp)
                      : view_.global_place(event.address[lane], event.bytes);
    const bool reads = event.operation == run::Operation::kLoad;
    facts.does = reads ? base::Does::kRead : base::Does::kWrite;
    facts.is_source = is_source;
    facts.is_own = start.warp == event.warp && start.lane == lane;
    facts.start = view_.line(start.instruction, event.instruction);
    facts.advice = start.kind == BulkKind::kToGlobal ? Advice::kCloseGroup
                   : copy.early_wait                 ? Advice::kWaitForItsPhase
                                                     : Advice::kWaitAtObject;
    auto out = view_.diagnostic(base::DiagnosticKind::kRace, event.instruction, moment.block,
                                event.warp, lane, std::move(facts));
    out.related = {view_.related(start.instruction, moment.block, start.warp, start.lane,
                                 base::Does::kStartCopy)};
    return out;
  });
}

void BulkCopies::report_left(const Copy& copy) {
  const auto& start = copy.start;
  const auto line = view_.line_number(start.instruction);
  const auto moment = view_.moment(start.lane);
  constexpr auto kSeverity = base::Severity::kWarning;
  findings_.add({base::DiagnosticKind::kRace, line, line, kSeverity}, moment, 1, [&] {
    auto out =
        view_.diagnostic(base::DiagnosticKind::kRace, start.instruction, moment.block, start.warp,
                         start.lane, base::BulkLeft{start.kind == BulkKind::kToShared});
    out.severity = kSeverity;
    return out;
  });
}

}  // namespace warpgrade::check
