// SPDX-License-Identifier: Apache-2.0
// Predicts the machine code of each PTX instruction as far as time is concerned: its issue slots,
// the latency of its result, and which instructions it must not move across.
//
// Counts of machine instructions match ptxas for sm_90; the profile describes the differences of a
// generation (multiplication, division, width of an address). Modelled: multiplied and added
// addresses become one instruction, parameters are operands and need no loads, logic merges. Not
// modelled: optimisations based on values, uniform instructions, dual issue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/timing/machine_costs.h"
#include "common/timing/unrolled_loops.h"
#include "common/timing/wait_clocks.h"

namespace warpgrade::timing {

/// Pipes of a scheduler that are slower than its issue slot.
/// kLockstep is the scheduler itself in a loop of arithmetic (lockstep.h).
enum Pipe : std::size_t { kAluPipe, kXuPipe, kFp64Pipe, kFmaHeavyPipe, kLockstep, kPipes };
using PipeClocks = std::array<double, kPipes>;

/// One PTX instruction as machine code.
struct MachineOp {
  enum class Kind : std::uint8_t {
    kPlain,    ///< Computes, or loads parameters or constants.
    kLoad,     ///< From global, shared or local memory.
    kStore,    ///< To the same memories.
    kFence,    ///< A barrier to reordering of accesses: atomics, volatile accesses, fences.
    kBarrier,  ///< The whole block meets here.
  };
  Kind kind = Kind::kPlain;
  ptx::StateSpace space = ptx::StateSpace::kGeneric;  ///< For kLoad and kStore.
  std::uint8_t bytes = 0;                             ///< Bytes per lane, for the same.
  bool read_only = false;                             ///< No store of the kernel aliases it.
  bool begins_stretch = false;  ///< No instruction moves above it: the head of a loop.
  bool ends_stretch = false;    ///< No instruction moves below it: a branch, a call.
  bool is_branch = false;
  bool is_conditional = false;
  bool is_loop = false;    ///< An atomic that is a loop; its warp continues when the loop ends.
  bool is_copy = false;    ///< cp.async.
  bool is_object = false;  ///< Arrives at, or tests, a barrier object.
  bool acquires = false;   ///< Its warp continues when the answer is there.
  FenceScope fence{};      ///< The scope of a fence, or of a release.
  /// For a loop's branch: the number of passes that one pass of the unrolled machine code joins,
  /// and the first instruction of a pass.
  std::uint16_t joined_passes = 0;
  std::uint32_t joins = 0;
  std::uint32_t loads_ahead = 0;  ///< In that pass; as in UnrolledLoop.
  double slots = 1;               ///< Issue slots; a mean if a loop is unrolled.
  /// Clocks from its first slot to the warp's next issue, according to machine code. Negative:
  /// unknown; then each result is ready `latency` clocks later.
  double clocks = -1;
  PipeClocks pipes{};  ///< Clocks of its scheduler's pipes.
  /// Clocks of the shared memory stage for a shuffle, or for an access whose lanes are all
  /// predicated off.
  std::uint16_t passes = 0;
  memory::MachineAccess access;
  std::uint16_t latency = 0;         ///< Clocks until its result is usable.
  std::vector<std::uint32_t> reads;  ///< Registers; the carry flag is one past the last.
  std::vector<std::uint32_t> writes;
};

/// Applies joined passes and, if known, the machine instructions of each instruction and their
/// accesses.
void apply(const std::vector<UnrolledLoop>& loops, const std::vector<MachineCost>& costs,
           const memory::MachineAccesses& accesses, const device::Profile& profile,
           std::vector<MachineOp>& ops);

/// One element per instruction of `function`.
std::vector<MachineOp> machine_code(const ptx::Function& function, const device::Profile& profile);

/// The same, corrected by the machine code in `cubin` if that is not empty.
std::vector<MachineOp> machine_code(const ptx::Function& function, const device::Profile& profile,
                                    std::span<const char> cubin);

}  // namespace warpgrade::timing
