// SPDX-License-Identifier: Apache-2.0
#include "common/check/global_race.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/check/happens_before.h"
#include "common/check/harmless_race.h"
#include "common/check/launch_view.h"
#include "common/check/lost_updates.h"
#include "common/run/observer.h"

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

namespace {

constexpr std::uint64_t kPageBytes = 4096;
// Limit on the shadow: about half a GiB.
constexpr std::size_t kMostCells = 5'000'000;
// An allocation of the heap is often small, so its pages are.
constexpr std::uint64_t kHeapPageBytes = 64;

}  // namespace

void GlobalRace::merge(GlobalRace& other) {
  other.end_block();
  Checker::merge(other);
  open_.merge(other.open_);
}

Findings GlobalRace::findings() const {
  Findings all = findings_;
  open_.add_to(all);
  all.settle_races();
  return all;
}

void GlobalRace::begin_launch(const run::LaunchContext& context) {
  open_ = {};
  order_.begin_launch(context);
  updates_.begin_launch(*context.function, context.warps_per_block * run::kWarpSize);
  shadow_ = std::make_shared<Shadow>();
  blocks_.begin_launch();
  intended_.begin_launch();
  is_cooperative_ = context.launch != nullptr && context.launch->cooperative;
  if (context.buffers == nullptr) return;
  for (const auto& buffer : *context.buffers) {
    shadow_->before.push_back(buffer.read_only ? std::vector<std::byte>() : buffer.bytes);
  }
}

void GlobalRace::begin_launch_beside(const run::LaunchContext& context, GlobalRace& first) {
  open_ = {};
  order_.begin_launch(context);
  updates_.begin_beside(first.updates_);
  shadow_ = first.shadow_;
  blocks_.begin_launch_beside(first.blocks_);
  intended_.begin_launch_beside(first.intended_);
  is_cooperative_ = true;
}

void GlobalRace::begin_block() {
  order_.begin_block();
  updates_.begin_block();
  blocks_.begin_block(static_cast<std::uint32_t>(view_.block()));
  intended_.begin_block(static_cast<std::uint32_t>(view_.block()));
  grid_arrivals_ = 0;
  grid_passed_ = 0;
}

void GlobalRace::end_block() {
  open_.end_block([&](Findings& findings, const Race& race) { report(findings, race); });
}

void GlobalRace::barrier(const run::BarrierEvent& event) {
  if (event.scope == run::BarrierEvent::Scope::kBlock) {
    order_.block_barrier();
    ++barriers_;
    blocks_.settle_all();
    return;
  }
  if (event.scope == run::BarrierEvent::Scope::kWarp) {
    blocks_.settle(event.warp, event.mask, order_.stamp(event.warp));
  } else if (event.members != nullptr) {
    for (std::uint32_t w = 0; w < view_.warps_per_block(); ++w) {
      blocks_.settle(w, event.members[w], order_.stamp(w));
    }
  }
  order_.barrier(event);
}

void GlobalRace::order(const run::OrderEvent& event) {
  const bool is_narrow = event.kind == run::OrderEvent::Kind::kFence && !event.device_wide;
  if (!is_narrow) blocks_.settle(event.warp, event.mask, order_.stamp(event.warp));
  order_.order(event);
}

void GlobalRace::grid(const run::GridEvent& event) {
  if (event.kind == run::GridEvent::Kind::kArrive) {
    ++grid_arrivals_;
  } else {
    grid_passed_ = grid_arrivals_;
  }
}

void GlobalRace::memory(const run::MemoryEvent& event) {
  if (event.space == run::Space::kGlobal) {
    const bool swaps = repairs(event);
    const bool is_strong = order_.strength(event, run::lowest_lane(event.mask)) != Strength::kPlain;
    for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
      const auto lane = run::lowest_lane(left);
      const auto begin = event.address[lane];
      access(event, lane);
      if (swaps) open_.close(event.warp * run::kWarpSize + lane, begin, begin + event.bytes);
      if (is_strong) hand_over(event, lane);
    }
  }
  order_.access(event);
}

GlobalRace::Cell* GlobalRace::cells_of(std::uint64_t address, std::uint32_t bytes,
                                       std::uint32_t& cell_bytes) {
  const auto page_bytes = LaunchView::is_in_heap(address) ? kHeapPageBytes : kPageBytes;
  const auto words = page_bytes / 4;  // The heap's quotients are far above those of others.
  Page& page = shadow_->pages[address / page_bytes];
  const auto has_room = [&](std::size_t more) {
    if (shadow_->cells + more > kMostCells) return false;
    shadow_->cells += more;
    return true;
  };
  if (page.cells.empty()) {
    if (!has_room(words)) return nullptr;
    page.cells.resize(words);
  }
  if (!page.by_bytes && bytes < 4) {
    if (!has_room(page_bytes - words)) return nullptr;
    std::vector<Cell> cells(page_bytes);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i] = page.cells[i / 4];
      cells[i].value = cells[i].value >> (i % 4 * 8) & 0xff;
    }
    page.cells = std::move(cells);
    page.by_bytes = true;
  }
  cell_bytes = page.by_bytes ? 1 : 4;
  return &page.cells[address % page_bytes / cell_bytes];
}

// An access is aligned to its size, so it is in one page.
void GlobalRace::access(const run::MemoryEvent& event, std::uint32_t lane) {
  const auto address = event.address[lane];
  if (!view_.is_shared_by_threads(address, event.bytes)) return;
  if (updates_.is_active()) {
    updates_.access(
        address, touch_of(event, lane), event.operation != run::Operation::kLoad,
        [&](const Touch& before) { return is_ordered(before, event, lane); },
        [&](const auto& found) { report_update(found, event, lane); });
  }
  std::uint32_t cell_bytes = 0;
  Cell* cells = cells_of(address, event.bytes, cell_bytes);
  if (cells == nullptr) return;
  for (std::uint32_t at = 0; at < event.bytes; at += cell_bytes) {
    touch(event, lane, address + at, cell_bytes, cells[at / cell_bytes]);
  }
}

GlobalRace::Touch GlobalRace::touch_of(const run::MemoryEvent& event, std::uint32_t lane) const {
  Touch now{static_cast<std::uint32_t>(view_.block()),
            event.warp * run::kWarpSize + lane,
            order_.stamp(event.warp),
            event.instruction,
            order_.strength(event, lane),
            event.operation};
  now.is_of_block = order_.is_of_block(event);
  now.grid_arrivals = grid_arrivals_;
  now.barriers = barriers_;
  return now;
}

void GlobalRace::touch(const run::MemoryEvent& event, std::uint32_t lane, std::uint64_t place,
                       std::uint32_t cell_bytes, Cell& cell) {
  Touch now = touch_of(event, lane);
  std::uint32_t value = 0;
  const bool has_value = event.data != nullptr;
  if (has_value) {
    const auto at = std::size_t{lane} * event.bytes + (place - event.address[lane]);
    std::memcpy(&value, event.data + at, cell_bytes);
    now.keeps_value = holds(cell, place, cell_bytes, value);
  }
  Race race{{}, now, event.address[lane], event.bytes, view_.moment(lane)};
  const bool equal = has_value && cell.has_value && value == cell.value;
  Touch none;
  auto* const earlier = order_.has_intent() ? &shadow_->earlier[place] : &none;
  for (Touch* write : {&cell.strong_write, &cell.write, earlier}) {
    race.before = *write;
    const bool is_race = races(*write, now, event, lane);
    const bool is_unfenced = !is_race && needs_fence(*write, now, event, lane, place);
    if ((!is_race && !is_unfenced) || equal) continue;
    if (resets_counter(*write, now, event, lane, place)) continue;
    if (is_race && leave_open(race, place, cell_bytes)) continue;
    explain(race, event, lane);
    report(findings_, race);
    if (harmless(race) != Harmless::kNo) continue;
    // Forgets the earlier writes, so no race with them is reported twice.
    cell.write = {};
    cell.strong_write = {};
    *earlier = {};
  }
  if (order_.has_intent() && now.strength != Strength::kPlain) {
    shadow_->seen.note(place, now.block, now.thread, order_.use(now.instruction));
  }
  if (event.operation == run::Operation::kLoad) {
    // Replaces a read that is ordered before this one, or uses a free entry.
    for (Touch& read : cell.reads) {
      if (!is_covered(read, now, event, lane)) continue;
      read = now;
      return;
    }
    return;
  }
  const bool swaps = repairs(event);
  for (Touch& read : cell.reads) {
    race.before = read;
    const bool is_race =
        races(read, now, event, lane) || needs_fence(read, now, event, lane, place);
    if (is_race) explain(race, event, lane);
    const bool is_harmless = is_race && harmless(race) != Harmless::kNo;
    if (is_race && !leave_open(race, place, cell_bytes)) report(findings_, race);
    const bool is_first_look = swaps && read.block == now.block && read.thread == now.thread;
    if (is_first_look) open_.add_first_look(read.instruction);
    if ((is_race && !is_harmless) || is_first_look || is_covered(read, now, event, lane)) read = {};
  }
  // A store that changes nothing must not hide an earlier one that did.
  const bool hides = now.keeps_value && cell.write.block != kNobody && !cell.write.keeps_value;
  if (now.strength == Strength::kPlain) {
    if (!hides) cell.write = now;
    if (!now.keeps_value) cell.strong_write = {};
  } else {
    const Touch& last = cell.strong_write;
    if (last.block != now.block || last.thread != now.thread) *earlier = last;
    if (!is_atomic(now.operation)) *earlier = {};
    cell.strong_write = now;
  }
  cell.value = value;
  cell.has_value = has_value;
  cell.is_written = true;
}

bool GlobalRace::holds(const Cell& cell, std::uint64_t place, std::uint32_t bytes,
                       std::uint32_t value) const {
  if (cell.is_written) return cell.has_value && cell.value == value;
  const auto buffer = view_.buffer_at(place, bytes);
  if (buffer >= shadow_->before.size() || !view_.buffers()[buffer].defined) return false;
  const auto offset = place - view_.buffers()[buffer].address;
  std::uint32_t held = 0;
  if (offset + bytes > shadow_->before[buffer].size()) return false;
  std::memcpy(&held, shadow_->before[buffer].data() + offset, bytes);
  return held == value;
}

Harmless GlobalRace::harmless(const Race& race) const {
  const auto access = [](const Touch& touch) {
    return RacingAccess{touch.instruction, touch.operation, touch.keeps_value};
  };
  const bool same_warp = race.before.block == race.now.block &&
                         race.before.thread / run::kWarpSize == race.now.thread / run::kWarpSize;
  return harmless_race(view_, access(race.before), access(race.now), same_warp);
}

// Whether the verdict stays open, because one access is a read and the other is an atomic.
bool GlobalRace::leave_open(const Race& race, std::uint64_t place, std::uint32_t cell_bytes) {
  if (!order_.has_swaps()) return false;
  const bool reads_now = race.now.operation == run::Operation::kLoad;
  const Touch& read = reads_now ? race.now : race.before;
  const Touch& other = reads_now ? race.before : race.now;
  if (read.operation != run::Operation::kLoad || !is_atomic(other.operation)) return false;
  if (read.block != race.now.block) {
    report(open_.left_by(read.instruction), race);
  } else {
    open_.open(read.thread, place, cell_bytes, read.instruction, other.instruction, race);
  }
  return true;
}

bool GlobalRace::is_ordered(const Touch& before, const run::MemoryEvent& event,
                            std::uint32_t lane) const {
  if (before.block == kNobody) return true;
  const auto follows = [&](std::uint32_t thread, std::uint32_t stamp) {
    return order_.unordered(thread / run::kWarpSize, 1U << thread % run::kWarpSize, stamp,
                            event.warp, lane) == 0;
  };
  if (before.block == view_.block()) return follows(before.thread, before.stamp);
  return before.grid_arrivals < grid_passed_ ||
         blocks_.knows(before.block, before.thread, before.stamp,
                       [&](const auto& reader) { return follows(reader.thread, reader.stamp); });
}

bool GlobalRace::is_intended(const Touch& before, const run::MemoryEvent& event,
                             std::uint32_t lane) const {
  if (!order_.has_intent() || before.block == kNobody) return false;
  if (before.block != view_.block()) {
    return intended_.who_knows(before.block, before.thread, before.stamp).has_value();
  }
  return order_.intends(before.thread / run::kWarpSize, before.thread % run::kWarpSize,
                        before.stamp, event.warp, lane);
}

bool GlobalRace::needs_fence(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                             std::uint32_t lane, std::uint64_t place) const {
  if (!order_.has_intent() || before.block == kNobody || now.keeps_value ||
      before.strength == Strength::kPlain || now.strength == Strength::kPlain) {
    return false;
  }
  return needs_order(order_.use(before.instruction), order_.use(now.instruction)) &&
         is_intended(before, event, lane) && !is_ordered(before, event, lane) &&
         (before.operation == run::Operation::kLoad ||
          !shadow_->seen.has(place, now.block, now.thread, before.block != now.block));
}

bool GlobalRace::resets_counter(const Touch& before, const Touch& now,
                                const run::MemoryEvent& event, std::uint32_t lane,
                                std::uint64_t place) const {
  const bool is_too_narrow = before.block != now.block && (before.is_of_block || now.is_of_block);
  if (!order_.has_intent() || !is_atomic(before.operation) || is_too_narrow) return false;
  const bool is_plain_store =
      now.operation == run::Operation::kStore && now.strength == Strength::kPlain;
  return (is_plain_store && shadow_->seen.has(place, now.block, now.thread, true)) ||
         resets_after(before, now, event, lane);
}

bool GlobalRace::resets_after(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                              std::uint32_t lane) const {
  return order_.has_intent() && order_.use(now.instruction).resets && is_atomic(before.operation) &&
         (is_intended(before, event, lane) || is_ordered(before, event, lane));
}

bool GlobalRace::is_covered(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                            std::uint32_t lane) const {
  return before.block == kNobody ||
         (covers(now.strength, before.strength) && is_ordered(before, event, lane));
}

void GlobalRace::explain(Race& race, const run::MemoryEvent& event, std::uint32_t lane) const {
  race.lacks_fence = is_intended(race.before, event, lane);
  race.waiter = std::nullopt;
  if (race.before.block == view_.block()) return;
  const auto known = blocks_.who_knows(race.before.block, race.before.thread, race.before.stamp);
  if (known) race.waiter = known->instruction;
}

bool GlobalRace::races(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                       std::uint32_t lane) const {
  const bool is_too_narrow = before.block != now.block && (before.is_of_block || now.is_of_block);
  const bool both_strong =
      before.strength != Strength::kPlain && now.strength != Strength::kPlain && !is_too_narrow;
  return before.block != kNobody && !both_strong && !is_ordered(before, event, lane);
}

// Releases this thread's knowledge to readers of the place, and acquires released knowledge.
void GlobalRace::hand_over(const run::MemoryEvent& event, std::uint32_t lane) {
  const auto place = event.address[lane];
  if (place == run::kGridBarrier) return;  // grid() handles it.
  if (order_.learns(event)) {
    const auto count = blocks_.releases(place);
    const BlockOrder::Reader reader{event.warp * run::kWarpSize + lane, order_.stamp(event.warp),
                                    event.instruction};
    if (order_.acquires(event)) {
      blocks_.acquire(reader, place, count);
    } else {
      blocks_.wait_to_acquire(reader, place, count);
    }
  }
  blocks_.release(place, order_.handed_on(event, lane));
  if (!order_.has_intent()) return;
  if (order_.reads_flag(event)) {
    intended_.acquire_for_all(place, intended_.releases(place));
  }
  intended_.release(place, order_.handed_on_by_intent(event, lane));
}

base::RaceAdvice GlobalRace::advice(const Race& race, Harmless harmless) const {
  using base::BlocksAdvice;
  const Touch& before = race.before;
  const Touch& now = race.now;
  if (harmless != Harmless::kNo) {
    const auto& other = now.operation == run::Operation::kLoad ? before : now;
    return base::HarmlessAdvice{harmless, std::string(view_.type_text(other.instruction)), true};
  }
  const bool both_write =
      now.operation != run::Operation::kLoad && before.operation != run::Operation::kLoad;
  const bool is_one_block = before.block == now.block;
  const bool across_blocks = !is_one_block || view_.rank_of_warp(before.thread / run::kWarpSize) !=
                                                  view_.rank_of_warp(now.thread / run::kWarpSize);
  const bool is_too_narrow = !is_one_block && (before.is_of_block || now.is_of_block);
  if (race.waiter && !is_too_narrow) {
    base::BarrierAdvice barrier;
    barrier.between = view_.between(*race.waiter, now.instruction);
    return barrier;
  }
  if (race.lacks_fence && !is_too_narrow) {
    return base::FenceAdvice{view_.line(before.instruction, now.instruction),
                             view_.line(now.instruction, now.instruction), across_blocks};
  }
  if (const auto update = view_.update_advice(before.instruction, now.instruction)) return *update;
  if (is_one_block) {
    const bool same_warp = before.thread / run::kWarpSize == now.thread / run::kWarpSize;
    return race_advice(view_,
                       {before.instruction, now.instruction, both_write, same_warp, across_blocks});
  }
  if (is_too_narrow) {
    const auto narrow = now.is_of_block ? now.instruction : before.instruction;
    return base::ScopeAdvice{view_.line(narrow, now.instruction)};
  }
  if (both_write && is_atomic(now.operation) != is_atomic(before.operation)) {
    return BlocksAdvice::kSetBefore;
  }
  if (is_cooperative_) {
    return base::GridAdvice{view_.between(before.instruction, now.instruction)};
  }
  return both_write ? BlocksAdvice::kOwnElement : BlocksAdvice::kHandOver;
}

void GlobalRace::report(Findings& findings, const Race& race) const {
  const auto lines = std::minmax(
      {view_.line_number(race.before.instruction), view_.line_number(race.now.instruction)});
  FindingKey key{base::DiagnosticKind::kRace, lines.first, lines.second};
  key.in_one_warp = race.before.block == race.now.block &&
                    race.before.thread / run::kWarpSize == race.now.thread / run::kWarpSize;
  const auto kind = harmless(race);
  findings.add_race(key, race.moment, kind != Harmless::kNo, [&](bool is_harmless) {
    return diagnostic(race, is_harmless ? kind : Harmless::kNo);
  });
}

void GlobalRace::report_update(const LostUpdates<Touch>::Found& found,
                               const run::MemoryEvent& event, std::uint32_t lane) {
  const auto read = found.read.instruction, write = found.write.instruction;
  if (event.instruction == write && resets_after(found.other, found.write, event, lane)) return;
  const auto lines = std::minmax({view_.line_number(read), view_.line_number(write)});
  FindingKey key{base::DiagnosticKind::kRace, lines.first, lines.second};
  findings_.add_race(key, view_.moment(lane), false, [&](bool /*is_harmless*/) {
    const Moment of_write{found.write.block, 0, lane};
    auto out = diagnostic({found.other, found.write, event.address[lane], event.bytes, of_write},
                          Harmless::kNo);
    std::get<base::Race>(out.facts).advice = view_.advice_for(read, write);
    return out;
  });
}

base::Diagnostic GlobalRace::diagnostic(const Race& race, Harmless kind) const {
  const Touch& before = race.before;
  const Touch& now = race.now;
  base::Race facts;
  facts.place = view_.global_place(race.address, race.bytes);
  facts.does = does(now.operation);
  facts.in_global = true;
  if (view_.line_number(before.instruction) != view_.line_number(now.instruction)) {
    facts.other_line = view_.line(before.instruction, now.instruction);
  }
  facts.advice = advice(race, kind);
  auto out =
      view_.diagnostic(base::DiagnosticKind::kRace, now.instruction, race.moment.block,
                       now.thread / run::kWarpSize, now.thread % run::kWarpSize, std::move(facts));
  out.severity = kind == Harmless::kNo ? base::Severity::kError : base::Severity::kWarning;
  out.related = {view_.related(before.instruction, before.block, before.thread / run::kWarpSize,
                               before.thread % run::kWarpSize, does(before.operation))};
  return out;
}

}  // namespace warpgrade::check
