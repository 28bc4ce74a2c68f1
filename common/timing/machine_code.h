// SPDX-License-Identifier: Apache-2.0
// Works out what the assembler makes of each PTX instruction, as far as time is concerned: how many
// issue slots it takes, how soon its result is there, and what it may not be moved across.
//
// Counts of machine instructions follow what ptxas writes for sm_90; the profile says where a
// generation differs (multiplication, division, width of an address). Known: addresses that are
// multiplied and added become one instruction, parameters are operands and no loads, logic merges.
// Not known: what ptxas finds out about values, uniform instructions, dual issue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/timing/machine_costs.h"
#include "common/timing/unrolled_loops.h"

namespace warpgrade::timing {

/// Pipes of a scheduler that take longer for an instruction than its issue slot.
enum Pipe : std::size_t { kAluPipe, kXuPipe, kFp64Pipe, kFmaHeavyPipe, kPipes };
using PipeClocks = std::array<double, kPipes>;

/// One PTX instruction as machine code.
struct MachineOp {
  enum class Kind : std::uint8_t {
    kPlain,    ///< Computes; also loads of parameters and constants.
    kLoad,     ///< From global, shared or local memory.
    kStore,    ///< Likewise.
    kFence,    ///< No access to memory moves across: atomics, volatile accesses, fences.
    kBarrier,  ///< The whole block meets here.
  };
  Kind kind = Kind::kPlain;
  ptx::StateSpace space = ptx::StateSpace::kGeneric;  ///< For kLoad and kStore.
  bool read_only = false;       ///< Nothing that the kernel stores aliases it.
  bool begins_stretch = false;  ///< Nothing moves above it: a loop's head.
  bool ends_stretch = false;    ///< Nothing moves below it: a branch, a call.
  bool is_branch = false;
  bool is_conditional = false;
  bool is_loop = false;  ///< An atomic that is a loop: its warp goes on when it is done.
  /// A loop's branch has the passes that machine code does as one, where it has unrolled the loop,
  /// and the first instruction of one.
  std::uint16_t joined_passes = 0;
  std::uint32_t joins = 0;
  double slots = 1;  ///< Issue slots; a mean where a loop is unrolled.
  /// Clocks from its first slot to what its warp issues next, where machine code tells; else its
  /// results decide, each `latency` clocks later. Negative: not known.
  double clocks = -1;
  PipeClocks pipes{};  ///< Clocks of its scheduler's pipes.
  /// Clocks of the stage that shared memory's wavefronts pass: of a shuffle, and of an access of
  /// which a predicate has turned off all lanes.
  std::uint16_t passes = 0;
  std::uint16_t latency = 0;         ///< Clocks until what it computes can be used.
  std::vector<std::uint32_t> reads;  ///< Registers; the carry flag is one past the last.
  std::vector<std::uint32_t> writes;
};

/// Enters passes that are joined, and what machine code issues for each instruction, if it is
/// known.
void apply(const std::vector<UnrolledLoop>& loops, const std::vector<MachineCost>& costs,
           const device::Profile& profile, std::vector<MachineOp>& ops);

/// One for each instruction of `function`.
std::vector<MachineOp> machine_code(const ptx::Function& function, const device::Profile& profile);

}  // namespace warpgrade::timing
