// SPDX-License-Identifier: Apache-2.0
// Finds races in global memory: two threads of the launch access the same byte of a buffer or a
// variable, at least one access is a write, and they are unordered.
//
// Threads of one block are ordered as in shared_race.h. Blocks are only ordered by strong accesses
// after a __threadfence() (happens_before.h): a counter that identifies the last block to finish, a
// lock, a flag (block_order.h). Atomic and volatile accesses race with each other only if the
// kernel intends an order that no fence grants (flag_uses.h). Two writes of equal values never
// race, nor does a plain read with an atomic if a compare-and-swap repairs it (open_races.h).
// Updates in separate steps are findings for accesses of any strength (lost_updates.h). Harmless
// races (harmless_race.h) are warnings. Input buffers are not checked. Addresses of the heap are
// never reused, so memory that is freed and allocated again has no earlier accesses.
//
// Shadow: for each word (or byte, if its page has narrower accesses) the last plain write, the last
// atomic or volatile one after it, and up to two reads. This checker requires sequential blocks on
// one host thread and is slower than the simulation itself, so it is for additional runs of small
// launches.
//
// Not modelled: races with a third reader, races hidden by a benign pair at the same byte, and
// places first touched after the shadow has reached five million cells, that is 20 MB by words or 5
// MB by bytes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check/block_order.h"
#include "common/check/checker.h"
#include "common/check/happens_before.h"
#include "common/check/harmless_race.h"
#include "common/check/lost_updates.h"
#include "common/check/open_races.h"

namespace warpgrade::check {

class GlobalRace final : public Checker<GlobalRace> {
 public:
  static constexpr bool kIsOnDemand = true;

  Findings findings() const;  ///< Includes open races that were confirmed.

 private:
  friend Checker<GlobalRace>;
  static constexpr std::uint32_t kNobody = 0xffffffffU;

  /// One access by one thread.
  struct Touch {
    std::uint32_t block = kNobody;
    std::uint32_t thread = 0;
    std::uint32_t stamp = 0;
    std::uint32_t instruction = 0;
    Strength strength = Strength::kPlain;
    run::Operation operation = run::Operation::kLoad;
    bool keeps_value = false;         // stores the value that the word already contains
    bool is_of_block = false;         // strong only for threads of its own block
    std::uint32_t grid_arrivals = 0;  // its block's earlier arrivals at the grid barrier
    std::uint32_t barriers = 0;       // its block's earlier barriers
  };
  struct Cell {
    Touch write;         // the last plain write
    Touch strong_write;  // the last other write, after `write`
    Touch reads[2];
    std::uint32_t value = 0;  // written last
    bool has_value = false;
    bool is_written = false;
  };
  struct Page {
    bool by_bytes = false;
    std::vector<Cell> cells;
  };
  /// The shadow of global memory, shared by all blocks that run on one host thread.
  struct Shadow {
    std::unordered_map<std::uint64_t, Page> pages;  // by address / kPageBytes
    std::size_t cells = 0;                          // in all pages
    std::vector<std::vector<std::byte>> before;     // buffers before the launch
    // By place: the other thread's update before the last one; a chain of updates has no order.
    std::unordered_map<std::uint64_t, Touch> earlier;
    SeenWords seen;  // only if the kernel reads flags
  };

  /// Two unordered accesses to the same bytes.
  struct Race {
    Touch before, now;
    std::uint64_t address = 0;  // start of the later access
    std::uint32_t bytes = 0;
    Moment moment{};
    bool lacks_fence = false;  // The kernel intends their order, but a fence is missing.
    // Another thread of the block is ordered after `before`, because it has read a flag here.
    std::optional<std::uint32_t> waiter = std::nullopt;
  };

  void begin_launch(const run::LaunchContext& context);
  void begin_launch_beside(const run::LaunchContext& context, GlobalRace& first);
  void begin_block();
  void memory(const run::MemoryEvent& event);
  void barrier(const run::BarrierEvent& event);
  void order(const run::OrderEvent& event);
  void grid(const run::GridEvent& event);
  void end_block();
  void merge(GlobalRace& other);
  void access(const run::MemoryEvent& event, std::uint32_t lane);
  void touch(const run::MemoryEvent& event, std::uint32_t lane, std::uint64_t place,
             std::uint32_t cell_bytes, Cell& cell);
  bool is_ordered(const Touch& before, const run::MemoryEvent& event, std::uint32_t lane) const;
  /// Whether the kernel intends that order, by flags.
  bool is_intended(const Touch& before, const run::MemoryEvent& event, std::uint32_t lane) const;
  /// Whether these strong accesses need that order, and nothing grants it.
  bool needs_fence(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                   std::uint32_t lane, std::uint64_t place) const;
  /// Whether `now` resets a counter after all other threads have updated it (flag_uses.h).
  bool resets_counter(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                      std::uint32_t lane, std::uint64_t place) const;
  /// The same for any counter: the kernel intends that order.
  bool resets_after(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                    std::uint32_t lane) const;
  /// Adds to the race what its advice depends on.
  void explain(Race& race, const run::MemoryEvent& event, std::uint32_t lane) const;
  bool races(const Touch& before, const Touch& now, const run::MemoryEvent& event,
             std::uint32_t lane) const;
  /// Whether `now` makes `before` redundant: every race with `before` is also a race with `now`.
  bool is_covered(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                  std::uint32_t lane) const;
  /// Whether it compares and swaps a value that may repair an old read.
  bool repairs(const run::MemoryEvent& event) const {
    return order_.swaps(event) && !updates_.is_lost_swap(event.instruction);
  }
  Touch touch_of(const run::MemoryEvent& event, std::uint32_t lane) const;
  void report_update(const LostUpdates<Touch>::Found& found, const run::MemoryEvent& event,
                     std::uint32_t lane);
  bool leave_open(const Race& race, std::uint64_t place, std::uint32_t cell_bytes);
  /// Whether the cell contained `value`, of `bytes` bytes, before this store.
  bool holds(const Cell& cell, std::uint64_t place, std::uint32_t bytes, std::uint32_t value) const;
  Harmless harmless(const Race& race) const;
  void report(Findings& findings, const Race& race) const;
  base::Diagnostic diagnostic(const Race& race, Harmless kind) const;
  base::RaceAdvice advice(const Race& race, Harmless harmless) const;
  /// Returns nullptr if the shadow is full.
  Cell* cells_of(std::uint64_t address, std::uint32_t bytes, std::uint32_t& cell_bytes);
  void hand_over(const run::MemoryEvent& event, std::uint32_t lane);

  OpenRaces<Race> open_;
  LostUpdates<Touch> updates_;
  HappensBefore order_;
  std::shared_ptr<Shadow> shadow_ = std::make_shared<Shadow>();
  bool is_cooperative_ = false;
  std::uint32_t barriers_ = 0;       // of the running block, and of earlier ones
  std::uint32_t grid_arrivals_ = 0;  // the running block's arrivals at the grid barrier
  std::uint32_t grid_passed_ = 0;    // known arrivals of every other block
  BlockOrder blocks_;                // the order of other blocks' accesses
  BlockOrder intended_;              // the order that flags intend
};

}  // namespace warpgrade::check
