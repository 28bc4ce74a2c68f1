// SPDX-License-Identifier: Apache-2.0
// Finds accesses to memory that an asynchronous copy may still read or write.
//
// In: the copies of cp.async and of the bulk copy engine, waits, barriers, and accesses. Out:
// findings for accesses that come before the wait for the copy. The copies of each thread are
// kept in the order of their start. A kernel has few bulk copies in flight at a time, so a list
// is enough, and its length is limited.
//
// Not modelled: copies of other blocks; the two checkers list further limits in the header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check/launch_view.h"

namespace warpgrade::check {

class RunningCopies final : public Checker<RunningCopies> {
 public:
  // A kernel with such copies sends every event to all checkers; other kernels do not matter.
  static constexpr Needs kNeeds = Needs::kNothing;

  using OnStore = std::function<void(const run::MemoryEvent&)>;

  /// Like on_copy(), and also calls on_store for the bytes that a wait completes, as if its thread
  /// stored them then.
  void complete(const run::CopyEvent& wait, const OnStore& on_store);

 private:
  friend Checker<RunningCopies>;
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Copy {
    std::uint64_t offset = 0;
    std::uint64_t source = 0;
    std::uint32_t source_bytes = 0;  // fewer than `bytes` if the rest becomes zeros
    std::uint32_t bytes = 0;
    std::uint32_t instruction = 0;
    std::uint32_t group = 0;
    std::uint64_t number = 0;  // its number among the copies of its thread
    std::array<std::byte, 16> data{};
  };
  struct Thread {
    std::vector<Copy> running;  // by number
    std::uint64_t started = 0;
    std::uint32_t open_group = 0;
    // The last wait: its instruction, the groups that it left running, and the copies started
    // before it.
    std::uint32_t wait = kNone;
    std::uint32_t left = 0;
    std::uint64_t started_before_wait = 0;
  };
  struct Cell {
    std::uint32_t thread = kNone;
    std::uint64_t number = 0;

    friend bool operator==(const Cell&, const Cell&) = default;
  };
  // The source of the copy to report next, by lane of the reporting warp.
  struct Source {
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };

  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  void memory(const run::MemoryEvent& event);
  void order(const run::OrderEvent& event);
  void copy(const run::CopyEvent& event);
  void finish(const run::CopyEvent& event, const OnStore& on_store);
  void start(const run::MemoryEvent& event);
  void note_sources(const run::MemoryEvent& event);
  void access(const run::MemoryEvent& event, std::uint32_t lane);
  void overwrite(const run::MemoryEvent& event, std::uint32_t lane);
  void report(const run::MemoryEvent& event, std::uint32_t lane, const Cell& cell,
              base::Place place);
  void add_advice(const run::MemoryEvent& event, const Cell& cell, const Copy& copy,
                  base::CopyRace& facts) const;
  void forget(std::uint32_t thread, const Copy& copy);
  static void store(const run::CopyEvent& event, const std::vector<Copy>* done, std::size_t k,
                    std::uint32_t bytes, const OnStore& on_store);
  template <typename IsComplete>
  std::vector<Copy> take(std::uint32_t thread, const IsComplete& is_complete);

  std::vector<bool> is_copy_;  // by instruction; may be empty
  std::vector<Thread> threads_;
  std::vector<Cell> cells_;                          // by word
  std::unordered_map<std::uint64_t, Cell> sources_;  // by word of global memory
  std::array<Source, run::kWarpSize> next_sources_{};
  std::size_t running_ = 0;
  // By object: threads, and how many copies they had started when they made it wait.
  std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>> objects_;
};

// Finds accesses to memory that a copy of the bulk copy engine (cp.async.bulk) may still read or
// write. Such a copy is unordered with all other accesses, even those by the thread that starts
// it.
//
// A copy to shared memory is complete for a thread that has waited at its barrier object for the
// phase that counts the copy. A copy to global memory is complete for the thread that started it
// after a wait for the group; a wait with .read only means that the shared memory has been read.
// Barriers pass on the knowledge of their threads. Accesses that may acquire (atomics, volatile
// and similar) count as learning everything that any thread knows, which avoids false alarms.
//
// A block that ends while a copy may still use its shared memory causes a warning, because the
// next block on the SM may get that memory.
//
// Not modelled: order between copies of different threads without a wait in between, except copies
// to the same bytes; copies of other blocks; more than kMostInFlight copies of a block in flight.
// The oldest one is then forgotten, because each access is compared with all that are in flight.

class BulkCopies final : public Checker<BulkCopies> {
 public:
  // A kernel with such copies sends every event to all checkers; other kernels do not matter.
  static constexpr Needs kNeeds = Needs::kNothing;
  /// Far more than a kernel that keeps a ring of buffers full has in flight.
  static constexpr std::size_t kMostInFlight = 256;

 private:
  friend Checker<BulkCopies>;
  using Lanes = std::vector<std::uint32_t>;  // by warp

  struct Copy {
    run::BulkEvent start;
    std::uint32_t group = 0;
    Lanes know_source;        // threads that know that the source has been read
    Lanes know_all;           // threads that know that the copy is complete
    bool early_wait = false;  // some thread has waited for an earlier phase than the copy's
  };

  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  void memory(const run::MemoryEvent& event);
  void barrier(const run::BarrierEvent& event);
  void order(const run::OrderEvent& event);
  void bulk(const run::BulkEvent& event);
  void end_block();

  void start(const run::BulkEvent& event);
  void access(const run::MemoryEvent& event);
  void pass_on(std::uint32_t warp, std::uint32_t lanes);
  void report(const run::MemoryEvent& event, std::uint32_t lane, const Copy& copy, bool reads_it);
  void report_left(const Copy& copy);
  std::uint32_t& open_group(const run::BulkEvent& event) {
    return open_groups_[event.warp * run::kWarpSize + event.lane];
  }

  bool is_needed_ = false;                  // the kernel has bulk copies
  std::vector<bool> may_hand_on_;           // by instruction
  std::vector<std::uint32_t> open_groups_;  // by thread
  std::deque<Copy> copies_;
};

}  // namespace warpgrade::check
