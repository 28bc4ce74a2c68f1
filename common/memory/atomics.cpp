// SPDX-License-Identifier: Apache-2.0
// A result is unused where its register is named once in the whole function: by the atom itself.
#include "common/memory/atomics.h"

#include <algorithm>
#include <span>

namespace warpgrade::memory {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

bool is_atomic(const Instruction& instruction) {
  return instruction.opcode == Opcode::atom || instruction.opcode == Opcode::red;
}

void count_registers(std::span<const Operand> operands, std::vector<std::uint32_t>& uses) {
  for (const Operand& operand : operands) {
    if (operand.kind == Operand::Kind::kRegister) ++uses[operand.index];
    count_registers(operand.elements, uses);
  }
}

bool adds_one(const Instruction& instruction) {
  const Type type = instruction.types[0];
  const Operand& added = instruction.operands.back();
  return instruction.modifiers.has(Modifier::add) && (type == Type::kU32 || type == Type::kS32) &&
         added.kind == Operand::Kind::kImmediate && added.bits == 1;
}

AtomicForm::OnShared on_shared(const Instruction& instruction, bool is_reduction) {
  using enum AtomicForm::OnShared;
  if (instruction.modifiers.has(Modifier::cas)) return kCompareAndSwap;
  if (instruction.modifiers.has(Modifier::exch)) return kOneByOne;
  if (instruction.types[0] == Type::kF32 || ptx::size_of(instruction.types[0]) == 8) return kLoop;
  return is_reduction && adds_one(instruction) ? kCount : kOneByOne;
}

}  // namespace

std::vector<AtomicForm> atomic_forms(const ptx::Function& function) {
  const std::vector<Instruction>& code = function.instructions;
  std::vector<AtomicForm> forms(code.size());
  if (std::none_of(code.begin(), code.end(), is_atomic)) return forms;
  std::vector<std::uint32_t> uses(function.registers.size());
  for (const Instruction& instruction : code) {
    count_registers(instruction.operands, uses);
    if (instruction.guard) ++uses[*instruction.guard];
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!is_atomic(code[i]) || code[i].operands.empty()) continue;
    const Operand& result = code[i].operands.front();
    forms[i].is_reduction = code[i].opcode == Opcode::red || result.kind == Operand::Kind::kSink ||
                            (result.kind == Operand::Kind::kRegister && uses[result.index] == 1);
    forms[i].on_shared = on_shared(code[i], forms[i].is_reduction);
  }
  return forms;
}

}  // namespace warpgrade::memory
