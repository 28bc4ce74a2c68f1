// SPDX-License-Identifier: Apache-2.0
// Each row of the table of instructions belongs to a family whose choosers execute it.
#include "common/sim/exec/handlers.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "common/ptx/instruction_facts.h"

namespace warpgrade::sim::handlers_test {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Type;

std::vector<Type> types_in(ptx::TypeSet types) {
  std::vector<Type> out;
  for (std::uint8_t t = 0; t < 32; ++t) {
    if ((types & ptx::bit_of(static_cast<Type>(t))) != 0) out.push_back(static_cast<Type>(t));
  }
  return out;
}

// No modifier, and each modifier of the set.
std::vector<std::optional<Modifier>> choices(const ptx::ModifierSet& modifiers) {
  std::vector<std::optional<Modifier>> out(1);
#define MODIFIER(id, text) \
  if (modifiers.has(Modifier::id)) out.emplace_back(Modifier::id);
#include "common/ptx/modifiers.def"
#undef MODIFIER
  return out;
}

// Tries the row's types as first type, with the same type or s32 as second type and up to two
// modifiers.
bool has_form_with_handler(const ptx::InstructionRow& row) {
  const auto modifiers = choices(row.modifiers);
  for (const auto type : types_in(row.types)) {
    for (const auto second : {type, Type::kS32}) {
      for (const auto one : modifiers) {
        for (const auto other : modifiers) {
          Instruction in;
          in.opcode = row.opcode;
          in.types[0] = type;
          in.types[1] = second;
          in.operands.resize(row.most_operands);
          if (one) in.modifiers.add(*one);
          if (other) in.modifiers.add(*other);
          if (handler_of(in) != nullptr) return true;
          in.space = ptx::StateSpace::kShared;  // cvta has no generic form
          if (handler_of(in) != nullptr) return true;
        }
      }
    }
  }
  return false;
}

TEST(Handlers, EachRowHasAFamilyThatExecutesIt) {
  for (const auto& row : ptx::instruction_table()) {
    if (!row.unsupported.empty()) continue;
    const bool is_of_layout = ptx::facts(row.opcode).family == ptx::Family::kOfLayout;
    EXPECT_EQ(!is_of_layout, has_form_with_handler(row)) << row.mnemonic;
  }
}

}  // namespace warpgrade::sim::handlers_test
