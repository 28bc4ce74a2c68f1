// SPDX-License-Identifier: Apache-2.0
// Finds lost updates: a thread reads a word and then writes it in a second step that depends on the
// value (update_pairs.h), and another thread may write the word in between.
//
// A write of another thread may come between unless it happens before the read or after the write.
// Knowledge that the thread acquires by the read itself does not count, because a different value
// would have led to the same write. If the thread waits for one value, only a thread that waits for
// the same value, or a write that did come between, is in the way. A write that did is part of the
// program's order if the thread has read the word again after it.
//
// Each word keeps the last writes and updates of up to four threads, and each thread the last place
// of each read. Kernels without such pairs pay nothing. Two accesses count as the same word if they
// begin at the same byte.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check/update_pairs.h"

namespace warpgrade::check {

/// `Touch` is an access by one thread, with `block`, `thread`, `instruction` and `barriers`, the
/// barriers of its block so far.
template <class Touch>
class LostUpdates {
 public:
  struct Found {
    Touch read, write;  // the update
    Touch other;        // the access of another thread that may come between
  };

  void begin_launch(const ptx::Function& function, std::uint32_t threads) {
    auto pairs = function.analyses.get<UpdatePairs>([&] { return update_pairs(function); });
    words_ = std::make_shared<Words>();
    reads_of_.assign(function.instructions.size(), 0);
    std::uint32_t reads = 0;
    for (const auto& pair : pairs->all) {
      if (reads_of_[pair.read] == 0) reads_of_[pair.read] = ++reads;
    }
    last_reads_.assign(std::size_t{reads} * threads, {});
    threads_ = threads;
    pairs_ = std::move(pairs);
    begin_block();
  }
  /// For a fork that observes another block of the same launch.
  void begin_beside(const LostUpdates& first) {
    *this = first;
    begin_block();
  }
  void begin_block() {
    since_ = words_ == nullptr ? 0 : words_->time;
    may_be_read_.assign(pairs_ == nullptr || pairs_->all.empty() ? 0 : kReadBits, false);
  }
  /// All earlier accesses to all words are ordered before all later ones.
  void forget() {
    if (!is_active()) return;
    words_->all.clear();
    begin_block();
  }

  bool is_active() const { return pairs_ != nullptr && !pairs_->all.empty(); }
  bool is_lost_swap(std::uint32_t instruction) const {
    return pairs_ != nullptr && pairs_->is_lost_swap[instruction];
  }

  /// Whether `read` is only a test before `write`, which stores the same value in all threads.
  bool is_equal(std::uint32_t read, std::uint32_t write) const {
    return pairs_ != nullptr &&
           std::any_of(pairs_->all.begin(), pairs_->all.end(), [&](const UpdatePair& pair) {
             return pair.is_equal && pair.read == read && pair.write == write;
           });
  }

  /// `now` accesses the word at `place`. is_ordered(touch) returns whether an earlier access by any
  /// thread happens before `now`; report(found) receives each lost update.
  template <class IsOrdered, class Report>
  void access(std::uint64_t place, const Touch& now, bool writes, const IsOrdered& is_ordered,
              const Report& report) {
    writes = writes && !pairs_->only_reads[now.instruction];
    const auto read = reads_of_[now.instruction];
    if (!writes && read == 0) return;  // no step of an update, and no write
    const auto found = words_->all.find(place);
    Word nothing;
    Word& word = writes ? words_->all[place] : found != words_->all.end() ? found->second : nothing;
    const auto time = ++words_->time;
    const auto is_other = [&](const Touch& touch) {
      return touch.block != now.block || touch.thread != now.thread;
    };
    const auto is_loose = [&](const Touch& touch) { return is_other(touch) && !is_ordered(touch); };
    LastRead last;
    last.place = place;
    last.time = time;
    last.touch = now;
    if (read != 0) {
      for (const auto& write : word.writes) {
        if (!last.has_write && is_loose(write.touch)) {
          last.has_write = true;
          last.write = write.touch;
        }
      }
      for (const auto& update : word.updates) {
        if (update.pair->read != now.instruction || !is_loose(update.write)) continue;
        last.same = update.pair;
        last.update = update.write;
        if (update.pair->all_write && !update.pair->is_equal) {
          report(Found{update.read, update.write, now});
        }
      }
    }
    if (writes) write_word(word, place, now, time, is_other, is_ordered, report);
    if (read == 0) return;
    last_reads_[(read - 1) * std::size_t{threads_} + now.thread] = last;
    may_be_read_[read_bit(place)] = true;
  }

 private:
  static constexpr std::size_t kMost = 4;
  static constexpr std::size_t kReadBits = 4096;
  static std::size_t read_bit(std::uint64_t place) { return place / 4 % kReadBits; }
  struct Write {
    Touch touch;
    std::uint64_t time = 0;
  };
  struct Update {
    const UpdatePair* pair = nullptr;
    Touch read, write;
  };
  struct Word {
    std::vector<Write> writes;    // newest last, one per thread
    std::vector<Update> updates;  // newest last, one per thread
  };
  struct Words {
    std::unordered_map<std::uint64_t, Word> all;
    std::uint64_t time = 0;
  };
  struct LastRead {
    std::uint64_t place = ~std::uint64_t{0};
    std::uint64_t time = 0;
    Touch touch{};
    const UpdatePair* same = nullptr;  // of an unordered update with the same read
    Touch write{};                     // an unordered write
    Touch update{};                    // the write of `same`
    bool has_write = false;
  };

  // Whether the thread has read the word after `time` by another read that leads to the same write.
  bool reads_after(const UpdatePair& pair, std::uint64_t time, std::uint64_t place,
                   std::uint32_t thread) const {
    return std::any_of(pairs_->all.begin(), pairs_->all.end(), [&](const UpdatePair& other) {
      const auto& last = last_reads_[(reads_of_[other.read] - 1) * std::size_t{threads_} + thread];
      return other.write == pair.write && last.place == place && last.time > std::max(time, since_);
    });
  }

  template <class IsOther, class IsOrdered, class Report>
  void write_word(Word& word, std::uint64_t place, const Touch& now, std::uint64_t time,
                  const IsOther& is_other, const IsOrdered& is_ordered, const Report& report) {
    using Rule = UpdatePair::Rule;
    Update mine;
    const bool is_read = may_be_read_[read_bit(place)];  // by some thread since the block began
    for (const auto& pair : pairs_->all) {
      if (!is_read) break;
      if (pair.write != now.instruction) continue;
      const auto& last =
          last_reads_[(reads_of_[pair.read] - 1) * std::size_t{threads_} + now.thread];
      if (last.place != place || last.time <= since_) continue;
      mine = {&pair, last.touch, now};
      const auto counts = [&](const Touch& other) {
        return !(pair.is_equal && other.instruction == now.instruction);
      };
      const auto came_between = [&](const Write& write) {
        if (write.time <= last.time || !is_other(write.touch) || !counts(write.touch)) return false;
        // Barriers on both sides make it a part of the program's order.
        const bool is_after_read =
            write.touch.block == now.block && write.touch.barriers > last.touch.barriers;
        // By coherence a later read of the thread follows it.
        const bool is_read_again =
            pair.rule != Rule::kAny && reads_after(pair, write.time, place, now.thread);
        return !is_read_again && !(is_after_read && is_ordered(write.touch));
      };
      const auto between = std::find_if(word.writes.begin(), word.writes.end(), came_between);
      if (between != word.writes.end()) {
        report(Found{last.touch, now, between->touch});
      } else if (pair.rule == Rule::kAny && last.has_write && counts(last.write)) {
        report(Found{last.touch, now, last.write});
      } else if (pair.rule == Rule::kSameRead && last.same != nullptr && counts(last.update)) {
        report(Found{last.touch, now, last.update});
      }
    }
    const bool waited = mine.pair != nullptr && mine.pair->rule != Rule::kAny;
    for (const auto& update : word.updates) {
      if (waited || update.pair->rule != Rule::kAny || !is_other(update.write)) continue;
      if (update.pair->is_equal && update.write.instruction == now.instruction) continue;
      if (!is_ordered(update.write)) report(Found{update.read, update.write, now});
    }
    if (mine.pair != nullptr) {
      std::erase_if(word.updates, [&](const Update& old) { return !is_other(old.write); });
      if (word.updates.size() == kMost) word.updates.erase(word.updates.begin());
      word.updates.push_back(mine);
    }
    std::erase_if(word.writes, [&](const Write& old) { return !is_other(old.touch); });
    if (word.writes.size() == kMost) word.writes.erase(word.writes.begin());
    word.writes.push_back({now, time});
    // From now on its earlier reads of the word do not matter.
    for (auto at = std::size_t{now.thread}; is_read && at < last_reads_.size(); at += threads_) {
      if (last_reads_[at].place == place) last_reads_[at] = {};
    }
  }

  std::shared_ptr<const UpdatePairs> pairs_;
  std::shared_ptr<Words> words_;
  std::vector<std::uint32_t> reads_of_;  // by instruction: number of the read, from 1
  std::uint32_t threads_ = 0;
  std::vector<LastRead> last_reads_;  // by read and thread
  std::uint64_t since_ = 0;           // older ones do not count
  std::vector<bool> may_be_read_;     // by read_bit() of a place: whether it may have a last read
};

}  // namespace warpgrade::check
