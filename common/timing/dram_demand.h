// SPDX-License-Identifier: Apache-2.0
// What a launch asks of DRAM, from what a sample of its blocks asks of each buffer.
//
// Each block brings its requests below L1. Of those of all blocks, a buffer's bytes come from DRAM
// once; further requests for them hit L2 if they come soon, or as far as the buffer fits L2. Soon
// is what neighbouring blocks use together: a window of the buffer that fits half of L2. What is
// written goes the same way. A sector that leaves L2 written in part is read first.
//
// L2 keeps lines of 128 bytes, of which accesses at random fill a part. Where it holds the share h
// of a buffer's lines, 1 - h is the chance that none of them was asked for since a line left, and
// (1 - h)^u the chance that none was for a given part u of it (measured: h200_memory).
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/timing/dram_page_locality.h"

namespace warpgrade::timing {

/// In sectors of 32 bytes; granules of L2 (profile.l2_fetch_bytes) that are used in part count
/// whole.
struct BufferDemand {
  double read = 0;    ///< For loads.
  double filled = 0;  ///< Read, since sectors leave L2 in part.
  double written = 0;
};

struct DramDemand {
  double read = 0;  ///< And filled.
  double written = 0;
  std::vector<BufferDemand> buffers;
  /// Sectors that others have written before and that leave L2 for this launch's, less those that
  /// this launch leaves there.
  double displaced = 0;
};

/// Whether L2 can hold a buffer of so many bytes whole.
bool l2_holds(const device::Profile& profile, double buffer_bytes);

/// The demand of the blocks that `buffers` were counted in, `share` of the launch's, at the rate of
/// the whole launch. `buffer_bytes`: sizes of the buffers, in the same order.
DramDemand dram_demand(const device::Profile& profile,
                       const std::vector<memory::BufferCounters>& buffers,
                       const std::vector<std::uint64_t>& buffer_bytes,
                       const DramPageLocality& locality, double share);

}  // namespace warpgrade::timing
