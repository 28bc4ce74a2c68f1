// SPDX-License-Identifier: Apache-2.0
// The accesses since the last block barrier, referenced by shadow cells of shared memory.
//
// A shadow cell contains one 32-bit reference: the number of an entry here, times 32, plus a lane.
// An entry records which instruction of which warp made the access, and the stamp of the warp's
// clock. If several accesses to a cell matter (lanes or two warps that read the same word,
// atomics), the cell refers to its own chain of entries with lane masks. A chain contains only
// accesses needed to find a race: an access is removed once a later access that is ordered after it
// covers it (happens_before.h), so each lane occurs at most once per strength. If only block
// barriers order warps, two warps of one strength are enough, because an access that races with a
// third warp's access also races with one of these two. If such a race may be dismissed later
// (harmless_race.h), the log keeps all warps.
//
// Numbers only grow, so a reference below first() is older than the barrier and means "none". A
// barrier therefore costs nothing, for any size of the shadow.
#pragma once

#include <cstdint>
#include <vector>

#include "common/check/happens_before.h"

namespace warpgrade::check {

/// Signed, so that vectors of them compare fast on every processor; never negative.
using Reference = std::int32_t;

/// One access in the log.
struct Entry {
  std::uint32_t instruction = 0;
  std::uint32_t stamp = 0;
  std::uint32_t mask = 0;  ///< Lanes of a cell's own entry; 0: the reference has the lane.
  std::uint32_t next = 0;  ///< Number of the chain's next entry; 0: end.
  std::uint16_t warp = 0;
  Strength strength = Strength::kPlain;
  bool is_update = false;  ///< An atomic: reads and writes.
  bool two_warps = false;  ///< First entry of a chain that needs no more entries.
};

/// The current access: `number` is its entry, `lanes` are its lanes at one cell.
struct Access {
  std::uint32_t number = 0;
  std::uint32_t lanes = 0;
};

class AccessLog {
 public:
  AccessLog() = default;
  AccessLog(std::uint32_t instructions, std::uint32_t warps, bool keeps_all_warps);

  /// Starts a new interval, in which all earlier references mean "none". Returns true if the
  /// numbers start again, and all stored references must be set to 0.
  bool begin_interval();
  /// Entries in this interval.
  std::size_t size() const { return entries_.size(); }
  /// The lowest reference of this interval. It is not an access, so a cell can use it as a mark.
  Reference first() const { return static_cast<Reference>(base_ << 5); }

  /// The number of the entry for an access; equal accesses share an entry.
  std::uint32_t number_of(std::uint32_t instruction, std::uint32_t warp, std::uint32_t stamp,
                          Strength strength, bool is_update);
  static Reference reference(std::uint32_t number, std::uint32_t lane) {
    return static_cast<Reference>((number << 5) | lane);
  }
  const Entry& entry(std::uint32_t number) const { return entries_[number - base_]; }
  const Entry& entry(Reference reference) const {
    return entry(static_cast<std::uint32_t>(reference) >> 5);
  }
  /// Lanes of `entry`, which `reference` refers to.
  static std::uint32_t lanes(const Entry& entry, Reference reference) {
    return entry.mask != 0 ? entry.mask : 1U << (static_cast<std::uint32_t>(reference) & 31);
  }

  /// Whether an access of `strength` adds nothing to the chain of `reference` (of this interval),
  /// because it already has two warps.
  bool is_full(Reference reference, Strength strength) const {
    const Entry& head = entry(reference);
    return head.two_warps && covers(head.strength, strength);
  }
  /// Whether `reference` (of this interval) refers only to accesses of this one thread.
  bool is_of_thread(Reference reference, std::uint32_t warp, std::uint32_t lane) const {
    const Entry& found = entry(reference);
    return found.mask == 0 && found.next == 0 && found.warp == warp &&
           (static_cast<std::uint32_t>(reference) & 31) == lane;
  }

  /// A reference to only `access`.
  Reference only(const Access& access);
  /// A reference to the chain of `reference` (of this interval) plus `access`, minus accesses that
  /// are no longer needed: accesses that `access` covers, of the same lanes or of lanes ordered
  /// before it.
  Reference with(Reference reference, const Access& access, const HappensBefore& order);
  /// A reference to the same accesses except those by this thread; 0 if none is left.
  Reference without(Reference reference, std::uint32_t warp, std::uint32_t lane);
  /// A reference to a separate chain with the same accesses.
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
  std::vector<Entry> entries_ = std::vector<Entry>(1);  // [0] is the mark
  std::vector<Slot> latest_;                            // by instruction and warp: the latest entry
  // The latest chain of two entries from two warps; the cells of a row share it.
  std::uint32_t pair_before_ = 0, pair_now_ = 0, pair_ = 0;
};

}  // namespace warpgrade::check
