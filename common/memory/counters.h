// SPDX-License-Identifier: Apache-2.0
// The observer that counts what the memory system of a profile would do, instruction by
// instruction.
//
// What comes in: warp-level memory events. What goes out: for each PTX instruction the requests,
// sectors, wavefronts (passes) and so on that the profile's rules give, and from their sums the
// metrics under the contract's names (see metrics.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "common/device/profile.h"
#include "common/run/observer.h"

namespace warpgrade::memory {

/// Sums over all executions of one instruction.
struct InstructionCounters {
  run::Space space{};
  run::Operation operation{};
  std::uint64_t requests = 0;  ///< Warp-level accesses (half-warps on cc 1.x).
  std::uint64_t sectors = 0;   ///< 32-byte sectors moved; global and local only.
  std::uint64_t lines = 0;     ///< 128-byte lines touched (tag lookups); global and local only.
  std::uint64_t partial_sectors = 0;   ///< Sectors stored to but not in full; global only.
  std::uint64_t bytes = 0;             ///< Bytes that lanes asked for, each lane's counted.
  std::uint64_t wavefronts = 0;        ///< Passes of the shared memory; shared only.
  std::uint64_t ideal_wavefronts = 0;  ///< Passes without any conflict; shared only.
};

/// Traffic below L1, from the footprint of the launch.
struct Traffic {
  std::uint64_t l2_read_sectors = 0;
  std::uint64_t l2_write_sectors = 0;
  std::uint64_t dram_read_bytes = 0;
  std::uint64_t dram_write_bytes = 0;
};

class Counters final : public run::Observer {
 public:
  explicit Counters(const device::Profile& profile);
  ~Counters() override;

  std::unique_ptr<run::Observer> fork() const override;
  void join(run::Observer& other) override;
  void on_launch(const run::LaunchContext& context) override;
  void on_block_begin(std::uint64_t linear_block) override;
  void on_memory(const run::MemoryEvent& event) override;
  void on_block_end() override;

  /// By index of the PTX instruction.
  const std::vector<InstructionCounters>& instructions() const;
  Traffic traffic() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpgrade::memory
