// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/instruction_table.h"

#include <array>
#include <unordered_map>

namespace warpgrade::ptx {
namespace {

template <typename... Modifiers>
constexpr ModifierSet set_of(Modifiers... modifiers) {
  ModifierSet set;
  (set.add(modifiers), ...);
  return set;
}

template <typename... Types>
constexpr TypeSet types_of(Types... types) {
  return (TypeSet{0} | ... | bit_of(types));
}

constexpr auto make_table() {
  using enum Modifier;
  constexpr TypeSet kNoType = bit_of(Type::kNone);
  constexpr TypeSet kPred = bit_of(Type::kPred);
  constexpr TypeSet kB8 = bit_of(Type::kB8);
  constexpr TypeSet kB16 = bit_of(Type::kB16);
  constexpr TypeSet kB32 = bit_of(Type::kB32);
  constexpr TypeSet kB64 = bit_of(Type::kB64);
  constexpr TypeSet kB128 = bit_of(Type::kB128);
  constexpr TypeSet kU32 = bit_of(Type::kU32);
  constexpr TypeSet kU64 = bit_of(Type::kU64);
  constexpr TypeSet kF32 = bit_of(Type::kF32);
  constexpr TypeSet kF64 = bit_of(Type::kF64);
  constexpr TypeSet kF16 = bit_of(Type::kF16);
  constexpr TypeSet kBf16 = bit_of(Type::kBf16);
  constexpr TypeSet kS32 = bit_of(Type::kS32);
  constexpr TypeSet kBits = types_of(Type::kB16, Type::kB32, Type::kB64);
  constexpr TypeSet kInt8 = types_of(Type::kU8, Type::kS8);
  constexpr TypeSet kInt16 = types_of(Type::kU16, Type::kS16);
  constexpr TypeSet kInt32 = types_of(Type::kU32, Type::kS32);
  constexpr TypeSet kInt64 = types_of(Type::kU64, Type::kS64);
  constexpr TypeSet kInt = kInt16 | kInt32 | kInt64;
  constexpr TypeSet kSigned = types_of(Type::kS16, Type::kS32, Type::kS64);
  constexpr TypeSet kFloat = types_of(Type::kF32, Type::kF64);
  constexpr TypeSet kHalf = types_of(Type::kF16, Type::kF16x2, Type::kBf16, Type::kBf16x2);
  constexpr TypeSet kSmall = types_of(Type::kE4m3x2, Type::kE5m2x2);
  constexpr TypeSet kTf32 = bit_of(Type::kTf32);
  constexpr TypeSet kPacked = types_of(Type::kU16x2, Type::kS16x2);
#define MODIFIERS(...) set_of(__VA_ARGS__)
#define INSTRUCTION(id, mnemonic, fewest, most, facts, types, modifiers) \
  InstructionRow{Opcode::id, mnemonic, fewest, most, types, modifiers, {}},
#define UNSUPPORTED(id, mnemonic, why) InstructionRow{Opcode::id, mnemonic, 0, 0, 0, {}, why},
  return std::to_array<InstructionRow>({
#include "common/ptx/instructions.def"
  });
#undef INSTRUCTION
#undef UNSUPPORTED
#undef MODIFIERS
}

constexpr auto kTable = make_table();

}  // namespace

std::span<const InstructionRow> instruction_table() { return kTable; }

const InstructionRow& find_row(std::string_view mnemonic) {
  static const auto by_mnemonic = [] {
    std::unordered_map<std::string_view, const InstructionRow*> map;
    for (const auto& row : kTable) map.emplace(row.mnemonic, &row);
    return map;
  }();
  const auto found = by_mnemonic.find(mnemonic);
  return found == by_mnemonic.end() ? row_of(Opcode::other) : *found->second;
}

}  // namespace warpgrade::ptx
