// SPDX-License-Identifier: Apache-2.0
// The observer that counts the work of a profile's memory system for each instruction of a
// kernel.
//
// The input is warp-level memory events. The output is the requests, sectors, wavefronts and so on
// of each PTX instruction by the profile's rules, the traffic below L1, and the metrics that are
// computed from their sums (see metrics.h). All results are sums over blocks or unions of
// footprints, so they do not depend on the number of host threads.
//
// On the profile h200 the counts above L2 agree with Nsight Compute's in every single-warp probe in
// tests/evidence/golden/h200_outputs. Unknown, and treated like 8 bytes: local accesses of 16 bytes
// (four requests) and joined groups of shared loads of 32 bytes.
//
// Traffic is modelled, not counted. A load of a sector that the same block loaded before hits its
// L1 (block_l1.h) if the profile caches global loads there; volatile accesses and atomics bypass
// L1. On the H200 each address has its home in one half of L2. Half of the sectors that L1 requests
// count again at the far half, which delivers granules of 64 bytes, each once per launch; half of
// the written sectors count twice. DRAM reads each granule of the footprint once and writes what
// does not fit in L2. This matches tests/evidence/golden/h200 within 2 % for transposes, copies,
// global probes without overlap, and the reads of reductions. Not modelled:
// - SMs of one cluster that request the same line at the same time share one L2 request: when 64
//   blocks read the same 33 KB (probe_sstride, probe_s64, probe_s128), L2 serves a quarter to a
//   third of the number here.
// - Writes to parts of one sector by several warps can merge before L2: misaligned stores
//   (probe_goffset) cause up to 10 % fewer sectors than counted here.
// - Stores by one lane (a reduction's results) cost L2 up to a tenth more, plus up to 400 sectors.
//   The difference varies between kernels with similar stores.
// - L2 evicts early: of 16 MB written, 2 % reach DRAM during the launch; the model counts 0.
// - L2 capacity misses: a footprint larger than L2 that is read twice counts one DRAM read.
// - Local memory below L1, and hits on data that the block stored or another block loaded.
// - Bulk copies (TMA) are not requests of the load and store units, so L1 counts nothing. Their
//   sectors count below L1, like loads that miss or stores. An H100's counters agree
//   (tests/evidence/golden/h100_bulk), except that cp.reduce.async.bulk is a store here and a
//   reduction there.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/buffer_counters.h"
#include "common/memory/instruction_counters.h"
#include "common/memory/machine_access.h"
#include "common/run/observer.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

/// Traffic below L1 from the footprint, without the traffic of the launch itself.
struct Traffic {
  std::uint64_t l2_read_sectors = 0;   ///< Sectors of loads. Without an L2, 0 like the next.
  std::uint64_t l2_write_sectors = 0;  ///< Sectors of stores.
  std::uint64_t dram_read_bytes = 0;   ///< Whole granules; without an L2, the transactions.
  std::uint64_t dram_write_bytes = 0;  ///< Within the launch.
  std::uint64_t dirty_bytes = 0;    ///< Bytes that DRAM eventually receives: whole sectors of the
                                    ///< footprint; without an L2, the transactions.
  std::uint64_t bytes_read = 0;     ///< Distinct bytes read at least once.
  std::uint64_t bytes_written = 0;  ///< Distinct bytes written at least once.

  friend bool operator==(const Traffic&, const Traffic&) = default;
};

class Counters final : public run::Observer {
 public:
  /// `machine` lists the accesses in which machine code differs from the launch's function.
  explicit Counters(const device::Profile& profile, MachineAccesses machine = {});
  Counters(Counters&&) noexcept;
  ~Counters() override;

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_launch_beside(const run::LaunchContext& context, run::Observer& first) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;
  /// The copy engine moves sectors between L2 and shared memory, bypassing L1.
  void on_bulk(const run::BulkEvent& event) override;
  /// Adds the spills of the instructions that a launch executed (see spill_counters.h).
  void add_spills(const std::vector<run::InstructionCount>& executed);

  /// Row i * kCountedSpaces.size() + s: PTX instruction i in kCountedSpaces[s]. An instruction on
  /// generic addresses can have counts in several spaces.
  const std::vector<InstructionCounters>& instructions() const;
  /// Sum over all instructions in `space` with `operation`.
  InstructionCounters total(run::Space space, run::Operation operation) const;
  Traffic traffic() const;
  /// Sectors of loads from global memory that missed L1.
  std::uint64_t missed_load_sectors() const;
  /// One element per buffer of the launch, in their order.
  std::vector<BufferCounters> buffers() const;
  /// Bytes per memory partition; empty if the profile hashes addresses.
  const std::vector<std::uint64_t>& partition_bytes() const;
  const device::Profile& profile() const;
  const MachineAccesses& machine() const;

 private:
  template <typename Function>
  void with_own_l1(const Function& function);

  struct State;
  struct Own;
  std::shared_ptr<State> state_;  ///< Shared by all forks whose blocks run in turns.
  std::unique_ptr<Own> own_;      ///< A later fork's own state.
};

}  // namespace warpgrade::memory
