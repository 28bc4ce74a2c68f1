// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/edits/changes.h"

#include <bit>
#include <utility>

namespace warpgrade::grader::grade {
namespace program_edits {

Operand register_operand(std::uint32_t number) {
  Operand out;
  out.kind = Operand::Kind::kRegister;
  out.index = number;
  return out;
}

Operand special_operand(SR which) {
  Operand out;
  out.kind = Operand::Kind::kSpecial;
  out.index = static_cast<std::uint32_t>(which);
  return out;
}

Operand integer(std::int64_t value) {
  Operand out;
  out.kind = Operand::Kind::kImmediate;
  out.bits = static_cast<std::uint64_t>(value);
  return out;
}

Operand floating(double value, Type type) {
  Operand out;
  out.kind = Operand::Kind::kImmediate;
  out.number = type == Type::kF32 ? Operand::Number::kFloat32 : Operand::Number::kFloat64;
  out.bits = type == Type::kF32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                : std::bit_cast<std::uint64_t>(value);
  return out;
}

double value_of(const Operand& operand) {
  return operand.number == Operand::Number::kFloat32
             ? std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))
             : std::bit_cast<double>(operand.bits);
}

bool has_register(const Function& function, const Operand& operand, Type type) {
  return operand.kind != Operand::Kind::kRegister ||
         (operand.index < function.registers.size() &&
          ptx::size_of(function.registers[operand.index].type) == ptx::size_of(type));
}

std::uint32_t add_register(Function& function, Type type) {
  function.registers.push_back({"%warpgrade", type, 1});
  return static_cast<std::uint32_t>(function.registers.size() - 1);
}

ptx::ModifierSet with(const ptx::ModifierSet& set, Modifier from, Modifier to) {
  static constexpr unsigned kMost = 192;
  ptx::ModifierSet out;
  for (unsigned m = 0; m < kMost; ++m) {
    const auto one = static_cast<Modifier>(m);
    if (set.has(one)) out.add(one == from ? to : one);
  }
  return out;
}

void insert(Function& function, std::uint32_t at, Instruction in, bool is_reached) {
  const auto moved = [&](std::uint32_t label) {
    return label > at || (label == at && !is_reached) ? label + 1 : label;
  };
  for (auto& one : function.instructions) {
    for (auto& operand : one.operands) {
      if (operand.kind == Operand::Kind::kLabel) operand.index = moved(operand.index);
    }
  }
  for (auto& table : function.branch_targets) {
    for (auto& label : table.labels) label = moved(label);
  }
  for (auto& refusal : function.unsupported) {
    if (refusal.instruction && *refusal.instruction >= at) ++*refusal.instruction;
  }
  in.guard.reset();
  function.instructions.insert(function.instructions.begin() + at, std::move(in));
}

Instruction binary(Opcode opcode, Type type, Operand d, Operand a, Operand b,
                   const Instruction& like) {
  Instruction out;
  out.opcode = opcode;
  out.types[0] = type;
  out.type_count = 1;
  out.operands = {std::move(d), std::move(a), std::move(b)};
  out.location = like.location;
  out.ptx_line = like.ptx_line;
  return out;
}

void become_move(Instruction& in, const Operand& source) {
  in.opcode = Opcode::mov;
  in.modifiers = {};
  in.operands = {in.operands[0], source};
}

}  // namespace program_edits
}  // namespace warpgrade::grader::grade
