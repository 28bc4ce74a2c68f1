// SPDX-License-Identifier: Apache-2.0
// The rows of instructions.def as data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// A set of types: bit i represents the Type with value i.
using TypeSet = std::uint32_t;

constexpr TypeSet bit_of(Type type) { return TypeSet{1} << static_cast<std::uint32_t>(type); }

struct InstructionRow {
  Opcode opcode{};
  std::string_view mnemonic;
  std::uint8_t fewest_operands = 0;
  std::uint8_t most_operands = 0;
  TypeSet types = 0;             ///< Types allowed as the first type.
  ModifierSet modifiers;         ///< Supported modifiers.
  std::string_view unsupported;  ///< Why it is refused; empty if it is supported.
};

/// One row per opcode, in the order of Opcode.
std::span<const InstructionRow> instruction_table();

inline const InstructionRow& row_of(Opcode opcode) {
  return instruction_table()[static_cast<std::size_t>(opcode)];
}

/// The row with this mnemonic, or the row of Opcode::other if it is unknown.
const InstructionRow& find_row(std::string_view mnemonic);

}  // namespace warpgrade::ptx
