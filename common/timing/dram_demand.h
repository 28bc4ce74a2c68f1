// SPDX-License-Identifier: Apache-2.0
// Estimates the DRAM traffic of a launch from the traffic of a sample of blocks per buffer.
//
// Each block sends its requests below L1. Over all blocks, DRAM delivers the bytes of a buffer
// once. Further requests for them hit L2 if they come soon, or to the extent that the buffer fits
// in L2. They come soon if neighbouring blocks use the data together: a window of the buffer that
// fits in half of L2. The same rules apply to writes. An incompletely written sector that leaves L2
// must be read first, but sectors that the next row of blocks completes stay until then.
//
// L2 keeps 128-byte lines, and random accesses use only parts of them. If L2 holds the share h of a
// buffer's lines, 1 - h is the chance that no part of a line was requested since it left, and (1 -
// h)^u the chance that a given part u was not (measured: h200_memory).
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/timing/dram_page_locality.h"

namespace warpgrade::timing {

/// In sectors of 32 bytes. Partly used L2 granules (profile.l2.fetch_bytes) count as
/// whole.
struct BufferDemand {
  double read = 0;    ///< For loads.
  double filled = 0;  ///< Read because sectors leave L2 incomplete.
  double written = 0;
};

/// Bytes that DRAM moves for the whole launch. It fetches granules, and writes sectors.
struct DramTraffic {
  double read = 0;           ///< For loads and atomics.
  double read_again = 0;     ///< Bytes that L2 had evicted, in `read`.
  double filled = 0;         ///< Read because sectors leave L2 incomplete.
  double written = 0;        ///< Until all is written; L2 may hold some when the launch ends.
  double written_again = 0;  ///< Bytes that had been written before, in `written`.

  friend bool operator==(const DramTraffic&, const DramTraffic&) = default;
};

struct DramDemand {
  double read = 0;  ///< Includes `filled`.
  double written = 0;
  std::vector<BufferDemand> buffers;
  /// Sectors written by others that leave L2 to make room for this launch's, minus the sectors that
  /// this launch leaves there.
  double displaced = 0;
  DramTraffic traffic;
};

/// Whether a buffer of this size fits in L2.
bool l2_holds(const device::Profile& profile, double buffer_bytes);

/// Bytes of written data that L2 holds before it must write some to DRAM.
double l2_dirty(const device::Profile& profile);

/// The DRAM demand of the blocks counted in `buffers`, `share` of the launch's blocks, at the rates
/// of the whole launch. `buffer_bytes`: sizes of the buffers, in the same order.
DramDemand dram_demand(const device::Profile& profile,
                       const std::vector<memory::BufferCounters>& buffers,
                       const std::vector<std::uint64_t>& buffer_bytes,
                       const DramPageLocality& locality, double share);

}  // namespace warpgrade::timing
