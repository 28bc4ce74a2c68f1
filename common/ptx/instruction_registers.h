// SPDX-License-Identifier: Apache-2.0
// The registers that one instruction writes and reads, by the facts of instruction_facts.h.
//
// Both the simulator's and the time model's view of registers are these functions, so that they
// cannot differ. The carry flag (CC.CF) is no register here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// How many of the first operands of `in` are results; never more than it has operands.
std::size_t results(const Instruction& in);

/// Calls body(register) for each register that `operand` names.
template <typename Body>
void for_each_register(const Operand& operand, const Body& body) {
  if (operand.kind == Operand::Kind::kRegister) body(operand.index);
  for (const auto& element : operand.elements) for_each_register(element, body);
}

/// Calls body(register) for each register that `in` writes at least in part.
template <typename Body>
void for_each_written(const Instruction& in, const Body& body) {
  for (std::size_t k = 0; k < results(in); ++k) for_each_register(in.operands[k], body);
}

/// Calls body(register) as often as `in` reads the register: in operands, and last as its guard.
template <typename Body>
void for_each_read(const Instruction& in, const Body& body) {
  for (auto k = results(in); k < in.operands.size(); ++k) for_each_register(in.operands[k], body);
  if (in.guard) body(*in.guard);
}

}  // namespace warpgrade::ptx
