// SPDX-License-Identifier: Apache-2.0
// The registers that an instruction writes and reads, and what is known about their values.
//
// In: instructions and their facts (instruction_facts.h). Out: written and read registers,
// operands with a known value, and registers that hold the same value in all lanes of a warp.
//
// The simulator and the time model both use these functions, so their views of registers cannot
// differ. The carry flag (CC.CF) does not count as a register.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// The number of leading operands of `in` that are results; at most its number of operands.
std::size_t results(const Instruction& in);

/// Calls body(register) for each register that `operand` names.
template <typename Body>
void for_each_register(const Operand& operand, const Body& body) {
  if (operand.kind == Operand::Kind::kRegister) body(operand.index);
  for (const auto& element : operand.elements) for_each_register(element, body);
}

/// Calls body(register) for each register that `in` writes, fully or in part.
template <typename Body>
void for_each_written(const Instruction& in, const Body& body) {
  for (std::size_t k = 0; k < results(in); ++k) for_each_register(in.operands[k], body);
}

/// Calls body(register) each time `in` reads the register: for each operand, then for the guard.
template <typename Body>
void for_each_read(const Instruction& in, const Body& body) {
  for (auto k = results(in); k < in.operands.size(); ++k) for_each_register(in.operands[k], body);
  if (in.guard) body(*in.guard);
}

/// Whether any instruction reads a result of `in`.
bool is_result_used(const Function& function, const Instruction& in);

/// The value of an operand that is the same constant in the whole function.
std::optional<std::uint64_t> constant(const Function& function, const Operand& operand);

/// Whether `in` is an atomic that only reads: it adds the constant 0, or swaps a constant for the
/// same one.
bool changes_nothing(const Function& function, const Instruction& in);

// Finds registers that, to the assembler's knowledge, hold the same value in all lanes of a warp.
//
// Such a register is written once, without a guard, from parameters, constants, the block's index
// and size, addresses of variables, other uniform registers, or loads from uniform addresses. Loop
// counters are written twice and left out, although the assembler recognises some of them.

/// By register: 1 if it is uniform.
std::vector<std::uint8_t> uniform_registers(const Function& function);

/// Whether `operand`, a number, an address or a vector, has the same value in all lanes.
bool is_uniform(const Operand& operand, const std::vector<std::uint8_t>& registers);

}  // namespace warpgrade::ptx
