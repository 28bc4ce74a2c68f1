// SPDX-License-Identifier: Apache-2.0
// The cost of each PTX instruction in issued machine code.
//
// Each machine instruction has the PTX line that it comes from (ptx_lines.h), so the cost of a PTX
// instruction can be counted: expansions of divisions and functions, and instructions that were
// merged, moved out of a loop or removed. If the assembler unrolled a loop or wrote it several
// times, its largest form counts. Slow paths of an expansion for rare values (after a branch that
// PTX does not have) are not taken; a subroutine counts up to its return.
//
// A single warp issues in order. Each instruction follows the previous one after the number of
// clocks that the assembler encoded, or when a look-up that it needs is ready. Waits for memory are
// not included.
//
// Loads or stores of neighbouring words in shared memory, whose alignment the assembler knows, are
// one wide access on the line of one of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/memory/machine_access.h"
#include "common/ptx/module.h"
#include "common/timing/cubin.h"
#include "common/timing/lockstep.h"
#include "common/timing/unrolled_loops.h"

namespace warpgrade::timing {

using memory::SpillAccess;

/// Per execution of the PTX instruction; a mean if a loop is unrolled.
struct MachineCost {
  double instructions = 0;
  double clocks = 0;  ///< From its first instruction to the warp's next issue.
  double alu = 0;     ///< Instructions per unit.
  double xu = 0;
  double fp64 = 0;
  double fma_heavy = 0;
  double in_step = 0;  ///< In an innermost loop of arithmetic: clocks of a scheduler (lockstep.h).
  bool branches = false;  ///< A PTX branch that is also a branch in machine code.
  /// For a load or store of shared memory: its machine accesses, and the bytes per lane of the
  /// widest one. They are more than PTX's if it moves words of other instructions, too, and 0 if
  /// another instruction moves its word.
  double shared_accesses = 0;
  std::uint8_t shared_bytes = 0;
  bool is_local = false;  ///< A local access of PTX that is also one in machine code.
  /// Local accesses of an instruction that has none in PTX, in machine order.
  std::vector<SpillAccess> spills = {};

  friend bool operator==(const MachineCost&, const MachineCost&) = default;
};

/// One element per instruction of `function`; empty if `code` has no line numbers. `exchange`:
/// clocks until the result of an exchange between lanes is ready.
std::vector<MachineCost> machine_costs(const ptx::Function& function,
                                       std::span<const MachineInstruction> code,
                                       std::span<const UnrolledLoop> loops, const UnitClocks& units,
                                       double exchange);

}  // namespace warpgrade::timing
