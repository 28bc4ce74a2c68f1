// SPDX-License-Identifier: Apache-2.0
// The accesses since the last block barrier that shadow cells of shared memory refer to.
//
// A shadow cell holds one 32-bit reference: the number of an entry here, times 32, plus a lane. An
// entry says which instruction of which warp accessed, at which stamp of the warp's clock. Where
// several accesses of a cell count (lanes that read the same word, two warps that read it,
// atomics), the cell refers to a chain of entries of its own, which carry lane masks. A chain never
// holds more than it takes to find a race: an access goes where a later one covers it
// (happens_before.h) that is ordered behind it, so one lane stands there once for each strength.
// And as long as nothing but barriers of the block orders warps, two warps of one strength are
// enough, since any access that could race with a third warp's races with one of the two as well.
// Where such a race may be none in the end (open_races.h), the log keeps all warps.
//
// Numbers only grow, so a reference below first() is older than the barrier and means "none": a
// barrier costs nothing, whatever the size of the shadow.
#pragma once

#include <cstdint>
#include <vector>

#include "common/check/happens_before.h"

namespace warpgrade::check {

/// Signed, so that vectors of them compare quickly on every processor; never negative.
using Reference = std::int32_t;

/// One access as the log keeps it.
struct Entry {
  std::uint32_t instruction = 0;
  std::uint32_t stamp = 0;
  std::uint32_t mask = 0;  ///< Lanes of a cell's own entry; 0: the lane is in the reference.
  std::uint32_t next = 0;  ///< Number of the chain's next entry; 0: none.
  std::uint16_t warp = 0;
  Strength strength = Strength::kPlain;
  bool is_update = false;  ///< An atomic: reads and writes.
  bool two_warps = false;  ///< First of a chain that needs no more entries.
};

/// The access that is made now: `number` is its entry's, `lanes` those at one cell.
struct Access {
  std::uint32_t number = 0;
  std::uint32_t lanes = 0;
};

class AccessLog {
 public:
  AccessLog() = default;
  AccessLog(std::uint32_t instructions, std::uint32_t warps, bool keeps_all_warps);

  /// Starts a new interval: all references so far are "none" from now on. True where the numbers
  /// start again and every reference that is kept must be set to 0.
  bool begin_interval();
  /// Entries in this interval.
  std::size_t size() const { return entries_.size(); }
  /// The least reference of this interval; it is no access, so a cell can use it as a mark.
  Reference first() const { return static_cast<Reference>(base_ << 5); }

  /// The number of the entry for an access; the same for equal ones.
  std::uint32_t number_of(std::uint32_t instruction, std::uint32_t warp, std::uint32_t stamp,
                          Strength strength, bool is_update);
  static Reference reference(std::uint32_t number, std::uint32_t lane) {
    return static_cast<Reference>((number << 5) | lane);
  }
  const Entry& entry(std::uint32_t number) const { return entries_[number - base_]; }
  const Entry& entry(Reference reference) const {
    return entry(static_cast<std::uint32_t>(reference) >> 5);
  }
  /// Lanes of `entry`, which `reference` leads to.
  static std::uint32_t lanes(const Entry& entry, Reference reference) {
    return entry.mask != 0 ? entry.mask : 1U << (static_cast<std::uint32_t>(reference) & 31);
  }

  /// Whether an access of `strength` to what `reference` (of this interval) leads to adds nothing:
  /// two warps are there.
  bool is_full(Reference reference, Strength strength) const {
    const Entry& head = entry(reference);
    return head.two_warps && covers(head.strength, strength);
  }
  /// Whether `reference` (of this interval) leads to accesses of this one thread only.
  bool is_of_thread(Reference reference, std::uint32_t warp, std::uint32_t lane) const {
    const Entry& found = entry(reference);
    return found.mask == 0 && found.next == 0 && found.warp == warp &&
           (static_cast<std::uint32_t>(reference) & 31) == lane;
  }

  /// A reference to `access` alone.
  Reference only(const Access& access);
  /// A reference to what `reference` (of this interval) leads to and `access`, without what can no
  /// longer race on its own: what `access` covers of the same lanes and of those ordered before it.
  Reference with(Reference reference, const Access& access, const HappensBefore& order);
  /// A reference to what `reference` leads to without the accesses of this one thread; 0: nothing.
  Reference without(Reference reference, std::uint32_t warp, std::uint32_t lane);
  /// A reference to a chain of its own with the same accesses.
  Reference copy(Reference reference);

 private:
  std::uint32_t append(const Entry& entry);
  bool are_all(Strength strength, Reference reference) const;
  Reference with_other_warp(Reference reference, const Access& access);
  Reference without_covered(Reference before, const Access& access, const HappensBefore& order);
  Entry& mutable_entry(std::uint32_t number) { return entries_[number - base_]; }

  struct Slot {
    std::uint32_t number = 0;
    std::uint32_t stamp = 0;
  };

  std::uint32_t warps_ = 0;
  bool keeps_all_warps_ = false;
  std::uint32_t base_ = 1;
  std::vector<Entry> entries_ = std::vector<Entry>(1);  // [0] is the mark's.
  std::vector<Slot> latest_;  // By instruction and warp: the entry made last.
  // The chain made last of two entries of two warps: the cells of a row share one.
  std::uint32_t pair_before_ = 0, pair_now_ = 0, pair_ = 0;
};

}  // namespace warpgrade::check
