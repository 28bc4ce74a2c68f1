// SPDX-License-Identifier: Apache-2.0
#include "common/check/running_copies.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "common/check/launch_view.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"

namespace warpgrade::check {

void RunningCopies::begin_launch(const run::LaunchContext& context) {
  is_copy_.clear();
  threads_.clear();
  cells_.clear();
  bool any = false;
  for (const auto& in : context.function->instructions) {
    const bool copies = ptx::facts(in).memory == ptx::MemoryRole::kCopy;
    is_copy_.push_back(copies);
    any |= copies;
  }
  if (!any) {
    is_copy_.clear();
    return;
  }
  threads_.resize(std::size_t{context.warps_per_block} * run::kWarpSize);
  cells_.resize((view_.shared_bytes() + 3) / 4);
}

void RunningCopies::begin_block() {
  for (auto& thread : threads_) thread = {};
  if (running_ != 0) std::fill(cells_.begin(), cells_.end(), Cell{});
  sources_.clear();
  next_sources_ = {};
  running_ = 0;
  objects_.clear();
}

void RunningCopies::memory(const run::MemoryEvent& event) {
  if (is_copy_.empty()) return;
  const bool copies = is_copy_[event.instruction];
  if (event.space == run::Space::kGlobal) {
    if (copies) note_sources(event);
    if (copies || running_ == 0 || event.operation == run::Operation::kLoad) return;
    for (auto left = event.mask; left != 0; left &= left - 1) {
      overwrite(event, run::lowest_lane(left));
    }
  } else if (event.space == run::Space::kShared) {
    if (copies) return start(event);
    if (running_ == 0) return;
    for (auto left = event.mask; left != 0; left &= left - 1) access(event, run::lowest_lane(left));
  }
}

void RunningCopies::note_sources(const run::MemoryEvent& event) {
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    next_sources_[lane] = {event.address[lane], event.bytes};
  }
}

void RunningCopies::start(const run::MemoryEvent& event) {
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    const auto begin = event.address[lane];
    if ((begin + event.bytes + 3) / 4 > cells_.size()) continue;  // the simulator reports it
    const auto index = event.warp * run::kWarpSize + lane;
    auto& thread = threads_[index];
    auto& copy = thread.running.emplace_back();
    const auto [source, source_bytes] = std::exchange(next_sources_[lane], {});
    copy = {begin,
            source,
            source_bytes,
            event.bytes,
            event.instruction,
            thread.open_group,
            thread.started++,
            {}};
    std::memcpy(copy.data.data(), event.data + std::size_t{lane} * event.bytes, event.bytes);
    for (auto word = begin / 4; word < (begin + event.bytes) / 4; ++word) {
      cells_[word] = {index, copy.number};
    }
    for (auto word = source / 4; 4 * word < source + source_bytes; ++word) {
      sources_[word] = {index, copy.number};
    }
    ++running_;
  }
}

void RunningCopies::access(const run::MemoryEvent& event, std::uint32_t lane) {
  const auto end = event.address[lane] + event.bytes;
  for (auto word = event.address[lane] / 4; 4 * word < end && word < cells_.size(); ++word) {
    if (cells_[word].thread == kNone) continue;
    report(event, lane, cells_[word],
           view_.shared_place(event.address[lane], event.bytes, event.warp));
    return;
  }
}

void RunningCopies::overwrite(const run::MemoryEvent& event, std::uint32_t lane) {
  const auto end = event.address[lane] + event.bytes;
  for (auto word = event.address[lane] / 4; 4 * word < end; ++word) {
    const auto found = sources_.find(word);
    if (found == sources_.end()) continue;
    report(event, lane, found->second, view_.global_place(event.address[lane], event.bytes));
    return;
  }
}

void RunningCopies::order(const run::OrderEvent& event) {
  if (event.kind != run::OrderEvent::Kind::kAcquire || objects_.empty()) return;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto found = objects_.find(event.object[run::lowest_lane(left)]);
    if (found == objects_.end()) continue;
    for (const auto& [thread, started] : found->second) {
      take(thread, [&, before = started](const Copy& copy) { return copy.number < before; });
    }
    objects_.erase(found);
  }
}

void RunningCopies::copy(const run::CopyEvent& event) {
  finish(event, [](const run::MemoryEvent&) {});
}

void RunningCopies::complete(const run::CopyEvent& event, const OnStore& on_store) {
  view_.count_event();
  finish(event, on_store);
}

void RunningCopies::finish(const run::CopyEvent& event, const OnStore& on_store) {
  if (is_copy_.empty()) return;
  std::vector<Copy> done[run::kWarpSize];
  std::size_t most = 0;
  for (auto rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = run::lowest_lane(rest);
    const auto index = event.warp * run::kWarpSize + lane;
    auto& thread = threads_[index];
    switch (event.kind) {
      case run::CopyEvent::Kind::kCommit:
        ++thread.open_group;
        break;
      case run::CopyEvent::Kind::kTrack:
        objects_[event.object[lane]].emplace_back(index, thread.started);
        break;
      case run::CopyEvent::Kind::kWait:
        thread.wait = event.instruction;
        thread.left = event.left;
        thread.started_before_wait = thread.started;
        done[lane] = take(index, [&](const Copy& copy) {
          return std::uint64_t{copy.group} + event.left < thread.open_group;
        });
        most = std::max(most, done[lane].size());
        break;
    }
  }
  // The k-th copies of all lanes together, in the order of their start.
  for (std::size_t k = 0; k < most; ++k) {
    for (const auto bytes : {4U, 8U, 16U}) store(event, done, k, bytes, on_store);
  }
}

// Reports the k-th copies in `done`, by lane, that have this number of bytes.
void RunningCopies::store(const run::CopyEvent& event, const std::vector<Copy>* done, std::size_t k,
                          std::uint32_t bytes, const OnStore& on_store) {
  std::array<std::uint64_t, run::kWarpSize> addresses{};
  std::array<std::byte, run::kWarpSize * 16> data{};
  run::MemoryEvent told;
  told.instruction = event.instruction;
  told.warp = event.warp;
  told.space = run::Space::kShared;
  told.operation = run::Operation::kStore;
  told.is_bulk = true;  // the value arrives now, although the simulator stored it at the start
  told.bytes = static_cast<std::uint8_t>(bytes);
  told.address = addresses.data();
  told.data = data.data();
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    if (k >= done[lane].size() || done[lane][k].bytes != bytes) continue;
    told.mask |= 1U << lane;
    addresses[lane] = done[lane][k].offset;
    std::memcpy(&data[std::size_t{lane} * bytes], done[lane][k].data.data(), bytes);
  }
  if (told.mask != 0) on_store(told);
}

// Removes the copies of `thread` for which is_complete(copy) is true.
template <typename IsComplete>
std::vector<RunningCopies::Copy> RunningCopies::take(std::uint32_t thread,
                                                     const IsComplete& is_complete) {
  std::vector<Copy> taken;
  auto& running = threads_[thread].running;
  std::erase_if(running, [&](const Copy& copy) {
    if (!is_complete(copy)) return false;
    forget(thread, copy);
    taken.push_back(copy);
    return true;
  });
  return taken;
}

void RunningCopies::forget(std::uint32_t thread, const Copy& copy) {
  --running_;
  for (auto word = copy.offset / 4; word < (copy.offset + copy.bytes) / 4; ++word) {
    Cell& cell = cells_[word];
    if (cell == Cell{thread, copy.number}) cell = {};
  }
  for (auto word = copy.source / 4; 4 * word < copy.source + copy.source_bytes; ++word) {
    const auto found = sources_.find(word);
    if (found != sources_.end() && found->second == Cell{thread, copy.number})
      sources_.erase(found);
  }
}

// `place` is in shared memory, or is the global source of the copy that the access overwrites.
void RunningCopies::report(const run::MemoryEvent& event, std::uint32_t lane, const Cell& cell,
                           base::Place place) {
  const auto& running = threads_[cell.thread].running;
  const auto copy = std::find_if(running.begin(), running.end(),
                                 [&](const Copy& each) { return each.number == cell.number; });
  const auto lines =
      std::minmax({view_.line_number(copy->instruction), view_.line_number(event.instruction)});
  const auto moment = view_.moment(lane);
  findings_.add({base::DiagnosticKind::kRace, lines.first, lines.second}, moment, 1, [&] {
    base::CopyRace facts;
    facts.place = std::move(place);
    facts.overwrites_source = event.space != run::Space::kShared;
    const bool reads = !facts.overwrites_source && event.operation == run::Operation::kLoad;
    facts.does = reads ? base::Does::kRead : base::Does::kWrite;
    facts.is_own = event.warp * run::kWarpSize + lane == cell.thread;
    facts.start = view_.line(copy->instruction, event.instruction);
    add_advice(event, cell, *copy, facts);
    auto out = view_.diagnostic(base::DiagnosticKind::kRace, event.instruction, moment.block,
                                event.warp, lane, std::move(facts));
    out.related = {view_.related(copy->instruction, moment.block, cell.thread / run::kWarpSize,
                                 cell.thread % run::kWarpSize, base::Does::kStartCopy)};
    return out;
  });
}

void RunningCopies::add_advice(const run::MemoryEvent& event, const Cell& cell, const Copy& copy,
                               base::CopyRace& facts) const {
  using Advice = base::CopyRace::Advice;
  const auto& thread = threads_[cell.thread];
  if (thread.wait == kNone || copy.number >= thread.started_before_wait) {
    facts.advice = facts.is_own ? Advice::kWait : Advice::kWaitAndMeet;
    facts.between = view_.between(copy.instruction, event.instruction);
    return;
  }
  facts.advice = copy.group == thread.open_group ? Advice::kCommit : Advice::kLeaveFewer;
  facts.wait = view_.line(thread.wait, event.instruction);
  facts.left = thread.left;
}

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
