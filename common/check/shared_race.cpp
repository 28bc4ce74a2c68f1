// SPDX-License-Identifier: Apache-2.0
// From fast to slow: a run of words in one loop, one untouched word per lane, any cell in general.
// The first two have exactly the effect of the last one for cells in which no race is possible.
#include "common/check/shared_race.h"

#include <algorithm>
#include <cstring>

#include "common/run/lanes.h"

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

}  // namespace warpgrade::check
