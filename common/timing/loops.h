// SPDX-License-Identifier: Apache-2.0
// The loops of machine code: how often they are unrolled, and how fast they run in lockstep.
//
// The assembler unrolls innermost loops of PTX. Many warps of a scheduler execute a loop of
// arithmetic in step, which lowers its throughput.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/timing/cubin.h"

namespace warpgrade::timing {

// Finds how often the assembler unrolled the innermost loops of a kernel beyond their form in PTX,
// and how many loads such a pass issues before it waits.
//
// Compares the innermost loops of PTX and of the machine code in order, by the memory traffic per
// pass (without memory accesses: by the increments of their counters). ptxas writes an unrolled
// loop as several loops, the largest first and a loop with single passes last; the largest counts.
// A loop with a fractional number of PTX passes is ignored. If machine code has PTX line numbers,
// only loops with common lines are compared.

struct UnrolledLoop {
  std::uint32_t head = 0;    ///< First PTX instruction of the loop.
  std::uint32_t branch = 0;  ///< Its backward branch.
  std::uint32_t times = 1;   ///< PTX passes per machine-code pass.
  /// Global loads of a machine-code pass before it waits for the first of them; 0: all.
  std::uint32_t loads_ahead = 0;

  friend bool operator==(const UnrolledLoop&, const UnrolledLoop&) = default;
};

/// The loops of `function` that the machine code unrolls, by a factor above 1.
std::vector<UnrolledLoop> unrolled_loops(const ptx::Function& function,
                                         std::span<const MachineInstruction> code);

// The throughput of a loop of arithmetic that many warps of a scheduler execute in step.
//
// A scheduler lets the warp that has issued least go first. So its warps stay within a few
// instructions of each other, and a pipe idles while all of them are at instructions for another
// one. A loop of 16 double multiply-adds and five other instructions takes 37 clocks per warp on an
// H200, not the 32 of its fp64 pipe. Measured: kernels of five such loops
// (tests/evidence/golden/h200_issue); of the usual policies this one fits best, to 6 %. Round robin
// is 18 % too fast.

/// Clocks of one scheduler.
struct UnitClocks {
  double alu = 0;  ///< For which an instruction occupies its pipe; 0: no limit.
  double xu = 0;
  double fp64 = 0;
  double fma_heavy = 0;
  double fp32 = 0;     ///< On the same pipe.
  double look_up = 0;  ///< Until a result of the XU is ready.
  double branch = 0;   ///< Until a warp continues at the target of a branch.
  // For which an instruction holds the scheduler beyond its issue slot.
  double wide_product = 0;
  double global_load = 0;

  double held_by(const MachineInstruction& one) const {
    if (one.unit == MachineInstruction::Unit::kWideProduct) return wide_product;
    return one.kind == MachineInstruction::Kind::kGlobalLoad ? global_load : 0;
  }
};

UnitClocks unit_clocks(const device::Profile& profile);

/// For each instruction of `loop`, whose last one jumps to the first: the clocks of a scheduler per
/// warp that it adds to a pass. The instructions access no memory.
std::vector<double> lockstep_clocks(std::span<const MachineInstruction> loop,
                                    const UnitClocks& units);

}  // namespace warpgrade::timing
