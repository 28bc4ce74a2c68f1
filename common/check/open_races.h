// SPDX-License-Identifier: Apache-2.0
// Races of plain reads with atomics that may turn out to be none.
//
// A loop of compare-and-swap begins with a plain read of the word, in the CUDA C++ Programming
// Guide's own atomicAdd() for doubles too, and a test like `if (*p == 0 && atomicCAS(p, 0, 1) ==
// 0)` does as well. By the memory model such a read races with the atomics of other threads, but
// does no harm: where its value is stale the compare-and-swap fails and returns the value of now.
// So the race stays open until the thread compares and swaps the bytes that it has read, which
// closes it. The instruction that read them is then known as a first look. A thread that has read
// by a first look and left without a swap, because it has found what it wanted, is right, too. What
// is open behind the block's end and was no first look of any thread is a finding. Other atomics
// close nothing: an addition does not look at what was read before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "common/check/finding.h"

namespace warpgrade::check {

/// `Race` is what a checker needs for its report.
template <class Race>
class OpenRaces {
 public:
  /// `thread` has read the `bytes` bytes of the cell at `place` by instruction `read`, and `race`
  /// is that with instruction `atomic` of another thread. The same once more adds nothing.
  void open(std::uint32_t thread, std::uint64_t place, std::uint32_t bytes, std::uint32_t read,
            std::uint32_t atomic, const Race& race) {
    if (count_ == kMost) return;
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
  /// Some thread has read by this instruction what it compares and swaps now.
  void add_first_look(std::uint32_t read) { first_looks_.insert(read); }

  /// The races left open by threads whose block has ended and that have read by `read`.
  Findings& left_by(std::uint32_t read) { return left_[read]; }
  /// The block has ended: report(findings, race) adds each that is open to `findings`.
  template <class Report>
  void end_block(const Report& report) {
    for (const auto& [key, all] : races_) {
      for (const Open& open : all) report(left_[open.read], open.race);
    }
    races_.clear();
    count_ = 0;
  }
  /// Takes over what `other`, whose block has ended, has left and seen.
  void merge(const OpenRaces& other) {
    for (const auto& [read, findings] : other.left_) left_[read].merge(findings);
    first_looks_.insert(other.first_looks_.begin(), other.first_looks_.end());
  }
  /// Whether nothing was left open by the blocks so far.
  bool is_empty() const { return left_.empty(); }
  /// Adds what was left open and was no first look of any thread.
  void add_to(Findings& findings) const {
    for (const auto& [read, left] : left_) {
      if (!first_looks_.contains(read)) findings.merge(left);
    }
  }

 private:
  static constexpr std::size_t kMost = 65536;  // In one block; those past them are not looked at.
  struct Open {
    std::uint32_t read;
    std::uint32_t atomic;
    std::uint32_t bytes;
    Race race;
  };

  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Open>> races_;
  std::size_t count_ = 0;
  std::map<std::uint32_t, Findings> left_;  // By the instruction that read.
  std::set<std::uint32_t> first_looks_;
};

}  // namespace warpgrade::check
