// SPDX-License-Identifier: Apache-2.0
// Finds registers that, to the assembler's knowledge, hold the same value in all lanes of a warp.
//
// Such a register is written once, without a guard, from parameters, constants, the block's index
// and size, addresses of variables, other uniform registers, or loads from uniform addresses. Loop
// counters are written twice and left out, although the assembler recognises some of them.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// By register: 1 if it is uniform.
std::vector<std::uint8_t> uniform_registers(const Function& function);

/// Whether `operand`, a number, an address or a vector, has the same value in all lanes.
bool is_uniform(const Operand& operand, const std::vector<std::uint8_t>& registers);

}  // namespace warpgrade::ptx
