// SPDX-License-Identifier: Apache-2.0
// Finds accesses to bytes of shared memory that an asynchronous copy (cp.async) may still write,
// and writes to bytes of global memory that it may still have to read (PTX ISA, cp.async: nothing
// orders it and other accesses of its thread).
//
// A copy runs until the thread that started it has waited for it: for all groups but the newest few
// (__pipeline_wait_prior), where it must have been closed into a group before (__pipeline_commit).
// Where it has told an object of cuda::barrier to wait for its copies, a thread that has waited at
// the object knows that they are complete. What other threads need besides, a barrier behind that
// wait, is for SharedRace to say: it is told of a store by the wait.
//
// Shadow: for each 4-byte word the copy that runs into it, and the newest one that runs out of it.
// Copies have 4, 8 or 16 bytes and are aligned, so the former is exact.
//
// Not modelled: two copies that run into the same bytes; copies of other blocks, whose sources are
// GlobalRace's to watch; a later phase of an object, whose copies count as complete when a thread
// has waited for an earlier one too late.
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
  using OnStore = std::function<void(const run::MemoryEvent&)>;

  /// Does what on_copy() does, and calls on_store for what a wait makes complete, as if its thread
  /// stored it then.
  void complete(const run::CopyEvent& wait, const OnStore& on_store);

 private:
  friend Checker<RunningCopies>;
  static constexpr std::uint32_t kNone = 0xffffffffU;

  struct Copy {
    std::uint64_t offset = 0;
    std::uint64_t source = 0;
    std::uint32_t source_bytes = 0;  // Fewer than `bytes` where the rest becomes zeros.
    std::uint32_t bytes = 0;
    std::uint32_t instruction = 0;
    std::uint32_t group = 0;
    std::uint64_t number = 0;  // Its number among the copies of its thread.
    std::array<std::byte, 16> data{};
  };
  struct Thread {
    std::vector<Copy> running;  // By number.
    std::uint64_t started = 0;
    std::uint32_t open_group = 0;
    // The last wait: its instruction, the groups that it left, and the copies started before it.
    std::uint32_t wait = kNone;
    std::uint32_t left = 0;
    std::uint64_t started_before_wait = 0;
  };
  struct Cell {
    std::uint32_t thread = kNone;
    std::uint64_t number = 0;

    friend bool operator==(const Cell&, const Cell&) = default;
  };
  // The source of the copy that is reported next, by lane of the reporting warp.
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
              std::string_view what_it_does);
  std::string advice(const run::MemoryEvent& event, std::uint32_t reader, const Cell& cell,
                     const Copy& copy) const;
  void forget(std::uint32_t thread, const Copy& copy);
  static void store(const run::CopyEvent& event, const std::vector<Copy>* done, std::size_t k,
                    std::uint32_t bytes, const OnStore& on_store);
  template <typename IsComplete>
  std::vector<Copy> take(std::uint32_t thread, const IsComplete& is_complete);

  std::vector<bool> is_copy_;  // By instruction; empty: there is none.
  std::vector<Thread> threads_;
  std::vector<Cell> cells_;                          // By word.
  std::unordered_map<std::uint64_t, Cell> sources_;  // By word of global memory.
  std::array<Source, run::kWarpSize> next_sources_{};
  std::size_t running_ = 0;
  // By object: threads, and how many copies they had started when they told it to wait.
  std::map<std::uint64_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>> objects_;
};

}  // namespace warpgrade::check
