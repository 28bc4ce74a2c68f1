// SPDX-License-Identifier: Apache-2.0
// Finds races in global memory: two threads access one byte, unordered, and one writes it.
//
// Each lane's words are checked one by one. The header has the rules, what is not modelled, and
// the order of blocks that follow from barriers, fences and atomics.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "common/check/happens_before.h"
#include "common/check/harmless_race.h"
#include "common/check/launch_view.h"
#include "common/check/lost_updates.h"

namespace warpgrade::check {

// The order between blocks of a launch: knowledge that they release at places in global memory and
// acquire there.
//
// A release stores the clock of its block at the place (happens_before.h). A later acquire of the
// same place learns all clocks stored there, and everything that their blocks had learnt before.
// Other threads of the block know what a thread has acquired if they are ordered after it, in the
// end by a barrier of the block. What a thread releases includes what any thread of its block has
// acquired, which is sometimes too much.

class BlockOrder {
 public:
  /// A thread of the running block, its stamp (happens_before.h), and the instruction that read.
  struct Reader {
    std::uint32_t thread = 0;
    std::uint32_t stamp = 0;
    std::uint32_t instruction = 0;
  };

  /// Starts a launch, or joins the blocks of the launch that `first` observes.
  void begin_launch() { shared_ = std::make_shared<Shared>(); }
  void begin_launch_beside(const BlockOrder& first) { shared_ = first.shared_; }
  void begin_block(std::uint32_t block);

  /// The running block releases `clock`, which may be empty: nothing.
  void release(std::uint64_t place, Clock clock);
  /// The number of releases at that place so far, for acquire().
  std::size_t releases(std::uint64_t place) const;
  /// `reader` acquires the first `count` releases at the place.
  void acquire(const Reader& reader, std::uint64_t place, std::size_t count);
  /// The same, for all threads of the running block.
  void acquire_for_all(std::uint64_t place, std::size_t count);
  /// `reader` has read them, and acquires them at its next fence or barrier.
  void wait_to_acquire(const Reader& reader, std::uint64_t place, std::size_t count);
  /// Such a fence or barrier of lanes `mask` of `warp`, at this stamp.
  void settle(std::uint32_t warp, std::uint32_t mask, std::uint32_t stamp);
  /// A barrier of the running block: all its threads know what each of them has acquired.
  void settle_all();
  /// Whether a thread of the running block knows that access of another block. is_ordered(reader)
  /// returns whether it is ordered after what the reader acquired.
  template <class IsOrdered>
  bool knows(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp,
             const IsOrdered& is_ordered) const {
    return find(block, thread, stamp, is_ordered) != nullptr;
  }
  /// A thread of the running block that knows it.
  std::optional<Reader> who_knows(std::uint32_t block, std::uint32_t thread,
                                  std::uint32_t stamp) const {
    const auto* const found = find(block, thread, stamp, [](const Reader&) { return true; });
    return found == nullptr ? std::nullopt : std::optional(found->reader);
  }

 private:
  using Counts = std::map<std::uint64_t, std::size_t>;  // by place
  /// The knowledge that one block released at one place, and what it had learnt by then.
  struct Record {
    std::uint32_t block = 0;
    std::shared_ptr<Clock> clock;
    std::shared_ptr<const Counts> learnt;
    bool is_learnt = false;  // Another block has it, and it must not change.
  };
  struct Shared {
    std::map<std::uint64_t, std::vector<Record>> records;  // by place
    std::size_t clocks = 0;                                // stamps in all records
    std::size_t acquired = 0;  // stamps of clocks that single threads have acquired
  };
  /// All that a thread has acquired about one block up to its stamp.
  struct Acquired {
    Reader reader;
    std::shared_ptr<Clock> clock;
  };
  using Readers = std::map<std::uint32_t, std::vector<Acquired>>;  // by thread, oldest first

  /// Calls learn(record) for each record that `learnt` lacks, and adds it.
  template <class Learn>
  void walk(Counts& learnt, std::uint64_t place, std::size_t count, const Learn& learn);
  template <class IsOrdered>
  const Acquired* find(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp,
                       const IsOrdered& is_ordered) const {
    static const Acquired kAll{};
    if (knows_all(block, thread, stamp)) return &kAll;
    const auto readers = acquired_.find(block);
    if (readers == acquired_.end()) return nullptr;
    for (const auto& [reader, all] : readers->second) {
      for (auto last = all.rbegin(); last != all.rend(); ++last) {
        if (stamp >= (*last->clock)[thread]) break;  // Earlier ones contain less.
        if (is_ordered(last->reader)) return &*last;
      }
    }
    return nullptr;
  }
  bool knows_all(std::uint32_t block, std::uint32_t thread, std::uint32_t stamp) const;

  std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  // The running block's acquired knowledge: the number of records learnt per place, by all threads
  // and by some thread, and the clocks of all threads by block. Records share the second one until
  // it grows, since most atomics teach nothing new.
  std::uint32_t block_ = 0;
  Counts known_counts_;
  std::shared_ptr<Counts> learnt_ = std::make_shared<Counts>();
  std::unordered_map<std::uint32_t, std::shared_ptr<Clock>> known_;
  // Since the last barrier of the block: the counts by thread, and clocks by block.
  std::map<std::uint32_t, Counts> own_;
  std::map<std::uint32_t, Readers> acquired_;
  struct Pending {
    Reader reader;
    Counts counts;
  };
  std::map<std::uint32_t, Pending> pending_;  // by thread
};

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
  /// Whether `now` resets a counter after all other threads have updated it (flags_and_locks.h).
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
