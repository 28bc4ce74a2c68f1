// SPDX-License-Identifier: Apache-2.0
// Records what the warps of a block wait for, other than the answers to their own loads: as
// requests of the instructions that wait, or that others wait for.
//
// Warps meet at the phases of barrier objects (mbarrier, cuda::barrier), and at barriers of some
// warps. Each such meeting of a block has a number. A request arrives there or waits for all
// arrivals.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "common/run/observer.h"
#include "common/timing/trace.h"
#include "common/timing/warp_record.h"

namespace warpgrade::timing {

/// Numbers the meetings of a block's warps: the phases of its barrier objects, and barriers of some
/// warps.
class Meetings {
 public:
  /// The meeting in which threads arrive at `object` now, in `phase` modulo 8.
  std::uint32_t current(std::uint64_t object, std::uint64_t phase) {
    return number_of(object, seen(object, phase));
  }
  /// The one before it.
  std::uint32_t last(std::uint64_t object, std::uint64_t phase) {
    return number_of(object, seen(object, phase) - 1);
  }
  /// The meeting at a named barrier; it ends there.
  std::uint32_t end_named(std::uint64_t object) {
    Object& one = objects_[object];
    return number_of(object, one.phases++);
  }
  std::uint32_t named(std::uint64_t object) { return number_of(object, objects_[object].phases); }

 private:
  struct Object {
    std::uint64_t phase = 0;   ///< Modulo 8.
    std::uint64_t phases = 8;  ///< Since the block began; a wait can name the one before the first.
  };

  std::uint64_t seen(std::uint64_t object, std::uint64_t phase) {
    Object& one = objects_.try_emplace(object, Object{phase, 8}).first->second;
    one.phases += (phase - std::exchange(one.phase, phase)) % 8;
    return one.phases;
  }
  std::uint32_t number_of(std::uint64_t object, std::uint64_t phase) {
    return numbers_.try_emplace({object, phase}, static_cast<std::uint32_t>(numbers_.size()))
        .first->second;
  }

  std::map<std::uint64_t, Object> objects_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers_;
};

/// The constant cache of a block's multiprocessor. Lines that the block reads for the first time
/// are there, since earlier blocks have read them.
class ConstantCache {
 public:
  /// Reads the ascending `addresses`; sets the missing lines of `access` and their pieces.
  void read(const std::vector<std::uint64_t>& addresses, TracedAccess& access) {
    std::uint64_t last_line = kNone;
    std::uint64_t last_piece = kNone;
    for (const std::uint64_t address : addresses) {
      const std::uint64_t line = address / 64;
      if (std::exchange(last_line, line) == line || !misses(line)) continue;
      ++access.lines;
      if (std::exchange(last_piece, address / 256) != address / 256) ++access.pages;
    }
  }

  /// Lines that the block has read.
  std::uint32_t lines() const { return static_cast<std::uint32_t>(seen_.size()); }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  bool misses(std::uint64_t line) {
    auto& set = sets_[line % sets_.size()];
    const auto found = std::ranges::find(set, line);
    const bool is_held = found != set.end();
    std::rotate(set.begin(), is_held ? found : set.end() - 1, is_held ? found + 1 : set.end());
    set.front() = line;
    return !seen_.insert(line).second && !is_held;
  }

  std::array<std::array<std::uint64_t, 4>, 8> sets_ = [] {
    std::array<std::array<std::uint64_t, 4>, 8> empty;
    for (auto& set : empty) set.fill(kNone);
    return empty;
  }();
  std::set<std::uint64_t> seen_;
};

class BlockWaits {
 public:
  static void sleep(WarpRecord& warp, std::uint32_t nanoseconds);
  void read_constants(WarpRecord& warp, const run::MemoryEvent& event);
  /// The members of a barrier of some of the block's `warps` have met.
  void meet(std::vector<WarpRecord>& warps, const run::BarrierEvent& event);
  /// The warp arrives or waits at an object.
  void order(WarpRecord& warp, const run::OrderEvent& event);
  static void copy(WarpRecord& warp, const run::CopyEvent& event);
  /// After the requests of a copy.
  void bulk(WarpRecord& warp, const run::BulkEvent& event);
  std::uint32_t constant_lines() const { return constants_.lines(); }
  /// By meeting: the arrivals of all warps.
  const std::vector<std::uint32_t>& arrivals() const { return arrivals_; }

 private:
  void arrive(WarpRecord& warp, std::uint32_t meeting, TracedAccess::Copy copy);
  void meet(WarpRecord& warp, std::uint32_t meeting) const;

  Meetings meetings_;
  ConstantCache constants_;
  std::vector<std::uint32_t> arrivals_;
  std::optional<std::uint64_t> named_barrier_;  ///< The one whose end is reported next.
};

}  // namespace warpgrade::timing
