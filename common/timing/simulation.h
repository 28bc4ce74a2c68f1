// SPDX-License-Identifier: Apache-2.0
// Simulates warps on SMs event by event: the time of a traced sample, and the resources it uses.
//
// Every resource is a queue that serves requests in the order of arrival at the profile's rate.
// Three parts of the chip come first. They are the latency of L2 and DRAM, the words that atomics
// of many blocks share, and the memory partitions of cc 1.x. The header lists what is not
// modelled.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/global_access.h"
#include "common/timing/dram_demand.h"
#include "common/timing/multiprocessor.h"
#include "common/timing/sample.h"
#include "common/timing/trace.h"
#include "common/timing/warp_recorder.h"
#include "common/timing/warp_timeline.h"

namespace warpgrade::timing {

// The time until memory answers a request whose sectors have passed all queues.
//
// A request is answered when its last line arrives. Each line comes from L2 or DRAM at random.
// Lines from DRAM have a minimum latency plus an exponentially distributed part, because banks,
// refresh and distance differ, as measured (tests/evidence/golden/h200_memory). A warp that waits
// for 32 lines therefore waits longer than one that waits for a single line, although the mean per
// line is equal; lines of one DRAM page share their latency. The random numbers are a fixed
// sequence, so the same calls get the same answers.

class AnswerLatency {
 public:
  /// In any unit of time: latency of an L2 hit; mean latency of a line from idle DRAM and from
  /// saturated DRAM; and the mean of the exponential part of both.
  AnswerLatency(double l2, double dram, double loaded_dram, double tail);

  /// The latency of a request for lines in this number of `pages`, each of which comes from DRAM
  /// with probability `dram_share`, if DRAM is busy for `load` of the time; both from 0 to 1.
  /// If all its lines are in L2, they are on their way there with probability `together`, because
  /// other blocks have asked for them, and it waits for the rest. Requests with the same `place`
  /// use the same page; 0: any page.
  double next(std::uint32_t pages, std::uint32_t place, double dram_share, double together,
              double load);

 private:
  static constexpr std::size_t kMostPages = 32;
  static constexpr std::size_t kQuantiles = 64;

  double chance();
  /// The latency of this number of pages of DRAM; `where` from 0 to 1 selects its quantile.
  double of_dram(std::uint32_t pages, double where, double load) const;

  double l2_;
  double dram_;
  double more_under_load_;
  double tail_;
  std::uint64_t state_ = 0;
  /// Row n - 1: quantiles of the maximum of n exponential variables with mean 1.
  std::array<std::array<double, kQuantiles>, kMostPages> largest_;
};

// Estimates from a sample how many blocks of a launch use the same words in atomics.
//
// The sample is a few SMs of the chip, which run rows of blocks. A row has one block for each SM of
// the chip, and the sample contains the first blocks of some rows. If blocks of several rows use
// one piece of memory (a counter, a histogram), so do the blocks of all other SMs, and the piece's
// L2 unit works for them as well. A piece used by only one row belongs to neighbouring blocks;
// other blocks use other pieces.

class AtomicSharing {
 public:
  using Place = std::uint64_t BlockAtomicWork::*;

  /// `place`: a piece or a sector; `row_blocks`: blocks per row; `chip_share`: the sample's part of
  /// them.
  AtomicSharing(const Trace& trace, Place place, double row_blocks, double chip_share);

  /// The ratio of the chip's atomics at the place to the sample's: 1 if one row uses it, 1 /
  /// chip_share if all rows do.
  double at(std::uint64_t place) const;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> rows_of_;  ///< Number of rows that use a place.
  double rows_ = 0;
  double most_;
};

// The memory partitions of a card with simply interleaved addresses: cc 1.x.
//
// Each partition is a queue and serves partition_width bytes of addresses in turn. If the
// transactions of all resident blocks go to one partition, the others idle: partition camping. A
// transaction needs time for its bytes, and more if its DRAM page is not open in its bank.

class Partitions {
 public:
  explicit Partitions(const device::Profile& profile);

  /// The time when the transaction, ready at `arrival`, enters its partition's queue.
  double admission(double arrival, const memory::Transaction& transaction) const;
  /// End of the transaction's service, in SM clocks.
  double serve(double arrival, const memory::Transaction& transaction);

  /// Busy clocks, averaged over the partitions.
  double mean_busy() const;
  /// Busy clocks of the busiest partition, determined per short span of time and summed.
  double busiest() const;

 private:
  struct Partition {
    double free_at = 0;
    std::vector<std::uint64_t> open;  ///< By bank: page number plus 1.
    std::vector<double> busy;         ///< By span of time.
  };
  double clocks_per_byte_ = 0;
  double page_clocks_ = 0;
  double queue_clocks_ = 0;  ///< Length of a full queue.
  memory::Divisor width_;
  memory::Divisor count_;
  memory::Divisor page_bytes_;
  memory::Divisor banks_;
  std::vector<Partition> partitions_;
};

/// DRAM sectors per sector of a buffer.
struct BufferRates {
  double read = 1;       ///< Per loaded sector that its block has not loaded before.
  double held = 0;       ///< The same for sectors that earlier launches have left in L2.
  double lost = 0;       ///< Per sector that L2 has evicted since its block loaded it.
  double written = 1;    ///< Per stored sector.
  double rewritten = 0;  ///< Per sector of local memory that its block stores again.
  double filled = 0;     ///< Read per stored sector, because it leaves L2 incomplete.
  double together = 0;   ///< Part of its loads that blocks make at the same time.
};

/// The demands of the whole launch on the chip.
struct Rates {
  std::uint32_t resident = 1;        ///< Blocks that fit on an SM.
  double dram_read_share = 1;        ///< Share of a load's sectors below L1 that DRAM reads.
  double dram_write_share = 1;       ///< Share of a store's sectors that DRAM writes.
  std::vector<BufferRates> buffers;  ///< The same per buffer, if the sizes are known.
  BufferRates local;                 ///< Local memory.
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
  double seconds = 0;      ///< From the start of the first block to the end of the last one.
  double first_loads = 0;  ///< Until the first load of an SM is answered, on average.
  double tail = 0;         ///< Lost at the end, when ended blocks have no successors.
  /// By program: the warp that runs longest, without its sleeps and fences.
  std::vector<double> warp_seconds;
  Busy busy;
  WarpActivity activity;  ///< In the whole launch, for the mean SM of the chip.
  /// The same by line, in source order; empty if the trace has no lines.
  std::vector<LineActivity> lines;
  /// The first SM; nullopt if the trace has no lines.
  std::optional<WarpTimeline> timeline;
};

SimulatedTime simulate(const device::Profile& profile, const Sample& sample, const Rates& rates,
                       const Trace& trace);

}  // namespace warpgrade::timing
