// SPDX-License-Identifier: Apache-2.0
// Finds races in shared memory: two threads of a block access the same byte, at least one access
// is a write, and no barrier orders them.
//
// A block barrier orders everything. Within a warp, warp barriers order accesses as described in
// warp_order.h; lanes of one instruction are unordered although they run together. Barriers of a
// part of the block, barrier objects, and flags and locks with fences order accesses as described
// in happens_before.h. Two atomics only race if the kernel intends an order that no fence grants
// (flag_uses.h). Two writes of equal values never race, nor does a plain read
// with an atomic if a compare-and-swap repairs it (open_races.h), nor does a volatile test that
// only saves a volatile store of the same constant (`if (!any) any = true;`). A store of the value
// that the word has held since before the last barrier is a warning (harmless_race.h). The races
// found do not depend on how the simulator interleaves warps: two unordered accesses are a race in
// either order.
//
// Shadow: for each 4-byte word the last write and the relevant reads (access_log.h), and the
// written bytes. A word with a partial access is split into four byte cells until the next block
// barrier, so the result is exact for every byte. The usual access, of a whole warp to consecutive
// words untouched since the barrier, is two vectorised loops.
//
// Not modelled: races between two accesses with more than a million different ones between them
// and no block barrier, and races hidden by a benign pair (an equal write, an atomic) at the same
// byte.
#pragma once

#include <cstdint>
#include <vector>

#include "common/check/access_log.h"
#include "common/check/checker.h"
#include "common/check/happens_before.h"
#include "common/check/harmless_race.h"
#include "common/check/lost_updates.h"
#include "common/check/open_races.h"
#include "common/check/stored_values.h"

namespace warpgrade::check {

class SharedRace final : public Checker<SharedRace> {
 public:
  static constexpr Needs kNeeds = Needs::kSharedMemory;

  Findings findings() const;  ///< Includes open races that were confirmed.
  /// In a launch with clusters, the block of `rank` has ended: accesses by other blocks to its
  /// shared memory that may also occur after its end are findings.
  void end_rank(std::uint32_t rank);
  /// Whether no two accesses since the launch raced, for any written values.
  bool is_clean() const {
    return findings_.all().empty() && open_.is_empty() && !has_equal_writes_;
  }

 private:
  friend Checker<SharedRace>;
  /// The effect of one event on one cell.
  struct Touch {
    const run::MemoryEvent& event;
    Access access;
    const std::byte* data;  // bytes for the cell; nullptr if unknown
    std::uint64_t offset;   // of the cell
    std::uint32_t bytes;    // of the cell: 4 or 1
  };
  /// Two unordered accesses to the same bytes, for a report.
  struct Race {
    Entry before;
    std::uint32_t before_lane = 0;
    bool before_writes = false;
    std::uint32_t instruction = 0;  // of the last access, like all fields that follow
    run::Operation operation{};
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool lacks_fence = false;   // The kernel intends their order, but a fence is missing.
    bool is_unchanged = false;  // No store since the barrier has changed the bytes.
    Moment moment;
  };
  /// An access as a step of an update.
  struct Step {
    std::uint32_t block = 0;  // always: the checker knows one block at a time
    std::uint32_t thread = 0;
    std::uint32_t stamp = 0;
    std::uint32_t instruction = 0;
    std::uint32_t barriers = 0;  // since the last of the block
    run::Operation operation{};
  };
  /// The last access of a thread to the shared memory of another block of its cluster.
  struct Remote {
    std::uint32_t stamp = 0;
    std::uint32_t instruction = 0;
    run::Operation operation{};
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool is_strong = false;
    Moment moment;
  };

  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  void memory(const run::MemoryEvent& event);
  void barrier(const run::BarrierEvent& event);
  void order(const run::OrderEvent& event);
  void end_block();
  void merge(SharedRace& other);
  void begin_interval();
  void check(const run::MemoryEvent& event);
  bool access_run(const run::MemoryEvent& event, std::uint32_t number);
  void access_broadcast(const run::MemoryEvent& event, std::uint32_t number);
  void access_lanes(const run::MemoryEvent& event, std::uint32_t number);
  void access_bytes(const run::MemoryEvent& event, const Access& access, std::uint64_t begin,
                    std::uint64_t end, const std::byte* data);
  void split(std::uint64_t word);
  void touch_cell(const Touch& touch, Reference& write, Reference& read);
  bool conflicts_with(const Touch& touch, Reference before, bool are_writes);
  /// Whether one is a volatile test that only saves the other, a volatile store of a constant.
  bool only_saves_store(const Touch& touch, const Entry& before, bool are_writes) const;
  /// Whether strong accesses need an order that the kernel intends and nothing grants.
  bool needs_fence(const Touch& touch, const Entry& before, std::uint32_t others,
                   std::uint32_t lane) const;
  void note_seen(const run::MemoryEvent& event);
  bool leave_open(const Touch& touch, const Entry& before, std::uint32_t before_lanes,
                  bool are_writes);
  void forget_own_reads(const Touch& touch, Reference& read);
  Race race(const Touch& touch, const Entry& before, std::uint32_t before_lane, std::uint32_t lane,
            bool before_writes) const;
  Harmless harmless(const Race& race) const;
  void report(Findings& findings, const Race& race) const;
  base::Diagnostic diagnostic(const Race& race, Harmless kind) const;
  /// Whether it compares and swaps a value that may repair an old read.
  bool repairs(const run::MemoryEvent& event) const {
    return order_.swaps(event) && !updates_.is_lost_swap(event.instruction);
  }
  void find_lost_updates(const run::MemoryEvent& event);
  void note_remote(const run::MemoryEvent& event);
  void report_left(std::uint32_t thread, const Remote& access);

  OpenRaces<Race> open_;
  LostUpdates<Step> updates_;
  HappensBefore order_;
  AccessLog log_;
  std::uint32_t words_ = 0;
  bool has_equal_writes_ = false;
  std::vector<Reference> word_write_, word_read_;  // log_.first() in word_write_: split
  std::vector<Reference> byte_write_, byte_read_;  // bytes of split words; made at the first split
  StoredValues values_;
  SeenWords seen_;  // only if the kernel reads flags
  // Remote accesses since the last barrier of the cluster, by the rank of the memory's block and by
  // thread.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Remote> remote_;
};

}  // namespace warpgrade::check
