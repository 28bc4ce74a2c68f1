// SPDX-License-Identifier: Apache-2.0
// Finds accesses to bytes of shared memory that an asynchronous copy (cp.async) may still write,
// and writes to bytes of global memory that it may still have to read (PTX ISA, cp.async: it is
// unordered with other accesses of its thread).
//
// A copy runs until the thread that started it has waited for it: for all groups except the newest
// few (__pipeline_wait_prior), after it was closed into a group (__pipeline_commit). If the thread
// has made a cuda::barrier object wait for its copies, a thread that has waited at the object knows
// that they are complete. Other threads also need a barrier after that wait. SharedRace checks
// this: it sees a store at the wait.
//
// Shadow: for each 4-byte word the copy that writes it, and the newest copy that reads it. Copies
// have 4, 8 or 16 bytes and are aligned, so the former is exact.
//
// Not modelled: two copies to the same bytes; copies of other blocks, whose sources GlobalRace
// checks; a later phase of an object, whose copies count as complete when a thread has waited too
// late for an earlier one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check/checker.h"

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

}  // namespace warpgrade::check
