// SPDX-License-Identifier: Apache-2.0
// Finds races in shared memory: two threads of a block access the same byte, at least one of them
// writes, and no barrier orders the two.
//
// A block barrier orders everything. Within a warp the warp barriers order what warp_order.h says;
// that the lanes of one instruction run together orders nothing. Barriers of a part of the block,
// barrier objects, and flags and locks with fences order what happens_before.h says. Two atomics
// never race, nor do two writes of equal values, nor a plain read with an atomic where a
// compare-and-swap repairs it (open_races.h). Found races do not depend on how the simulator
// interleaves warps: what counts is that nothing orders the two accesses, not which came first.
//
// Shadow: for each 4-byte word the last write and the reads that count (access_log.h), and the
// bytes written. A word that some access touches in part is split into four byte cells until the
// next block barrier: exact for every byte. An access of a whole warp to consecutive words that
// nobody has touched since the barrier, as the usual kernel makes it, is two loops over vectors.
//
// Not modelled: a race between two accesses with more than a million different ones between them
// and no block barrier is missed, and so is one that hides behind a benign pair (an equal write, an
// atomic) of the same byte.
#pragma once

#include <cstdint>
#include <vector>

#include "common/check/access_log.h"
#include "common/check/checker.h"
#include "common/check/happens_before.h"
#include "common/check/harmless_race.h"
#include "common/check/open_races.h"

namespace warpgrade::check {

class SharedRace final : public Checker<SharedRace> {
 public:
  Findings findings() const;  ///< With those that were left open and are races.
  /// Whether no two accesses since the launch were a race, whatever values they wrote.
  bool is_clean() const {
    return findings_.all().empty() && open_.is_empty() && !has_equal_writes_;
  }

 private:
  friend Checker<SharedRace>;
  /// The effect of one event on one cell.
  struct Touch {
    const run::MemoryEvent& event;
    Access access;
    const std::byte* data;  // The bytes that go into the cell; nullptr where unknown.
    std::uint64_t offset;   // The cell's.
    std::uint32_t bytes;    // The cell's: 4 or 1.
  };
  /// Two accesses of the same bytes that nothing orders; what the report says of them.
  struct Race {
    Entry before;
    std::uint32_t before_lane = 0;
    bool before_writes = false;
    std::uint32_t instruction = 0;  // The last access's, as all fields behind it.
    run::Operation operation{};
    std::uint32_t warp = 0;
    std::uint32_t lane = 0;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
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
  bool leave_open(const Touch& touch, const Entry& before, std::uint32_t before_lanes,
                  bool are_writes);
  void forget_own_reads(const Touch& touch, Reference& read);
  Race race(const Touch& touch, const Entry& before, std::uint32_t before_lane, std::uint32_t lane,
            bool before_writes) const;
  Harmless harmless(const Race& race) const;
  void report(Findings& findings, const Race& race) const;

  OpenRaces<Race> open_;
  HappensBefore order_;
  AccessLog log_;
  std::uint32_t words_ = 0;
  bool has_equal_writes_ = false;
  std::vector<Reference> word_write_, word_read_;  // log_.first() in word_write_: split.
  std::vector<Reference> byte_write_, byte_read_;  // Split words' bytes; made at the first split.
  std::vector<std::byte> value_;                   // The byte written last.
};

}  // namespace warpgrade::check
