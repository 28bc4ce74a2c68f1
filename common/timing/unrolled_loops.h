// SPDX-License-Identifier: Apache-2.0
// Finds how often the assembler unrolled the innermost loops of a kernel beyond their form in PTX,
// and how many loads such a pass issues before it waits.
//
// Compares the innermost loops of PTX and of the machine code in order, by the memory traffic per
// pass (without memory accesses: by the increments of their counters). ptxas writes an unrolled
// loop as several loops, the largest first and a loop with single passes last; the largest counts.
// A loop with a fractional number of PTX passes is ignored. If machine code has PTX line numbers,
// only loops with common lines are compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/ptx/module.h"
#include "common/timing/cubin.h"

namespace warpgrade::timing {

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

}  // namespace warpgrade::timing
