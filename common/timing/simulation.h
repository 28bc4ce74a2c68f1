// SPDX-License-Identifier: Apache-2.0
// Simulates warps on SMs event by event: the time of a traced sample, and which resources it
// uses.
//
// Every resource is a queue that serves requests in the order of arrival at the profile's rate: a
// scheduler's issue slots; the tag stage, shared memory and port of each SM; L2 and DRAM (or its
// partitions) of the chip. A warp runs its program: it issues, puts requests into the queues that
// they pass, and waits for an answer or for the other warps of its block as the program requires.
// Blocks are dispatched in order, first one to each SM, later to any SM with room. For blocks
// outside the sample, the steady-state time per block is added.
//
// Not modelled: limits of queues and of requests in flight, priorities among warps, DRAM bank
// groups and refresh (included in the profile's efficiency).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/timing/dram_page_locality.h"
#include "common/timing/sample.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// DRAM sectors per sector of a buffer.
struct BufferRates {
  double read = 1;     ///< Per loaded sector that its block has not loaded before.
  double lost = 0;     ///< Per sector that L2 has evicted since its block loaded it.
  double written = 1;  ///< Per stored sector.
  double filled = 0;   ///< Read per stored sector, because it leaves L2 incomplete.
};

/// The demands of the whole launch on the chip.
struct Rates {
  std::uint32_t resident = 1;        ///< Blocks that fit on an SM.
  double dram_read_share = 1;        ///< Share of a load's sectors below L1 that DRAM reads.
  double dram_write_share = 1;       ///< Share of a store's sectors that DRAM writes.
  std::vector<BufferRates> buffers;  ///< The same per buffer, if the sizes are known.
  BufferRates spills;                ///< Local memory of spilled registers.
  double displaced = 0;              ///< Dirty sectors that leave L2 per requested sector.
  PagesPerByte pages;                ///< Opened pages, if addresses are hashed.
};

/// Seconds in which a resource is busy; for resources of each SM, the mean.
struct Busy {
  double dram = 0;
  double partition = 0;  ///< The busiest partition, determined per span of time; 0 without
                         ///< partitions.
  double l2 = 0;
  double l2_stores = 0;  ///< If they have a separate rate.
  double l2_partial_writes = 0;
  double atomic_unit = 0;  ///< The busiest unit, if they are known.
  double port = 0;
  double tags = 0;
  double l1_data = 0;
  double shared = 0;
  double constants = 0;  ///< Passes for lanes that read different constants.
  double issue = 0;
  std::array<double, kPipes> pipes{};  ///< By Pipe.
};

struct SimulatedTime {
  double seconds = 0;  ///< From the start of the first block to the end of the last one.
  /// By program: the warp that runs longest, without its sleeps and fences.
  std::vector<double> warp_seconds;
  Busy busy;
};

SimulatedTime simulate(const device::Profile& profile, const Sample& sample, const Rates& rates,
                       const Trace& trace);

}  // namespace warpgrade::timing
