// SPDX-License-Identifier: Apache-2.0
// Counts the work of a profile's memory system for each instruction of a kernel.
//
// In: warp-level memory events. Out: one row of sums per instruction and memory space, the
// traffic below L1, and the footprint. Each classified access updates one row of sums, then the
// traffic and the footprint. This allocates no memory. Spilled registers are added at the end of
// the launch.
//
// counters.h names the evidence, and what is modelled or not modelled below L1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/device/profile.h"
#include "common/memory/block_copies.h"
#include "common/memory/footprint.h"
#include "common/memory/machine_access.h"
#include "common/run/observer.h"
#include "common/run/runner.h"

namespace warpgrade::memory {

// One kind of access to one memory space: a row of the table of source lines.

struct MemoryOperation {
  run::Space space{};
  run::Operation operation{};

  friend bool operator==(const MemoryOperation&, const MemoryOperation&) = default;
};

/// "global load", "shared store", "local load", "global atomic", "global reduction", ...
std::string name(const MemoryOperation& operation);

// The sums that Counters keeps per instruction: one row per counted space.

/// Sums over all executions of one instruction in one space.
struct InstructionCounters {
  run::Operation operation{};
  std::uint64_t requests = 0;         ///< Warp-level accesses (cc 1.x: half-warps); 0: never
                                      ///< executed.
  std::uint64_t sectors = 0;          ///< 32-byte sectors moved; not for shared memory.
  std::uint64_t lines = 0;            ///< 128-byte lines looked up; global and local only.
  std::uint64_t partial_sectors = 0;  ///< Sectors touched only in part; global and local only.
  std::uint64_t bytes = 0;            ///< Bytes that lanes request, counted for each lane.
  std::uint64_t used_bytes = 0;       ///< The same, but a byte that lanes of a request share counts
                                      ///< once. Of shared memory, only those of atomics.
  std::uint64_t wavefronts = 0;       ///< Wavefronts of shared memory; shared only.
  std::uint64_t conflicts = 0;  ///< Wavefronts beyond the least for its requests; shared only.

  InstructionCounters& operator+=(const InstructionCounters& other) {
    if (requests == 0) operation = other.operation;
    requests += other.requests;
    sectors += other.sectors;
    lines += other.lines;
    partial_sectors += other.partial_sectors;
    bytes += other.bytes;
    used_bytes += other.used_bytes;
    wavefronts += other.wavefronts;
    conflicts += other.conflicts;
    return *this;
  }
  friend bool operator==(const InstructionCounters&, const InstructionCounters&) = default;
};

/// The counted spaces, in the order of their rows in Counters::instructions(). The second row of
/// shared memory contains the loads of atomics that machine code does in a loop, the second of
/// local memory the loads of spilled registers.
constexpr std::array<run::Space, 6> kCountedSpaces = {run::Space::kGlobal,  run::Space::kShared,
                                                      run::Space::kLocal,   run::Space::kShared,
                                                      run::Space::kCluster, run::Space::kLocal};

/// The same by name.
enum Row : std::size_t {
  kGlobalRow,
  kSharedRow,
  kLocalRow,
  kLoopLoadRow,
  kClusterRow,
  kSpillLoadRow
};

// Counts of spilled registers. On an H100 and an H200 a spill of 4 bytes is one request, and its 32
// lanes have adjacent words: 4 sectors (tests/evidence/launches, registers_200 and
// registers_spilled).

/// Adds the spills of the instructions that a launch executed, according to `executed`. The active
/// lanes are unknown and count as neighbours.
void add_spills(const MachineAccesses& machine, const std::vector<run::InstructionCount>& executed,
                std::vector<InstructionCounters>& rows);

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
  void on_copy(const run::CopyEvent& event) override;
  void on_order(const run::OrderEvent& event) override;
  /// The copy engine moves sectors between L2 and shared memory, bypassing L1.
  void on_bulk(const run::BulkEvent& event) override;
  /// Adds the spills of the instructions that a launch executed (see counters.h).
  void add_spills(const std::vector<run::InstructionCount>& executed);

  /// Row i * kCountedSpaces.size() + s: PTX instruction i in kCountedSpaces[s]. An instruction on
  /// generic addresses can have counts in several spaces.
  const std::vector<InstructionCounters>& instructions() const;
  /// Sum over all instructions in `space` with `operation`.
  InstructionCounters total(run::Space space, run::Operation operation) const;
  Traffic traffic() const;
  /// Bytes of shared memory that asynchronous copies (cp.async) fill, each once per block.
  std::uint64_t copied_shared_bytes() const;
  /// Shared loads of a launch with such copies, and those made while copies are under way.
  std::uint64_t shared_loads_with_copies() const;
  std::uint64_t shared_loads_beside_copies() const;
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
  void note_shared(const run::MemoryEvent& event);

  struct State;
  struct Own;
  std::shared_ptr<State> state_;  ///< Shared by all forks whose blocks run in turns.
  std::unique_ptr<Own> own_;      ///< A later fork's own state.
  BlockCopies copies_;            ///< The current block's.
};

}  // namespace warpgrade::memory
