// SPDX-License-Identifier: Apache-2.0
// The observer that counts what the memory system of a profile would do, instruction by
// instruction.
//
// Warp-level memory events come in. There go out the requests, sectors, wavefronts and so on that
// the profile's rules give for each PTX instruction, the traffic below L1, and from their sums the
// metrics under the contract's names (see metrics.h). All results are sums over blocks or unions of
// footprints: they do not depend on the number of host threads.
//
// On the profile h200 the counts above L2 agree with Nsight Compute's in every probe of a single
// warp in tests/evidence/golden/h200_outputs. Not known, and taken as for 8 bytes: local accesses
// of 16 bytes (four requests) and joined groups of shared loads of 32.
//
// Traffic is modelled, not counted, with these rules. A block's load of a sector that the block has
// loaded before hits its L1 (block_l1.h) where the profile caches global loads there; volatile
// accesses and atomics pass it by. On the H200 each address is at home in one half of L2: of the
// sectors that L1 asks for, half count a second time at the far half, which hands them out in
// granules of 64 bytes, once a granule and launch; of the sectors written, half count twice. DRAM
// is read once for each granule of the footprint, and written with what does not fit L2. Against
// tests/evidence/golden/h200 that is exact to 2 % for transposes, copies, global probes without
// overlap, and the reads of reductions. Not modelled, so the numbers are off there:
// - SMs of one cluster that ask for the same line at the same time are served by one L2 request:
//   64 blocks that read the same 33 KB (probe_sstride, probe_s64, probe_s128) cost L2 a quarter to
//   a third of what is given here.
// - Warps that write parts of one sector at the same time can be merged before L2: misaligned
//   stores (probe_goffset) give up to 10 % fewer sectors than given here.
// - Stores of one lane (a reduction's results) cost L2 up to a tenth more, plus up to 400 sectors,
//   and not the same in kernels that store alike.
// - L2 evicts before it is full: of 16 MB written, 2 % reach DRAM within the launch; given here: 0.
// - Capacity misses in L2: a footprint beyond L2 that is read twice is read from DRAM once here.
// - Local memory below L1, and hits on what a block has stored or another block has loaded.
// - Bulk copies (TMA): they are no requests of the load and store units, so that L1 counts nothing;
//   their sectors count below L1, as those of loads that miss or of stores. An H100's counters
//   agree (tests/evidence/golden/h100_bulk), except that cp.reduce.async.bulk is a store here and a
//   reduction there.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/buffer_counters.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

/// Sums over all executions of one instruction in one space.
struct InstructionCounters {
  run::Operation operation{};
  std::uint64_t requests = 0;         ///< Warp-level accesses (half-warps on cc 1.x); 0: none seen.
  std::uint64_t sectors = 0;          ///< 32-byte sectors moved; global and local only.
  std::uint64_t lines = 0;            ///< 128-byte lines looked up; global and local only.
  std::uint64_t partial_sectors = 0;  ///< Sectors touched but not in full; global and local only.
  std::uint64_t bytes = 0;            ///< Bytes that lanes asked for, each lane's counted.
  std::uint64_t used_bytes = 0;  ///< The same, a byte that lanes of a request share counted once;
                                 ///< global and local only. At most 32 a sector.
  std::uint64_t wavefronts = 0;  ///< Wavefronts of the shared memory; shared only.
  std::uint64_t conflicts = 0;   ///< Wavefronts beyond what its requests need at best; shared only.

  InstructionCounters& operator+=(const InstructionCounters& other);
  friend bool operator==(const InstructionCounters&, const InstructionCounters&) = default;
};

/// The spaces that are counted, and the place of their rows in Counters::instructions(). The second
/// row of shared memory holds the loads of atomics that machine code does in a loop.
constexpr std::array<run::Space, 4> kCountedSpaces = {run::Space::kGlobal, run::Space::kShared,
                                                      run::Space::kLocal, run::Space::kShared};

/// Traffic below L1, from the footprint of the launch; without what the launch itself moves.
struct Traffic {
  std::uint64_t l2_read_sectors = 0;   ///< Sectors of loads. 0 without an L2, as all three.
  std::uint64_t l2_write_sectors = 0;  ///< Sectors of stores.
  std::uint64_t l2_atomic_sectors = 0;
  std::uint64_t dram_read_bytes = 0;   ///< Whole granules; without an L2 the sum of transactions.
  std::uint64_t dram_write_bytes = 0;  ///< Within the launch.
  std::uint64_t dirty_bytes = 0;  ///< Bytes that DRAM is written in the long run: whole sectors of
                                  ///< the footprint; without an L2 the sum of transactions.
  std::uint64_t bytes_read = 0;   ///< Distinct bytes read at least once.
  std::uint64_t bytes_written = 0;  ///< Distinct bytes written at least once.

  friend bool operator==(const Traffic&, const Traffic&) = default;
};

class Counters final : public run::Observer {
 public:
  explicit Counters(const device::Profile& profile);
  Counters(Counters&&) noexcept;
  ~Counters() override;

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;
  void on_barrier(const run::BarrierEvent& event) override;
  /// The copy engine moves sectors between L2 and shared memory, and passes L1 by.
  void on_bulk(const run::BulkEvent& event) override;

  /// Row i * kCountedSpaces.size() + s: PTX instruction i in kCountedSpaces[s]. An instruction on
  /// generic addresses can have counts in several.
  const std::vector<InstructionCounters>& instructions() const;
  /// Sum over all instructions in `space` that do `operation`.
  InstructionCounters total(run::Space space, run::Operation operation) const;
  Traffic traffic() const;
  /// Sectors of loads from global memory that L1 did not hold.
  std::uint64_t missed_load_sectors() const;
  /// One a buffer of the launch, in their order.
  std::vector<BufferCounters> buffers() const;
  /// Bytes that went over each memory partition; empty where the profile hashes addresses.
  const std::vector<std::uint64_t>& partition_bytes() const;
  /// Block-wide barriers, summed over blocks.
  std::uint64_t block_barriers() const;
  const device::Profile& profile() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpgrade::memory
