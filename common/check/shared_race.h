// SPDX-License-Identifier: Apache-2.0
// Finds races in shared memory, and accesses to the memory of a cluster's block that has ended.
//
// From fast to slow: a run of words in one loop, one untouched word per lane, any cell in
// general. The first two have exactly the effect of the last one for cells in which no race is
// possible. The report collects the facts of two racing accesses, and whether their race is
// harmless.
//
// shared_race.h has the rules and what is not modelled.
#pragma once

#include <cstdint>
#include <vector>

#include "common/check/access_log.h"
#include "common/check/happens_before.h"
#include "common/check/harmless_race.h"
#include "common/check/launch_view.h"
#include "common/check/lost_updates.h"

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
