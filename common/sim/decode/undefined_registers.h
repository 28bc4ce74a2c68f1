// SPDX-License-Identifier: Apache-2.0
// Which registers a thread may read before it has given them a value, as `float sum;` leaves one.
//
// Liveness at the entry of each part of a function: a way through its basic blocks leads from there
// to an instruction that reads the register, and no instruction on the way writes it. One under a
// guard may not write. Ways on which one predicate would have to be true and false do not count.
// Whether a thread ever takes that way, and whether what it makes of the value
// is of any use, is not known here.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/control_flow.h"
#include "common/ptx/module.h"

namespace warpgrade::sim {

struct UndefinedRegister {
  std::uint32_t index = 0;             ///< Into Function::registers.
  std::vector<std::uint32_t> readers;  ///< Instructions that such a way leads to, ascending.
};

/// Those of `function`, whose `blocks` are ptx::basic_blocks(), by index.
std::vector<UndefinedRegister> undefined_registers(const ptx::Function& function,
                                                   const std::vector<ptx::BasicBlock>& blocks);

}  // namespace warpgrade::sim
