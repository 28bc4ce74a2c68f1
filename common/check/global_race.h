// SPDX-License-Identifier: Apache-2.0
// Finds races in global memory: two threads of the launch access the same byte of a buffer or a
// variable, at least one of them writes, and nothing orders the two.
//
// Threads of one block are ordered as in shared_race.h. Blocks are ordered by nothing but what
// strong accesses behind a __threadfence() hand on (happens_before.h): a counter by which the last
// block to finish knows that it is the last, a lock, a flag. What a block learns in this way, all
// its threads are taken to know. Atomic and volatile accesses never race with each other, nor do
// two writes of equal values, nor a plain read with an atomic where a compare-and-swap repairs it
// (open_races.h). Harmless races (harmless_race.h) are warnings. Buffers that are inputs, and the
// heap, are not looked at.
//
// Shadow: for each word, or byte where a page of words is accessed in narrower pieces, the last
// plain write, the last atomic or volatile one behind it, and up to two reads. It needs blocks one
// after the other, on one host thread, and costs more than the simulation itself: it is for the
// additional runs of small launches.
//
// Not modelled: races with a third reader, or that hide behind a benign pair of the same byte; what
// is touched first when the shadow has five million cells, of 20 MB by words or 5 MB by bytes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/check/checker.h"
#include "common/check/happens_before.h"
#include "common/check/harmless_race.h"
#include "common/check/open_races.h"

namespace warpgrade::check {

class GlobalRace final : public Checker<GlobalRace> {
 public:
  Findings findings() const;  ///< With those that were left open and are races.

 private:
  friend Checker<GlobalRace>;
  static constexpr std::uint32_t kNobody = 0xffffffffU;

  /// One access of one thread.
  struct Touch {
    std::uint32_t block = kNobody;
    std::uint32_t thread = 0;
    std::uint32_t stamp = 0;
    std::uint32_t instruction = 0;
    Strength strength = Strength::kPlain;
    run::Operation operation = run::Operation::kLoad;
    bool keeps_value = false;  // Stores what the word already holds.
    bool is_of_block = false;  // Strong for threads of its own block only.
  };
  struct Cell {
    Touch write;         // The last plain one.
    Touch strong_write;  // The last that is not plain, behind `write`.
    Touch reads[2];
    std::uint32_t value = 0;  // Written last.
    bool has_value = false;
    bool is_written = false;
  };
  struct Page {
    bool by_bytes = false;
    std::vector<Cell> cells;
  };
  /// The knowledge that one block has handed on at one place, and what it had learnt by then.
  struct Record {
    std::uint32_t block = 0;
    std::shared_ptr<Clock> clock;
    std::map<std::uint64_t, std::size_t> learnt;
  };

  /// Two accesses of the same bytes that nothing orders.
  struct Race {
    Touch before, now;
    std::uint64_t address = 0;  // The later access begins here.
    std::uint32_t bytes = 0;
    Moment moment{};
  };

  void begin_launch(const run::LaunchContext& context);
  void begin_block();
  void memory(const run::MemoryEvent& event);
  void barrier(const run::BarrierEvent& event);
  void order(const run::OrderEvent& event);
  void end_block();
  void merge(GlobalRace& other);
  void access(const run::MemoryEvent& event, std::uint32_t lane);
  void touch(const run::MemoryEvent& event, std::uint32_t lane, std::uint64_t place,
             std::uint32_t cell_bytes, Cell& cell);
  bool is_ordered(const Touch& before, const run::MemoryEvent& event, std::uint32_t lane) const;
  bool races(const Touch& before, const Touch& now, const run::MemoryEvent& event,
             std::uint32_t lane) const;
  /// Whether `now` makes `before` needless: what races with that races with `now`.
  bool is_covered(const Touch& before, const Touch& now, const run::MemoryEvent& event,
                  std::uint32_t lane) const;
  bool leave_open(const Race& race, std::uint64_t place, std::uint32_t cell_bytes);
  /// Whether the cell held `value`, of `bytes` bytes, before this store.
  bool holds(const Cell& cell, std::uint64_t place, std::uint32_t bytes, std::uint32_t value) const;
  Harmless harmless(const Race& race) const;
  void report(Findings& findings, const Race& race) const;
  std::string description(const Race& race) const;
  std::string advice(const Race& race, Harmless harmless) const;
  /// nullptr where the shadow is full.
  Cell* cells_of(std::uint64_t address, std::uint32_t bytes, std::uint32_t& cell_bytes);
  void hand_over(const run::MemoryEvent& event, std::uint32_t lane);
  void learn(std::uint64_t place, std::size_t records);

  OpenRaces<Race> open_;
  HappensBefore order_;
  std::unordered_map<std::uint64_t, Page> pages_;         // By address / kPageBytes.
  std::size_t cells_ = 0;                                 // Of all pages.
  std::vector<std::vector<std::byte>> before_;            // Buffers before the launch.
  std::map<std::uint64_t, std::vector<Record>> records_;  // By address of a strong access.
  // The running block has learnt so many of a place's records (learnt_), which say this (known_).
  std::map<std::uint64_t, std::size_t> learnt_;
  std::unordered_map<std::uint32_t, std::shared_ptr<Clock>> known_;  // By block.
};

}  // namespace warpgrade::check
