// SPDX-License-Identifier: Apache-2.0
// Records what the warps of a block wait for, other than the answers to their own loads.
//
// Warps meet at barrier objects and at barriers of some warps. Warps that add floats to the same
// word of shared memory retry: such an atomic is a loop of a load and a swap.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"
#include "common/timing/block_replay.h"
#include "common/timing/schedule.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

// State of one warp while its block is traced.

struct WarpRecord {
  std::vector<Executed> stretch;
  std::vector<RecordedAccess> stretch_requests;  ///< In the order of the stretch.
  std::size_t current = 0;      ///< The last instruction's position in the stretch.
  std::size_t current_end = 0;  ///< Number of requests up to it.
  StoredLines stored;           ///< By the stretch.
  Programs::Path path;
  std::vector<RecordedAccess> requests;  ///< In program order.
  std::uint32_t passes = 0;              ///< Passes of an unrolled loop in the stretch.
  std::uint32_t loop_head = 0;
  bool goes_back = false;             ///< To loop_head, in the same stretch.
  std::uint32_t constant_misses = 0;  ///< Loads of one constant that missed.
  bool tracks = false;                ///< Its next arrival waits for its asynchronous copies.

  /// Adds a request to the last instruction, whose lanes make the same one once.
  void add(const TracedAccess& access) {
    if (stretch.empty()) return;
    const bool has_one = stretch[current].requests != 0;
    if (has_one && stretch_requests[current_end - 1].access == access) return;
    add(RecordedAccess{access});
  }

  void add(const RecordedAccess& request) {
    stretch_requests.insert(stretch_requests.begin() + static_cast<std::ptrdiff_t>(current_end),
                            request);
    ++current_end;
    ++stretch[current].requests;
  }

  /// Begins an instruction at the end of the stretch.
  void append(std::uint32_t instruction) {
    current = stretch.size();
    current_end = stretch_requests.size();
    stretch.push_back({instruction, 0, false});
  }

  /// Begins an instruction that is in the stretch, but off: other lanes have gone past it, and
  /// machine code issues it once for all. Returns whether there is one.
  bool resume(std::uint32_t instruction) {
    std::size_t end = stretch_requests.size();
    for (std::size_t k = stretch.size(); k-- > 0; end -= stretch[k].requests) {
      if (stretch[k].instruction > instruction) continue;
      if (stretch[k].instruction < instruction || !stretch[k].is_off) return false;
      stretch[k].is_off = false;
      current = k;
      current_end = end;
      return true;
    }
    return false;
  }

  void clear_stretch() {
    stretch.clear();
    stretch_requests.clear();
    stored.clear();
    current = 0;
    current_end = 0;
  }

  void clear() {
    clear_stretch();
    path.clear();
    requests.clear();
    passes = 0;
    goes_back = false;
    tracks = false;
    constant_misses = 0;
  }
};

// How often warps of a block retry when they add floats to the same word of shared memory.
//
// Such an atomic is a loop of a load and a swap (memory/shared_banks.h). A swap fails if another
// warp has changed the word since the load. One swap therefore succeeds per time from a warp's
// return to its load, which is shorter with more warps, to its swap: round / warps + window clocks,
// but at most a round. Meanwhile all warps retry.
//
// Measured on an H200 with 1, 2, 4, 8, 16 and 32 warps on one word, in clocks per addition
// (tests/evidence/golden/h200_issue): 95, 88, 85, 55, 45, 43; the rule gives 95, 90, 67, 55, 49,
// 46.

class SwapContention {
 public:
  explicit SwapContention(const device::Profile& profile);

  void begin_block();
  /// Records the words of a warp's loop; returns its number in the block.
  std::uint32_t add(const run::MemoryEvent& event);
  /// After the block: the rounds of loop `number` relative to the rounds without contention,
  /// averaged over its words.
  double tries(std::uint32_t number) const;
  /// After the block: lengthens the loops of its `requests`, whose first_transaction is the number.
  void lengthen(std::vector<TracedAccess>& requests) const;

 private:
  double window_share_;  ///< Relative to a round; negative: unknown.
  /// One bit per warp, by word and number of the loop in its warp. Loops with the same number run
  /// concurrently.
  std::unordered_map<std::uint64_t, std::uint64_t> warps_of_;
  std::vector<std::uint32_t> loops_of_;            ///< So far, by warp.
  std::vector<std::vector<std::uint64_t>> words_;  ///< By loop.
};

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
