// SPDX-License-Identifier: Apache-2.0
// What the assembler has made of the innermost loops of a kernel: how often they are unrolled
// beyond what PTX shows, and what a pass issues.
//
// The innermost loops of PTX and of the machine code are compared in their order, by what a pass
// through them moves from and to memory (of loops without memory: by what a pass adds to their
// counters). ptxas writes an unrolled loop as several, the largest first, and last one that does a
// single pass: the largest counts. A loop whose passes are no whole number of PTX's is not known.
// Where machine code knows its lines of PTX, only loops of common lines are compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/ptx/module.h"
#include "common/timing/cubin.h"

namespace warpgrade::timing {

struct UnrolledLoop {
  std::uint32_t head = 0;    ///< First instruction of the loop in PTX ...
  std::uint32_t branch = 0;  ///< ... and the branch that goes back to it.
  std::uint32_t times = 1;   ///< Passes of PTX's loop in one of the machine code's.

  friend bool operator==(const UnrolledLoop&, const UnrolledLoop&) = default;
};

/// Loops of `function` of which the machine code tells something.
std::vector<UnrolledLoop> unrolled_loops(const ptx::Function& function,
                                         std::span<const MachineInstruction> code);

}  // namespace warpgrade::timing
