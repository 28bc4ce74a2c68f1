// SPDX-License-Identifier: Apache-2.0
#include "common/check/shared_race.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "common/check/access_log.h"
#include "common/check/happens_before.h"
#include "common/check/harmless_race.h"
#include "common/check/launch_view.h"
#include "common/run/observer.h"

namespace warpgrade::check {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 20;

// Words and lanes of an access of a whole warp to consecutive words: word i belongs to lane i >>
// kShift.
template <unsigned kShift>
void set_run(Reference* cells, std::uint32_t number) {
  const Reference first = AccessLog::reference(number, 0);
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(run::kWarpSize << kShift); ++i) {
    cells[i] = first + (i >> kShift);
  }
}

bool any_since(const Reference* cells, std::uint32_t words, Reference first) {
  Reference any = 0;
  for (std::uint32_t i = 0; i < words; ++i) any |= cells[i] >= first ? 1 : 0;
  return any != 0;
}

// Two volatile accesses in one warp may race, because their order still matters: volatile does not
// replace __syncwarp().
bool never_race(Strength a, Strength b) {
  return a != Strength::kPlain && b != Strength::kPlain &&
         (a == Strength::kStrong || b == Strength::kStrong);
}

}  // namespace

void SharedRace::merge(SharedRace& other) {
  other.end_block();
  Checker::merge(other);
  open_.merge(other.open_);
}

Findings SharedRace::findings() const {
  Findings all = findings_;
  open_.add_to(all);
  all.settle_races();
  return all;
}

void SharedRace::begin_launch(const run::LaunchContext& context) {
  open_ = {};
  order_.begin_launch(context);
  updates_.begin_launch(*context.function, context.warps_per_block * run::kWarpSize);
  words_ = (view_.shared_bytes() + 3) / 4;
  has_equal_writes_ = false;
  word_write_.assign(words_, 0);
  word_read_.assign(words_, 0);
  byte_write_.clear();
  byte_read_.clear();
  values_.begin_launch(words_);
  log_ = words_ == 0
             ? AccessLog()
             : AccessLog(view_.instructions(), view_.warps_per_block(), order_.has_shared_swaps());
}

void SharedRace::begin_block() {
  if (words_ == 0) return;
  begin_interval();
  values_.begin_block();
  order_.begin_block();
}

void SharedRace::barrier(const run::BarrierEvent& event) {
  if (words_ == 0) return;
  if (event.scope == run::BarrierEvent::Scope::kBlock) {
    begin_interval();
    values_.begin_interval();
  } else {
    order_.barrier(event);
  }
}

void SharedRace::order(const run::OrderEvent& event) {
  if (words_ != 0) order_.order(event);
}

void SharedRace::end_block() {
  open_.end_block([&](Findings& findings, const Race& race) { report(findings, race); });
}

void SharedRace::begin_interval() {
  remote_.clear();
  seen_.clear();
  order_.forget();
  updates_.forget();
  if (!log_.begin_interval()) return;
  for (auto* cells : {&word_write_, &word_read_, &byte_write_, &byte_read_}) {
    std::fill(cells->begin(), cells->end(), 0);
  }
}

void SharedRace::memory(const run::MemoryEvent& event) {
  if (words_ == 0) return;
  if (event.space == run::Space::kShared) {
    check(event);
    if (order_.has_intent()) note_seen(event);
    if (view_.cluster_blocks() > 1) note_remote(event);
  }
  order_.access(event);
}

void SharedRace::check(const run::MemoryEvent& event) {
  if (log_.size() > kMostEntries) begin_interval();
  if (updates_.is_active()) find_lost_updates(event);
  const std::uint32_t number = log_.number_of(
      event.instruction, event.warp, order_.stamp(event.warp),
      order_.strength(event, run::lowest_lane(event.mask)), is_atomic(event.operation));
  if (event.mask == run::kFullMask && (event.address[0] | event.bytes) % 4 == 0) {
    if (event.stride == event.bytes && access_run(event, number)) return;
    if (event.stride == 0 && event.operation == run::Operation::kLoad) {
      access_broadcast(event, number);
      return;
    }
  }
  access_lanes(event, number);
  if (!repairs(event)) return;
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    const auto begin = event.address[lane];
    open_.close(event.warp * run::kWarpSize + lane, begin, begin + event.bytes);
  }
}

// Lane i touches the words from address[0] + i * bytes on. Returns false without effect if some
// word has been touched since the barrier.
bool SharedRace::access_run(const run::MemoryEvent& event, std::uint32_t number) {
  const std::uint64_t word = event.address[0] / 4;
  const std::uint32_t words = run::kWarpSize * event.bytes / 4;
  const Reference first = log_.first();
  if (word + words > words_ || is_atomic(event.operation)) return false;
  if (any_since(&word_write_[word], words, first) || any_since(&word_read_[word], words, first)) {
    return false;
  }
  const bool is_store = event.operation == run::Operation::kStore;
  if (is_store && event.data == nullptr) return false;
  if (is_store) values_.store_words(word, words, event.data, event.is_bulk);
  Reference* const cells = is_store ? &word_write_[word] : &word_read_[word];
  switch (event.bytes) {
    case 4:
      set_run<0>(cells, number);
      return true;
    case 8:
      set_run<1>(cells, number);
      return true;
    case 16:
      set_run<2>(cells, number);
      return true;
    default:
      return false;
  }
}

void SharedRace::access_broadcast(const run::MemoryEvent& event, std::uint32_t number) {
  const std::uint64_t begin = event.address[0];
  if (begin + event.bytes > std::uint64_t{words_} * 4) return;
  access_bytes(event, {number, event.mask}, begin, begin + event.bytes, nullptr);
}

void SharedRace::access_lanes(const run::MemoryEvent& event, std::uint32_t number) {
  const bool is_load = event.operation == run::Operation::kLoad;
  const bool is_word = event.bytes == 4 && (is_load || event.data != nullptr);
  const Reference first = log_.first();
  const Strength strength = log_.entry(number).strength;
  for (std::uint32_t left = event.mask; left != 0; left &= left - 1) {
    const std::uint32_t lane = run::lowest_lane(left);
    const std::uint64_t begin = event.address[lane];
    const std::uint64_t end = begin + event.bytes;
    if (end > std::uint64_t{words_} * 4) continue;  // out of bounds: the simulator reports it
    const std::byte* const data =
        event.data == nullptr ? nullptr : event.data + std::size_t{lane} * event.bytes;
    if (is_word && begin % 4 == 0) {
      // This is enough for a word that no other thread has touched since the barrier, and for one
      // more read of a word that two warps have read already.
      Reference& write = word_write_[begin / 4];
      Reference& read = word_read_[begin / 4];
      const auto is_free = [&](Reference cell) {
        return cell < first || (cell > first && log_.is_of_thread(cell, event.warp, lane));
      };
      if (is_load && write < first && read > first && log_.is_full(read, strength)) continue;
      const auto is_covered = [&](Reference cell) {
        return cell < first || covers(strength, log_.entry(cell).strength);
      };
      Reference& own = is_load ? read : write;
      if (is_free(write) && is_free(read) && is_covered(own)) {
        if (!is_load) {
          values_.store(begin, 4, data, event.is_bulk);
          values_.keep(begin, 4, data);
        }
        own = AccessLog::reference(number, lane);
        continue;
      }
    }
    access_bytes(event, {number, 1U << lane}, begin, end, data);
  }
}

// Bytes `begin` to `end`, cell by cell.
void SharedRace::access_bytes(const run::MemoryEvent& event, const Access& access,
                              std::uint64_t begin, std::uint64_t end, const std::byte* data) {
  for (std::uint64_t offset = begin; offset < end;) {
    const std::uint64_t word = offset / 4;
    const std::uint64_t next = std::min(word * 4 + 4, end);
    const auto data_at = [&](std::uint64_t at) {
      return data == nullptr ? nullptr : data + (at - begin);
    };
    const bool is_whole = next - offset == 4;
    if (!is_whole && word_write_[word] != log_.first()) split(word);
    if (word_write_[word] != log_.first()) {
      touch_cell({event, access, data_at(offset), offset, 4}, word_write_[word], word_read_[word]);
    } else {
      for (std::uint64_t at = offset; at < next; ++at) {
        touch_cell({event, access, data_at(at), at, 1}, byte_write_[at], byte_read_[at]);
      }
    }
    offset = next;
  }
}

// Gives each byte of `word` its own cell until the next block barrier.
void SharedRace::split(std::uint64_t word) {
  if (byte_write_.empty()) {
    byte_write_.assign(std::size_t{words_} * 4, 0);
    byte_read_.assign(std::size_t{words_} * 4, 0);
  }
  const Reference first = log_.first();
  for (std::uint64_t at = word * 4; at < word * 4 + 4; ++at) {
    byte_write_[at] = word_write_[word] > first ? log_.copy(word_write_[word]) : 0;
    byte_read_[at] = word_read_[word] > first ? log_.copy(word_read_[word]) : 0;
  }
  word_write_[word] = first;
}

void SharedRace::touch_cell(const Touch& touch, Reference& write, Reference& read) {
  const Reference first = log_.first();
  if (touch.event.operation == run::Operation::kLoad) {
    if (write >= first) conflicts_with(touch, write, /*are_writes=*/true);
    read = read >= first ? log_.with(read, touch.access, order_) : log_.only(touch.access);
    return;
  }
  values_.store(touch.offset, touch.bytes, touch.data, touch.event.is_bulk);
  const bool after_reads = read >= first && conflicts_with(touch, read, /*are_writes=*/false);
  const bool after_writes = write >= first && conflicts_with(touch, write, /*are_writes=*/true);
  if (touch.data != nullptr) values_.keep(touch.offset, touch.bytes, touch.data);
  // After a reported race, earlier accesses are dropped to avoid repeats.
  if (after_reads) read = 0;
  if (read >= first && repairs(touch.event)) forget_own_reads(touch, read);
  write = write >= first && !after_writes ? log_.with(write, touch.access, order_)
                                          : log_.only(touch.access);
}

// Whether `touch` races with one of the accesses of `before`; reports the race.
bool SharedRace::conflicts_with(const Touch& touch, Reference before, bool are_writes) {
  const Strength strength = log_.entry(touch.access.number).strength;
  for (std::uint32_t number = static_cast<std::uint32_t>(before) >> 5; number != 0;) {
    const Entry& entry = log_.entry(number);
    number = entry.next;
    const bool both_strong = never_race(strength, entry.strength);
    if (both_strong && !order_.has_intent()) continue;
    std::uint32_t others = AccessLog::lanes(entry, before);
    std::uint32_t lane = run::lowest_lane(touch.access.lanes);
    if (entry.warp == touch.event.warp || order_.crosses()) {
      std::uint32_t unordered = 0;
      for (std::uint32_t left = touch.access.lanes; left != 0 && unordered == 0; left &= left - 1) {
        lane = run::lowest_lane(left);
        unordered = order_.unordered(entry.warp, others, entry.stamp, touch.event.warp, lane);
      }
      others = unordered;
    }
    if (others == 0 || (both_strong && !needs_fence(touch, entry, others, lane))) continue;
    const bool both_plain_writes =
        are_writes && touch.event.operation == run::Operation::kStore && !entry.is_update;
    if (both_plain_writes && touch.data != nullptr &&
        values_.value_is(touch.offset, touch.bytes, touch.data)) {
      has_equal_writes_ = true;
      continue;
    }
    if (!both_strong && leave_open(touch, entry, AccessLog::lanes(entry, before), are_writes))
      continue;
    if (only_saves_store(touch, entry, are_writes)) continue;
    const auto found = race(touch, entry, run::lowest_lane(others), lane, are_writes);
    report(findings_, found);
    if (harmless(found) == Harmless::kNo) return true;
  }
  return false;
}

bool SharedRace::only_saves_store(const Touch& touch, const Entry& before, bool are_writes) const {
  const auto strength = log_.entry(touch.access.number).strength;
  if (strength == Strength::kPlain || before.strength == Strength::kPlain) return false;
  const auto read = are_writes ? touch.event.instruction : before.instruction;
  const auto write = are_writes ? before.instruction : touch.event.instruction;
  return updates_.is_equal(read, write) && !view_.is_stored(read, write);
}

bool SharedRace::needs_fence(const Touch& touch, const Entry& before, std::uint32_t others,
                             std::uint32_t lane) const {
  const auto& event = touch.event;
  return needs_order(order_.use(before.instruction), order_.use(event.instruction)) &&
         order_.intends(before.warp, run::lowest_lane(others), before.stamp, event.warp, lane) &&
         !seen_.has(event.address[lane], 0, event.warp * run::kWarpSize + lane,
                    /*any_thread=*/false);
}

void SharedRace::note_seen(const run::MemoryEvent& event) {
  const auto& use = order_.use(event.instruction);
  if (order_.strength(event, run::lowest_lane(event.mask)) == Strength::kPlain) return;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    seen_.note(event.address[lane], 0, event.warp * run::kWarpSize + lane, use);
  }
}

// Whether the verdict stays open, because one access is a read and the other is an atomic.
// `before_lanes` are all lanes of `before`.
bool SharedRace::leave_open(const Touch& touch, const Entry& before, std::uint32_t before_lanes,
                            bool are_writes) {
  if (!order_.has_shared_swaps()) return false;
  const run::MemoryEvent& event = touch.event;
  const bool reads_now = event.operation == run::Operation::kLoad;
  if (reads_now ? !before.is_update : are_writes || !is_atomic(event.operation)) return false;
  if (open_.is_first_look(reads_now ? event.instruction : before.instruction)) return true;
  for (auto left = touch.access.lanes; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    auto others = order_.unordered(before.warp, before_lanes, before.stamp, event.warp, lane);
    for (; others != 0; others &= others - 1) {
      const auto other = run::lowest_lane(others);
      const auto found = race(touch, before, other, lane, are_writes);
      if (reads_now) {
        open_.open(event.warp * run::kWarpSize + lane, touch.offset, touch.bytes, event.instruction,
                   before.instruction, found);
        break;  // one race per read is enough
      }
      open_.open(before.warp * run::kWarpSize + other, touch.offset, touch.bytes,
                 before.instruction, event.instruction, found);
    }
  }
  return true;
}

// After a compare-and-swap, accesses that race with the thread's earlier reads also race with it.
void SharedRace::forget_own_reads(const Touch& touch, Reference& read) {
  const auto warp = touch.event.warp;
  const auto lane = run::lowest_lane(touch.access.lanes);
  bool has_read = false;
  for (std::uint32_t number = static_cast<std::uint32_t>(read) >> 5; number != 0;) {
    const Entry& entry = log_.entry(number);
    number = entry.next;
    const bool is_own = entry.warp == warp && (AccessLog::lanes(entry, read) >> lane & 1) != 0;
    if (!is_own) continue;
    has_read = true;
    open_.add_first_look(entry.instruction);
  }
  if (has_read) read = log_.without(read, warp, lane);
}

// The part of SharedRace that finds accesses to the shared memory of a block of the cluster that
// may have ended by then.

// A block's shared memory is gone when all its threads have exited. An access by another block
// precedes this for certain only if some thread of the block knows of it.
void SharedRace::end_rank(std::uint32_t rank) {
  if (words_ == 0) return;
  const auto warps = view_.warps_per_block() / view_.cluster_blocks();
  for (const auto& [key, access] : remote_) {
    if (key.first != rank) continue;
    const auto by = key.second;
    bool is_known = false;
    for (auto thread = rank * warps * run::kWarpSize;
         !is_known && thread < (rank + 1) * warps * run::kWarpSize; ++thread) {
      is_known = order_.unordered(by / run::kWarpSize, 1U << by % run::kWarpSize, access.stamp,
                                  thread / run::kWarpSize, thread % run::kWarpSize) == 0;
    }
    if (!is_known) report_left(by, access);
  }
  std::erase_if(remote_, [&](const auto& each) { return each.first.first == rank; });
}

// A strong access of a block to its own flag, counter or barrier object sees the strong accesses
// that other blocks have made to it, so these are complete.
void SharedRace::note_remote(const run::MemoryEvent& event) {
  const bool is_strong = order_.strength(event, run::lowest_lane(event.mask)) != Strength::kPlain;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    const auto rank = view_.rank_of_offset(event.address[lane]);
    if (rank == view_.rank_of_warp(event.warp)) {
      if (!is_strong || remote_.empty()) continue;
      std::erase_if(remote_, [&](const auto& each) {
        return each.first.first == rank && each.second.is_strong &&
               each.second.address == event.address[lane];
      });
      continue;
    }
    remote_[{rank, event.warp * run::kWarpSize + lane}] = {
        order_.stamp(event.warp), event.instruction, event.operation,
        event.address[lane],      event.bytes,       is_strong,
        view_.moment(lane)};
  }
}

// Reports a race of the access with the end of the block whose shared memory it uses.
void SharedRace::report_left(std::uint32_t thread, const Remote& access) {
  const auto line = view_.line_number(access.instruction);
  findings_.add({base::DiagnosticKind::kRace, line, line}, access.moment, 1, [&] {
    const auto warp = thread / run::kWarpSize;
    const auto lane = thread % run::kWarpSize;
    base::EndedBlock facts{view_.shared_place(access.address, access.bytes, warp),
                           does(access.operation), /*has_ended=*/false};
    return view_.diagnostic(base::DiagnosticKind::kRace, access.instruction, access.moment.block,
                            warp, lane, std::move(facts));
  });
}

// The findings of SharedRace: the facts of two racing accesses, and whether their race is harmless.

SharedRace::Race SharedRace::race(const Touch& touch, const Entry& before,
                                  std::uint32_t before_lane, std::uint32_t lane,
                                  bool before_writes) const {
  const run::MemoryEvent& event = touch.event;
  Race race;
  race.before = before;
  race.before_lane = before_lane;
  race.before_writes = before_writes;
  race.instruction = event.instruction;
  race.operation = event.operation;
  race.warp = event.warp;
  race.lane = lane;
  race.address = event.address[lane];
  race.bytes = event.bytes;
  race.lacks_fence = order_.intends(before.warp, before_lane, before.stamp, event.warp, lane);
  race.is_unchanged = values_.is_unchanged(touch.offset, touch.bytes);
  race.moment = view_.moment(lane);
  return race;
}

Harmless SharedRace::harmless(const Race& race) const {
  const auto did = !race.before_writes     ? run::Operation::kLoad
                   : race.before.is_update ? run::Operation::kAtomic
                                           : run::Operation::kStore;
  return harmless_race(view_, {race.before.instruction, did, race.is_unchanged},
                       {race.instruction, race.operation, race.is_unchanged},
                       race.before.warp == race.warp);
}

void SharedRace::report(Findings& findings, const Race& race) const {
  // Both orders of two lines are one finding, because one barrier is missing.
  const auto lines = std::minmax(
      {view_.line_number(race.before.instruction), view_.line_number(race.instruction)});
  FindingKey key{base::DiagnosticKind::kRace, lines.first, lines.second};
  key.in_one_warp = race.before.warp == race.warp;
  const auto kind = harmless(race);
  findings.add_race(key, race.moment, kind != Harmless::kNo, [&](bool is_harmless) {
    return diagnostic(race, is_harmless ? kind : Harmless::kNo);
  });
}

void SharedRace::find_lost_updates(const run::MemoryEvent& event) {
  const bool writes = event.operation != run::Operation::kLoad;
  for (auto left = event.mask; left != 0; left &= left - 1) {
    const auto lane = run::lowest_lane(left);
    const Step now{0,
                   event.warp * run::kWarpSize + lane,
                   order_.stamp(event.warp),
                   event.instruction,
                   0,
                   event.operation};
    const auto is_ordered = [&](const Step& before) {
      return order_.unordered(before.thread / run::kWarpSize, 1U << before.thread % run::kWarpSize,
                              before.stamp, event.warp, lane) == 0;
    };
    updates_.access(event.address[lane], now, writes, is_ordered, [&](const auto& found) {
      const auto& write = found.write;
      const auto lines = std::minmax(
          {view_.line_number(found.read.instruction), view_.line_number(write.instruction)});
      const auto moment = view_.moment(lane);
      FindingKey key{base::DiagnosticKind::kRace, lines.first, lines.second};
      findings_.add_race(key, moment, false, [&](bool /*is_harmless*/) {
        base::Race facts;
        facts.place = view_.shared_place(event.address[lane], event.bytes, event.warp);
        facts.does = does(write.operation);
        if (view_.line_number(found.other.instruction) != view_.line_number(write.instruction)) {
          facts.other_line = view_.line(found.other.instruction, write.instruction);
        }
        facts.advice = view_.advice_for(found.read.instruction, write.instruction);
        auto out = view_.diagnostic(base::DiagnosticKind::kRace, write.instruction, moment.block,
                                    write.thread / run::kWarpSize, write.thread % run::kWarpSize,
                                    std::move(facts));
        out.related = {view_.related(
            found.other.instruction, moment.block, found.other.thread / run::kWarpSize,
            found.other.thread % run::kWarpSize, does(found.other.operation))};
        return out;
      });
    });
  }
}

base::Diagnostic SharedRace::diagnostic(const Race& race, Harmless kind) const {
  const Entry& before = race.before;
  const bool is_load = race.operation == run::Operation::kLoad;
  const auto did = !race.before_writes ? base::Does::kRead
                   : before.is_update  ? base::Does::kAtomicUpdate
                                       : base::Does::kWrite;
  base::Race facts;
  facts.place = view_.shared_place(race.address, race.bytes, race.warp);
  facts.does = does(race.operation);
  if (view_.line_number(before.instruction) != view_.line_number(race.instruction)) {
    facts.other_line = view_.line(before.instruction, race.instruction);
  }
  if (kind != Harmless::kNo) {
    const auto word = is_load ? before.instruction : race.instruction;
    facts.advice = base::HarmlessAdvice{kind, std::string(view_.type_text(word)), false};
  } else if (race.lacks_fence) {
    facts.advice =
        base::FenceAdvice{view_.line(before.instruction, race.instruction),
                          view_.line(race.instruction, race.instruction),
                          view_.rank_of_warp(before.warp) != view_.rank_of_warp(race.warp)};
  } else {
    const bool both_write = !is_load && race.before_writes;
    auto advice = race_advice(
        view_, {before.instruction, race.instruction, both_write, before.warp == race.warp,
                view_.rank_of_warp(before.warp) != view_.rank_of_warp(race.warp)});
    advice.has_flags = order_.has_flags();
    facts.advice = std::move(advice);
    const auto update = view_.update_advice(before.instruction, race.instruction);
    if (update) facts.advice = *update;
  }
  auto out = view_.diagnostic(base::DiagnosticKind::kRace, race.instruction, race.moment.block,
                              race.warp, race.lane, std::move(facts));
  out.severity = kind == Harmless::kNo ? base::Severity::kError : base::Severity::kWarning;
  out.related = {
      view_.related(before.instruction, race.moment.block, before.warp, race.before_lane, did)};
  return out;
}

}  // namespace warpgrade::check
