// SPDX-License-Identifier: Apache-2.0
// Warps on multiprocessors, event by event: how long a traced sample takes, and what it keeps busy.
//
// Every resource is a queue that serves requests in the order of their arrival, at the profile's
// rate: a scheduler's issue slots, the tag stage, the shared memory and the port of each
// multiprocessor; L2 and DRAM (or its partitions) of the chip. A warp goes through its program: it
// issues, puts a request into the queues that it passes, waits for an answer where the program says
// so, or for the other warps of its block. Blocks are dealt out in their order, first one to each
// multiprocessor, later to whichever has room. What the sample leaves out takes the time that
// blocks take once the sample runs steadily.
//
// Not modelled: limits of queues and of requests in flight, priorities among warps, bank groups and
// refresh of DRAM (in the profile's efficiency).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/timing/dram_page_locality.h"
#include "common/timing/sample.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// What a buffer's sectors ask of DRAM.
struct BufferRates {
  double read = 1;     ///< For each sector of a load that its block has not loaded before.
  double lost = 0;     ///< For each that L2 has lost since its block loaded it.
  double written = 1;  ///< For each sector of a store ...
  double filled = 0;   ///< ... that is read, since it leaves L2 in part.
};

/// The demands of the launch as a whole on the chip.
struct Rates {
  std::uint32_t resident = 1;        ///< Blocks that fit on a multiprocessor.
  double dram_read_share = 1;        ///< Share of a load's sectors below L1 that DRAM is read for.
  double dram_write_share = 1;       ///< Share of a store's sectors that DRAM is written for.
  std::vector<BufferRates> buffers;  ///< The same buffer by buffer, where their sizes are known.
  double displaced = 0;  ///< Sectors that leave L2 for each that is asked for, written before.
  PagesPerByte pages;    ///< Opened where addresses are hashed.
};

/// Seconds in which a resource works; of those that each multiprocessor has, the mean of them.
struct Busy {
  double dram = 0;
  double partition = 0;  ///< The busiest partition, moment by moment; 0 where there are none.
  double l2 = 0;
  double l2_stores = 0;  ///< Where they have a rate of their own.
  double l2_partial_writes = 0;
  double atomic_unit = 0;  ///< The busiest of them, where they are known.
  double port = 0;
  double tags = 0;
  double l1_data = 0;
  double shared = 0;
  double issue = 0;
  std::array<double, kPipes> pipes{};  ///< By Pipe.
};

struct SimulatedTime {
  double seconds = 0;  ///< From the first block's start to the last one's end.
  Busy busy;
};

SimulatedTime simulate(const device::Profile& profile, const Sample& sample, const Rates& rates,
                       const Trace& trace);

}  // namespace warpgrade::timing
