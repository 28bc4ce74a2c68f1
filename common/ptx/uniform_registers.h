// SPDX-License-Identifier: Apache-2.0
// Registers of which the assembler knows that all lanes of a warp hold the same value.
//
// Such a register is written once, without a guard, from parameters, constants, the block's index
// and size, variables' addresses, registers of this kind, and loads from addresses of this kind. A
// loop's counter, which is written twice, is left out, though the assembler knows some of them.
#pragma once

#include <cstdint>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// By register: 1 where it is uniform.
std::vector<std::uint8_t> uniform_registers(const Function& function);

/// Whether all lanes see the same value of `operand`, a number, an address or a vector of them.
bool is_uniform(const Operand& operand, const std::vector<std::uint8_t>& registers);

}  // namespace warpgrade::ptx
