// SPDX-License-Identifier: Apache-2.0
// Data that earlier launches of a sequence left in L2.
//
// In: the sectors that each launch uses in each buffer. Out: the share of the next launch's loads
// that L2 answers, although the launch itself has not loaded them before.
//
// The share depends on all that launches use from the last use of a buffer to the end of the next
// one. L2 keeps the buffer if this fits with half of the lines in both halves of L2: 40 of 60 MiB
// on an H200. It keeps nothing if this is larger than L2, since launches usually pass through a
// buffer in the same order, and each line leaves just before its next use. In between the share
// falls evenly. Loops over 40, 48, 56 and 64 MiB on an H200 find 100, 75, 20 and 0 % of their lines
// in L2 (`loop` in tests/evidence/golden/h200_memory); the rule gives 100, 60, 20 and 0 %.
//
// The counters have the number of sectors that a launch uses in a buffer, not their places. Two
// launches that each use 60 % of a buffer may share as little as 20 %, and this share counts.
// Stores are not followed: DRAM gets each written sector of each launch.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/footprint.h"

namespace warpgrade::timing {

class L2Contents {
 public:
  /// `buffer_bytes` has the sizes of the sequence's buffers.
  L2Contents(const device::Profile& profile, const std::vector<std::uint64_t>& buffer_bytes);

  /// By buffer: the share of the loaded sectors of `next` that are in L2, at least. `next` has the
  /// counters of all blocks of the next launch, by buffer.
  std::vector<double> held(const std::vector<memory::BufferCounters>& next) const;
  /// Adds a launch with these counters.
  void add(const std::vector<memory::BufferCounters>& launch);

 private:
  struct Buffer {
    double sectors = 0;         ///< Its size.
    double left = 0;            ///< Sectors that its last user used, at least; 0: it has none.
    std::vector<double> since;  ///< By buffer: sectors used since then, at most.
  };

  /// Sectors that a launch uses in buffer `b`, at most.
  double most_used(const memory::BufferCounters& used, std::size_t b) const;

  /// The share of a buffer that L2 keeps if launches use this number of sectors.
  double kept(double used) const;

  double reach_;     ///< Sectors that L2 holds if half of the lines are in both halves.
  double capacity_;  ///< Sectors that it holds otherwise.
  std::vector<Buffer> buffers_;
};

}  // namespace warpgrade::timing
