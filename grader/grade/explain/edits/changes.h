// SPDX-License-Identifier: Apache-2.0
// Changes of a function's instructions: operands and instructions to insert, and their types.
#pragma once

#include <cstdint>

#include "common/ptx/module.h"

namespace warpgrade::grader::grade {
namespace program_edits {

using ptx::Function;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using SR = ptx::SpecialRegister;

inline Type type_of(const Instruction& in) {
  return in.type_count == 0 ? Type::kNone : in.types[0];
}
inline bool is_signed(Type type) { return type >= Type::kS8 && type <= Type::kS64; }
inline bool is_unsigned(Type type) { return type >= Type::kU8 && type <= Type::kU64; }
inline bool is_integer(Type type) { return type >= Type::kB8 && type <= Type::kS64; }
inline bool is_int32(Type type) { return is_integer(type) && ptx::size_of(type) == 4; }
inline bool is_number(Type type) { return type != Type::kPred && type != Type::kNone; }
inline bool is_float(Type type) { return type == Type::kF32 || type == Type::kF64; }

/// The type in which sums of registers of `type` are computed.
inline Type arithmetic(Type type) {
  return type == Type::kB32 ? Type::kU32 : type == Type::kB64 ? Type::kU64 : type;
}

Operand register_operand(std::uint32_t number);
Operand special_operand(SR which);
Operand integer(std::int64_t value);

/// A number as an operand of the type.
Operand floating(double value, Type type);
double value_of(const Operand& operand);

/// Whether the function has such a register, too; instances of a template have others.
bool has_register(const Function& function, const Operand& operand, Type type);

/// The number of a new register.
std::uint32_t add_register(Function& function, Type type);

/// The set with `to` in the place of `from`.
ptx::ModifierSet with(const ptx::ModifierSet& set, Modifier from, Modifier to);

/// Inserts the instruction; jumps to `at` reach it if `is_reached`.
void insert(Function& function, std::uint32_t at, Instruction in, bool is_reached);

/// d = a op b, at the place of `like`.
Instruction binary(Opcode opcode, Type type, Operand d, Operand a, Operand b,
                   const Instruction& like);

void become_move(Instruction& in, const Operand& source);

}  // namespace program_edits
}  // namespace warpgrade::grader::grade
