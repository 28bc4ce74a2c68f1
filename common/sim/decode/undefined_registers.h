// SPDX-License-Identifier: Apache-2.0
// Finds registers that a thread may read before it assigns a value, as after `float sum;`.
//
// Liveness at the entry of each part of a function: a path through its basic blocks leads from the
// entry to an instruction that reads the register, without an instruction that surely writes it. A
// guarded instruction may not write. Paths on which one predicate would have to be both true and
// false do not count. Whether a thread ever runs such a path, and whether the value then matters,
// is decided elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/module.h"

namespace warpgrade::sim {

struct UndefinedRegister {
  std::uint32_t index = 0;             ///< Index into Function::registers.
  std::vector<std::uint32_t> readers;  ///< Instructions at the end of such paths, ascending.
};

/// The registers of `function`, by index; `blocks` are its ptx::basic_blocks().
std::vector<UndefinedRegister> undefined_registers(const ptx::Function& function,
                                                   const std::vector<ptx::BasicBlock>& blocks);

}  // namespace warpgrade::sim
