// SPDX-License-Identifier: Apache-2.0
// Judges a race: whether it is harmless, and else which barrier would order its accesses.
//
// In: two racing accesses, and the facts of the launch. Out: the reason why the race is harmless,
// or the advice for it. A store of the value that a word already contains is harmless, and so is
// a stale value that only decides the next step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "common/check/finding.h"
#include "common/check/launch_view.h"
#include "common/run/observer.h"

namespace warpgrade::check {

// The values that a block has stored in shared memory, and whether any store since the last barrier
// of the block changed them.
//
// A byte is unchanged if it was stored before the last barrier and every store since has stored
// the same value. The first store of a byte in a block always changes it, because memory that no
// thread has written has no value. So do an atomic, whose value is unknown, and the next store
// after it. A store of the old value after a store of another one does not undo the change: another
// thread may read in between.
//
// One number per 4-byte word: the interval of the last store, its changed bytes, and all bytes
// whose value is known. Intervals are numbered across blocks, so a barrier and a new block cost
// nothing.

class StoredValues {
 public:
  void begin_launch(std::uint32_t words);
  void begin_block();
  /// All threads have met: earlier stores no longer race with later accesses.
  void begin_interval();

  /// A store of `bytes` bytes at `offset`, all in one word. `data` is nullptr if the value is
  /// unknown. value_is() still compares with the previous value, until keep(). A bulk copy always
  /// counts as a change.
  void store(std::uint64_t offset, std::uint32_t bytes, const std::byte* data, bool is_bulk);
  void keep(std::uint64_t offset, std::uint32_t bytes, const std::byte* data);
  /// store() and keep() for `count` words, a multiple of 32, that no store has touched in this
  /// interval.
  void store_words(std::uint64_t begin, std::uint32_t count, const std::byte* data, bool is_bulk);

  /// Whether these bytes, all in one word, hold `data`, for bytes that were stored before.
  bool value_is(std::uint64_t offset, std::uint32_t bytes, const std::byte* data) const;
  /// Whether no store since the last barrier changed these bytes, all in one word.
  bool is_unchanged(std::uint64_t offset, std::uint32_t bytes) const;

 private:
  void restart();
  /// The known bytes of a word, in bits 4 to 7, and those changed in this interval, in bits 0 to 3.
  std::int32_t known(std::int32_t word) const;
  std::int32_t changed(std::int32_t word) const;

  std::int32_t interval_ = kStep;
  std::int32_t block_ = kStep;  // the block's first interval
  std::vector<std::int32_t> words_;
  std::vector<std::byte> values_;

  static constexpr std::int32_t kStep = 0x100;  // bits 0 to 3: changed bytes; 4 to 7: known bytes
};

/// One of the two accesses of a race.
struct RacingAccess {
  std::uint32_t instruction = 0;
  run::Operation operation{};
  bool keeps_value = false;  ///< It stores the value that the word already contains.
};

using base::Harmless;

Harmless harmless_race(const LaunchView& view, const RacingAccess& before, const RacingAccess& now,
                       bool same_warp);

// Races of plain reads with atomics that may turn out to be harmless.
//
// A compare-and-swap loop begins with a plain read of the word, even in the CUDA C++ Programming
// Guide's own atomicAdd() for doubles, and so does a test like `if (*p == 0 && atomicCAS(p, 0, 1)
// == 0)`. In the memory model such a read races with atomics of other threads. It is harmless,
// because with a stale value the compare-and-swap fails and returns the current one. Therefore the
// race stays open until the thread compares and swaps the bytes that it read, which closes it. The
// instruction that read them is then a known first look. A thread is also right if it reads by a
// first look and finishes without a swap because of the value. Races that are open at the block's
// end and do not involve a first look of any thread are findings. Other atomics close no race,
// because an addition does not compare the old value.

/// `Race` contains the data for a checker's report.
template <class Race>
class OpenRaces {
 public:
  /// `thread` has read the `bytes` bytes of the cell at `place` with instruction `read`; `race` is
  /// the race with instruction `atomic` of another thread. Repeating the call has no effect.
  void open(std::uint32_t thread, std::uint64_t place, std::uint32_t bytes, std::uint32_t read,
            std::uint32_t atomic, const Race& race) {
    if (count_ == kMost || is_first_look(read)) return;
    auto& all = races_[{thread, place}];
    const bool known = std::any_of(all.begin(), all.end(), [&](const Open& other) {
      return other.read == read && other.atomic == atomic && other.bytes == bytes;
    });
    if (known) return;
    all.push_back({read, atomic, bytes, race});
    ++count_;
  }
  /// `thread` compares and swaps the bytes from `begin` to `end`.
  void close(std::uint32_t thread, std::uint64_t begin, std::uint64_t end) {
    auto at = races_.lower_bound({thread, begin});
    while (at != races_.end() && at->first.first == thread && at->first.second < end) {
      const auto place = at->first.second;
      count_ -= std::erase_if(at->second, [&](const Open& open) {
        if (place + open.bytes > end) return false;
        first_looks_.insert(open.read);
        return true;
      });
      at = at->second.empty() ? races_.erase(at) : std::next(at);
    }
  }
  /// Whether races of this instruction are known to be harmless.
  bool is_first_look(std::uint32_t read) const { return first_looks_.contains(read); }
  /// Some thread compares and swaps bytes that it has read with this instruction.
  void add_first_look(std::uint32_t read) { first_looks_.insert(read); }

  /// Open races of threads whose block has ended and that used instruction `read`.
  Findings& left_by(std::uint32_t read) { return left_[read]; }
  /// The block has ended: report(findings, race) adds each open race to `findings`.
  template <class Report>
  void end_block(const Report& report) {
    for (const auto& [key, all] : races_) {
      for (const Open& open : all) report(left_[open.read], open.race);
    }
    races_.clear();
    count_ = 0;
  }
  /// Adds the results of `other`, whose block has ended.
  void merge(const OpenRaces& other) {
    for (const auto& [read, findings] : other.left_) left_[read].merge(findings);
    first_looks_.insert(other.first_looks_.begin(), other.first_looks_.end());
  }
  /// Whether the blocks so far have left no race open.
  bool is_empty() const { return left_.empty(); }
  /// Adds the open races that do not involve a first look of any thread.
  void add_to(Findings& findings) const {
    for (const auto& [read, left] : left_) {
      if (!first_looks_.contains(read)) findings.merge(left);
    }
  }

 private:
  static constexpr std::size_t kMost = 65536;  // per block; further ones are ignored
  struct Open {
    std::uint32_t read;
    std::uint32_t atomic;
    std::uint32_t bytes;
    Race race;
  };

  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Open>> races_;
  std::size_t count_ = 0;
  std::map<std::uint32_t, Findings> left_;  // by the instruction that read
  std::set<std::uint32_t> first_looks_;
};

// The advice for a race between two threads of a block: which barrier, and at which place.
//
// A __syncthreads() in a branch for one warp would deadlock, so a race within a warp needs a
// __syncwarp(). If one statement reads and writes elements of several threads, no barrier fits
// between its two accesses, so the value must pass through a variable. Blocks of a cluster need its
// barrier.

struct BlockRace {
  std::uint32_t before = 0;  ///< Instruction of the earlier access.
  std::uint32_t now = 0;     ///< Instruction of the later access.
  bool both_write = false;
  bool same_warp = false;
  bool across_blocks = false;  ///< Between two blocks of a cluster.
};

/// Only during the launch.
base::BarrierAdvice race_advice(const LaunchView& view, const BlockRace& race);

}  // namespace warpgrade::check
