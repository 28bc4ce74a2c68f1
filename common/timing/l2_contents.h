// SPDX-License-Identifier: Apache-2.0
// What the launches of a sequence leave in L2 for the next ones.
//
// In: the sectors that each launch uses in each buffer. Out: the share of the next launch's loads
// that L2 answers although the launch has not loaded them before. Other data is there at the start.
//
// L2 keeps a buffer if it holds everything that launches use from the last use of the buffer to the
// end of the next one. Otherwise it keeps none of it, since launches usually pass through a buffer
// in the same order, and each line leaves just before its next use. Reads of a buffer again and
// again on an H200 agree: L2 of 60 MiB keeps all of 40 MiB, and 0.3 % of 128 MiB
// (`resident_read_40mb` and `resident_read_128mb` in tests/evidence/launches).
//
// It is not known which sectors of a buffer a launch uses, only how many. So two launches that each
// use 60 % of a buffer may share as little as 20 %, and this share counts. Stores are not followed:
// DRAM gets each written sector of each launch.
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

  double capacity_;  ///< In sectors.
  std::vector<Buffer> buffers_;
};

}  // namespace warpgrade::timing
