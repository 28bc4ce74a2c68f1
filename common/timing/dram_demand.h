// SPDX-License-Identifier: Apache-2.0
// What a launch asks of DRAM, from what a sample of its blocks asks of each buffer.
//
// Each block brings its requests below L1. Of those of all blocks, a buffer's bytes come from DRAM
// once; further requests for them hit L2 if they come soon, or as far as the buffer fits L2. Soon
// is what neighbouring blocks use together: a window of the buffer that fits half of L2. What is
// written goes the same way. A sector that leaves L2 written in part is read first.
//
// Not modelled: that blocks of a loop over a buffer larger than L2 find less there than chance.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/counters.h"
#include "common/timing/dram_page_locality.h"

namespace warpgrade::timing {

/// In sectors of 32 bytes; granules of L2 (profile.l2_fetch_bytes) that are used in part count
/// whole.
struct DramDemand {
  double read = 0;
  double written = 0;
};

/// The demand of the blocks that `buffers` were counted in, `share` of the launch's, at the rate of
/// the whole launch. `buffer_bytes`: sizes of the buffers, in the same order.
DramDemand dram_demand(const device::Profile& profile,
                       const std::vector<memory::BufferCounters>& buffers,
                       const std::vector<std::uint64_t>& buffer_bytes,
                       const DramPageLocality& locality, double share);

}  // namespace warpgrade::timing
