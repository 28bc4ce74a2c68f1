// SPDX-License-Identifier: Apache-2.0
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
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "common/check/finding.h"

namespace warpgrade::check {

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

}  // namespace warpgrade::check
