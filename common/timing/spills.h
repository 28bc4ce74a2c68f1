// SPDX-License-Identifier: Apache-2.0
// Spilled registers: the accesses to local memory that only machine code has.
//
// A spilled word has the same place on the stack of each lane, and the 32 words are adjacent: an
// access of 4 bytes per lane uses one 128-byte line. Stores write through L1 to L2. Loads hit a
// cache that has not evicted the line. A new block reuses the stacks of the block that ended. DRAM
// writes what L2 evicts before the new block overwrites it.
#pragma once

#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/timing/block_replay.h"
#include "common/timing/dram_demand.h"
#include "common/timing/machine_costs.h"
#include "common/timing/simulation.h"

namespace warpgrade::timing {

/// The request of a warp of the block; its lines are appended to `touched`.
RecordedAccess spill_request(const SpillAccess& spill, std::uint32_t warp,
                             std::vector<TouchedLine>& touched);

/// DRAM rates of the spills of `blocks` concurrent blocks. L2 keeps a stored sector until the next
/// block overwrites it if it has room for everything that these blocks access in between.
BufferRates spill_rates(const device::Profile& profile, const Trace& trace, double blocks);

/// Adds the bytes that DRAM moves for the spills of a launch of `blocks` blocks.
void add_spills(const Trace& trace, const BufferRates& rates, double blocks, DramTraffic& traffic);

}  // namespace warpgrade::timing
