// SPDX-License-Identifier: Apache-2.0
// Predicts the machine code of each PTX instruction, as far as time is concerned.
//
// In: a PTX instruction and the profile. Out: its issue slots, the latency of its result, and the
// instructions that it must not move across. One function computes each fact.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/run/observer.h"
#include "common/timing/loops.h"
#include "common/timing/machine_costs.h"

namespace warpgrade::timing {

// How long a warp waits for other things than the answer to its own load.
//
// The numbers are clocks of an H200 (tests/evidence/golden/h200_waits). Other profiles use the same
// ones.

/// Parts of a time that are smaller are within the model's error: 6.2 % on average over 306
/// launches on an H200 (tests/evidence/launches).
constexpr double kNegligible = 0.06;

/// The threads that see a warp's earlier accesses after a fence.
enum class FenceScope : std::uint8_t { kNone, kBlock, kDevice, kSystem };

/// Constant memory serves one address per pass to all lanes that read it. A multiprocessor makes a
/// pass every 2 clocks. The passes of one load follow each other after 11 clocks, because the
/// instruction is issued again. Measured: 32 + 11 n clocks for a chain of loads of n addresses.
///
/// Its cache has 8 sets of 4 lines of 64 bytes. A warp waits 70 clocks longer for each line that is
/// not there. A multiprocessor fetches lines that a load needs from the same 256 bytes together, in
/// 8 clocks.
constexpr double kConstantPassClocks = 2;
constexpr double kConstantReplayClocks = 11;
constexpr double kConstantLatency = 32;
constexpr double kConstantMissLatency = 70;
constexpr double kConstantFetchClocks = 8;

/// A fence lasts this long without earlier accesses. One of the device lasts 510 clocks behind a
/// store or load: until the access is performed and confirmed, and kFenceAfterClocks more. Accesses
/// to local or shared memory delay no fence.
constexpr double kBlockFenceClocks = 35;
constexpr double kDeviceFenceClocks = 290;
constexpr double kSystemFenceClocks = 1045;
constexpr double kFenceAfterClocks = 215;

/// A multiprocessor executes a fence of the device in this many clocks, if earlier accesses of the
/// warp have been performed or not, and one of the system. A release is as fast as the former,
/// since it keeps the lines of L1. Measured: 32 warps with one fence after each store need 1,080
/// clocks for it, without stores 500, and for the system 1,640.
constexpr double kFencePassClocks = 16;
constexpr double kFencePassAfterClocks = 34;
constexpr double kSystemFencePassClocks = 52;

/// Without an access between them, fences of all 64 warps of a multiprocessor last up to 29,000
/// clocks. A line of constant memory that the cache lacks delays a load by less than 100 clocks.
constexpr double kMostFencePassClocks = 29'000.0 / 64;
constexpr double kMostConstantMissClocks = 100;

/// A load from the shared memory of another block of the cluster lasts this much longer than one
/// from the block's own: 190 clocks and 33 on an H100 (tests/evidence/golden/h100_cluster).
constexpr double kRemoteSharedClocks = 157;

/// Clocks of the stage of shared memory for an arrival at a barrier object, or for a test of one,
/// by any number of lanes. Measured: 1,024 threads that arrive and wait need 263 clocks, 32
/// need 90.
constexpr double kObjectClocks = 3;

/// The answer of L2 to an atomic, relative to a load: 390 clocks and 281 on average over
/// multiprocessors and addresses (tests/evidence/golden/h200_blocks).
constexpr double kAtomicLatencies = 1.39;

/// From the last arrival at a barrier object to the next instruction of a thread that waits there.
constexpr double kArrivalClocks = 20;

/// Instructions of a subroutine for rare operands depend on each other. Four warps of a scheduler
/// take a sixth longer than one (divisions.csv in tests/evidence/golden/h200_issue).
constexpr double kSubroutineClocksPerSlot = 5;

/// The end of a sleep that begins at `now`, both in seconds. A clock with a period of a power of
/// two nanoseconds, at least as long as the sleep, wakes all sleepers at its next tick. Measured:
/// naps of 5,000 ns end every 8,192 ns; blocks whose threads sleep for 20,000 ns once follow each
/// other every 32.7 us, and the first after half of that. The shortest sleep lasts 40 ns.
inline double end_of_sleep(double now, std::uint32_t nanoseconds) {
  constexpr double kShortest = 40e-9;
  constexpr double kRounding = 1e-9;
  const double period = 1e-9 * std::bit_ceil(std::max(nanoseconds, 32U));
  const double ticks = std::floor(now / period + 0.5 + kRounding);
  return std::max(now + kShortest, (ticks + 0.5) * period);
}

/// Pipes of a scheduler that are slower than its issue slot.
/// kLockstep is the scheduler itself in a loop of arithmetic (loops.h). kHeld also
/// stands for the scheduler: it counts the clocks that an instruction holds it beyond its issue
/// slot.
enum Pipe : std::size_t { kAluPipe, kXuPipe, kFp64Pipe, kFmaHeavyPipe, kLockstep, kHeld, kPipes };
using PipeClocks = std::array<double, kPipes>;

/// Further clocks of a division or root for rare operands, by run::RareOperands.
using SubroutineClocks =
    std::array<std::uint16_t, static_cast<std::size_t>(run::RareOperands::kCount)>;
SubroutineClocks subroutine_clocks(const ptx::Instruction& instruction);

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
  bool is_shared_atomic = false;  ///< A kFence, but only for accesses to shared memory.
  bool begins_stretch = false;    ///< No instruction moves above it: the head of a loop.
  bool ends_stretch = false;      ///< No instruction moves below it: a branch, a call.
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
  std::uint32_t loads_ahead = 0;     ///< In that pass; as in UnrolledLoop.
  std::vector<MachinePlace> places;  ///< As in MachineCost.
  double slots = 1;                  ///< Issue slots; a mean if a loop is unrolled.
  /// Clocks from its first slot to the warp's next issue, according to machine code. Negative:
  /// unknown; then each result is ready `latency` clocks later.
  double clocks = -1;
  PipeClocks pipes{};  ///< Clocks of its scheduler's pipes.
  /// Clocks of the shared memory stage for a shuffle, or for an access whose lanes are all
  /// predicated off.
  std::uint16_t passes = 0;
  memory::MachineAccess access;
  std::uint16_t latency = 0;  ///< Clocks until its result is usable.
  SubroutineClocks subroutine_clocks{};
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
