// SPDX-License-Identifier: Apache-2.0
// A result is unused if the function names its register only once, in the atom itself.
#include "common/memory/atomics.h"

#include <algorithm>
#include <bit>
#include <span>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/instruction_registers.h"
#include "common/ptx/uniform_registers.h"

namespace warpgrade::memory {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;
using ptx::Type;

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

AtomicForm::OnShared form_on_shared(const Instruction& instruction, bool is_reduction) {
  using enum AtomicForm::OnShared;
  if (instruction.modifiers.has(Modifier::cas)) return kCompareAndSwap;
  if (instruction.modifiers.has(Modifier::exch)) return kOneByOne;
  if (instruction.types[0] == Type::kF32 || ptx::size_of(instruction.types[0]) == 8) return kLoop;
  return is_reduction && adds_one(instruction) ? kCount : kOneByOne;
}

/// Whether one lane does the operation for all, because they are known to use the same address.
bool is_by_one_lane(const Instruction& instruction, const AtomicForm& form,
                    const std::vector<std::uint8_t>& uniform, const device::Profile& profile) {
  const ptx::ModifierSet& how = instruction.modifiers;
  const Type type = instruction.types[0];
  if (profile.compute.major < 7 || type == Type::kF32 || type == Type::kF64) return false;
  const bool is_shared = instruction.space == ptx::StateSpace::kShared;
  const bool is_counted = is_shared && form.on_shared != AtomicForm::OnShared::kOneByOne;
  const Operand& address = instruction.operands.at(ptx::results(instruction));
  if (is_counted || !ptx::is_uniform(address, uniform)) return false;
  if (how.has(Modifier::add) && ptx::is_uniform(instruction.operands.back(), uniform)) return true;
  const bool is_reduced = how.has(Modifier::add) || how.has(Modifier::min) ||
                          how.has(Modifier::max) || how.has(Modifier::and_) ||
                          how.has(Modifier::or_) || how.has(Modifier::xor_);
  return profile.compute.major >= 8 && form.is_reduction && is_reduced && ptx::size_of(type) == 4;
}

}  // namespace

std::vector<AtomicForm> atomic_forms(const ptx::Function& function,
                                     const device::Profile& profile) {
  const std::vector<Instruction>& code = function.instructions;
  std::vector<AtomicForm> forms(code.size());
  if (std::none_of(code.begin(), code.end(), ptx::is_update)) return forms;
  std::vector<std::uint32_t> uses(function.registers.size());
  for (const Instruction& instruction : code) {
    count_registers(instruction.operands, uses);
    if (instruction.guard) ++uses[*instruction.guard];
  }
  const auto uniform = ptx::uniform_registers(function);
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!ptx::is_update(code[i]) || code[i].operands.empty()) continue;
    const Operand& result = code[i].operands.front();
    forms[i].is_reduction = ptx::results(code[i]) == 0 || result.kind == Operand::Kind::kSink ||
                            (result.kind == Operand::Kind::kRegister && uses[result.index] == 1);
    forms[i].is_float = code[i].types[0] == Type::kF32 || code[i].types[0] == Type::kF64;
    forms[i].on_shared = form_on_shared(code[i], forms[i].is_reduction);
    forms[i].by_one_lane = is_by_one_lane(code[i], forms[i], uniform, profile);
  }
  return forms;
}

run::MemoryEvent as_executed(const AtomicForm& form, const run::MemoryEvent& event) {
  run::MemoryEvent out = event;
  if (form.by_one_lane) {
    out.mask = std::bit_floor(event.mask);
    out.stride = run::kIrregular;
  }
  return out;
}

SharedUse shared_use(run::Operation operation, AtomicForm::OnShared how) {
  using enum AtomicForm::OnShared;
  if (operation == run::Operation::kLoad) return SharedUse::kLoad;
  if (operation == run::Operation::kStore || how == kCount) return SharedUse::kStore;
  return how == kCompareAndSwap ? SharedUse::kCompareAndSwap : SharedUse::kAtomic;
}

}  // namespace warpgrade::memory
