// SPDX-License-Identifier: Apache-2.0
// The throughput of a loop of arithmetic that many warps of a scheduler execute in step.
//
// A scheduler lets the warp that has issued least go first. So its warps stay within a few
// instructions of each other, and a pipe idles while all of them are at instructions for another
// one. A loop of 16 double multiply-adds and five other instructions takes 37 clocks per warp on an
// H200, not the 32 of its fp64 pipe. Measured: kernels of five such loops
// (tests/evidence/golden/h200_issue); of the usual policies this one fits best, to 6 %. Round robin
// is 18 % too fast.
#pragma once

#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/timing/cubin.h"

namespace warpgrade::timing {

/// Clocks of one scheduler.
struct UnitClocks {
  double alu = 0;  ///< For which an instruction occupies its pipe; 0: no limit.
  double xu = 0;
  double fp64 = 0;
  double fma_heavy = 0;
  double look_up = 0;  ///< Until a result of the XU is ready.
  double branch = 0;   ///< Until a warp continues at the target of a branch.
};

UnitClocks unit_clocks(const device::Profile& profile);

/// For each instruction of `loop`, whose last one jumps to the first: the clocks of a scheduler per
/// warp that it adds to a pass. The instructions access no memory.
std::vector<double> lockstep_clocks(std::span<const MachineInstruction> loop,
                                    const UnitClocks& units);

}  // namespace warpgrade::timing
