// SPDX-License-Identifier: Apache-2.0
// What the machine code issues for each instruction of PTX.
//
// Each machine instruction knows the line of PTX that it comes from (ptx_lines.h), so that what an
// instruction of PTX costs is counted: what a division or a function becomes, what was merged,
// moved out of a loop or has gone. Of a loop that the assembler has unrolled or written several
// times, its largest form counts. A way around, which an expansion takes for rare values (behind a
// branch that is none of PTX's), is not taken; a subroutine is counted up to its return.
//
// A warp by itself issues in order, each instruction so many clocks after the one before as the
// assembler has written into it, or when a look-up that it waits for is there. Waiting for memory
// is not counted here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/ptx/module.h"
#include "common/timing/cubin.h"
#include "common/timing/unrolled_loops.h"

namespace warpgrade::timing {

/// Each time that the instruction of PTX is executed; a mean where a loop is unrolled.
struct MachineCost {
  double instructions = 0;
  double clocks = 0;  ///< From its first one to what the warp issues next.
  double alu = 0;     ///< Instructions of each unit.
  double xu = 0;
  double fp64 = 0;
  double fma_heavy = 0;
  bool branches = false;  ///< A branch of PTX's that is one in machine code, too.

  friend bool operator==(const MachineCost&, const MachineCost&) = default;
};

/// Clocks until a result is there.
struct ResultClocks {
  double look_up = 0;
  double exchange = 0;
};

/// One for each instruction of `function`; nothing where `code` does not know its lines.
std::vector<MachineCost> machine_costs(const ptx::Function& function,
                                       std::span<const MachineInstruction> code,
                                       std::span<const UnrolledLoop> loops,
                                       const ResultClocks& results);

}  // namespace warpgrade::timing
