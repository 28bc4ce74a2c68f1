// SPDX-License-Identifier: Apache-2.0
// Spilled registers: the accesses to local memory that only machine code has.
//
// The words of a warp's lanes at one place of their stacks are one line, so an access to 4 bytes is
// one line of four sectors. L1 sends all stores on and answers loads of what it still holds, like
// L2. A block that starts takes over the stacks of the one that has ended: what that has stored
// reaches DRAM unless the new block stores to the place before L2 needs the room.
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

/// The share of stored sectors that DRAM writes, if `blocks` blocks run at the same time: all but
/// those that L2 keeps until they are stored again, after everything that these blocks access.
BufferRates spill_rates(const device::Profile& profile, const Trace& trace, double blocks);

/// Adds the bytes that DRAM moves for the spills of a launch of `blocks` blocks.
void add_spills(const Trace& trace, const BufferRates& rates, double blocks, DramTraffic& traffic);

}  // namespace warpgrade::timing
