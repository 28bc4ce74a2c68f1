// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/instruction_facts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "common/ptx/module.h"

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

namespace {

using enum Results;
using enum Flow;
using enum MemoryRole;
using enum Timing;
using enum Pipe;
using enum Expansion;
using enum Width;

#define FACTS(...) \
  InstructionFacts { __VA_ARGS__ }

constexpr auto kForms = std::to_array<InstructionForm>({
#define INSTRUCTION(...)
#define UNSUPPORTED(...)
#define FORM(id, modifier, facts) {Opcode::id, Modifier::modifier, facts},
#include "common/ptx/instructions.def"
#undef FORM
#undef INSTRUCTION
#undef UNSUPPORTED
});

struct Row {
  InstructionFacts facts;
  std::size_t first_form = 0;
  std::size_t form_count = 0;
};

constexpr Row with_forms(Opcode opcode, const InstructionFacts& facts) {
  Row row{facts, 0, 0};
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if (kForms[i].opcode != opcode) continue;
    if (row.form_count == 0) row.first_form = i;
    ++row.form_count;
  }
  return row;
}

// No function contains a refused instruction, so nothing reads its facts.
constexpr auto kRows = std::to_array<Row>({
#define INSTRUCTION(id, mnemonic, fewest, most, facts, ...) with_forms(Opcode::id, facts),
#define UNSUPPORTED(...) Row{},
#include "common/ptx/instructions.def"
#undef INSTRUCTION
#undef UNSUPPORTED
});

#undef FACTS

}  // namespace

std::span<const InstructionForm> instruction_forms() { return kForms; }

const InstructionFacts& facts(Opcode opcode) {
  return kRows[static_cast<std::size_t>(opcode)].facts;
}

const InstructionFacts& facts(const Instruction& in) {
  const auto& row = kRows[static_cast<std::size_t>(in.opcode)];
  for (std::size_t i = 0; i < row.form_count; ++i) {
    const auto& form = kForms[row.first_form + i];
    if (in.modifiers.has(form.modifier)) return form.facts;
  }
  return row.facts;
}

bool is_update(const Instruction& in) {
  const auto memory = facts(in).memory;
  return memory == MemoryRole::kAtomic || memory == MemoryRole::kReduction;
}

bool is_strong(const Instruction& in) {
  if (is_update(in)) return true;
  const auto memory = facts(in).memory;
  const auto& m = in.modifiers;
  return (memory == MemoryRole::kLoad || memory == MemoryRole::kStore) &&
         (m.has(Modifier::volatile_) || m.has(Modifier::relaxed) || m.has(Modifier::acquire) ||
          m.has(Modifier::release));
}

bool never_falls_through(const Instruction& in) {
  return !in.guard && ends_basic_block(facts(in).flow);
}

namespace {

struct NamedShape {
  Modifier modifier;
  MatrixShape shape;
};

constexpr std::array kShapes = {
    NamedShape{Modifier::m8n8k4, {8, 8, 4}},     NamedShape{Modifier::m8n8k16, {8, 8, 16}},
    NamedShape{Modifier::m16n8k4, {16, 8, 4}},   NamedShape{Modifier::m16n8k8, {16, 8, 8}},
    NamedShape{Modifier::m16n8k16, {16, 8, 16}}, NamedShape{Modifier::m16n8k32, {16, 8, 32}},
    NamedShape{Modifier::m16n16k8, {16, 16, 8}}, NamedShape{Modifier::m16n16k16, {16, 16, 16}},
    NamedShape{Modifier::m32n8k16, {32, 8, 16}}, NamedShape{Modifier::m8n32k16, {8, 32, 16}},
};

}  // namespace

std::optional<MatrixShape> matrix_shape(const Instruction& in) {
  const auto* found = std::find_if(kShapes.begin(), kShapes.end(), [&](const NamedShape& named) {
    return in.modifiers.has(named.modifier);
  });
  if (found == kShapes.end()) return std::nullopt;
  return found->shape;
}

std::optional<MatrixProduct> matrix_product(const Instruction& in,
                                            std::uint32_t compute_capability) {
  const bool is_wmma = in.modifiers.has(Modifier::mma_);
  const auto shape = matrix_shape(in);
  if (facts(in).timing != Timing::kMatrix || !shape) return std::nullopt;
  const auto [m, n, k] = *shape;
  // wmma.mma of f16 names only the types of d and c.
  const auto source = in.type_count == 4 ? in.types[1] : Type::kF16;
  const auto bytes = size_of(source);
  MatrixProduct product;
  product.source_bits = source == Type::kTf32 ? 32 : 8 * bytes;
  std::uint32_t steps = 1;
  std::uint32_t tiles = 1;
  if (source == Type::kF64) {
    product.pipe = MatrixProduct::Pipe::kDmma;
  } else {
    const bool is_integer = in.types[0] == Type::kS32;
    const bool is_turing = compute_capability < 80;
    product.pipe = is_integer ? MatrixProduct::Pipe::kImma : MatrixProduct::Pipe::kHmma;
    const std::uint32_t results = is_turing && is_integer ? 64 : 128;
    const bool is_narrow = is_turing || (is_wmma && source == Type::kTf32);
    tiles = std::max(1U, m * n / results);
    steps = std::max(1U, k * bytes / (is_narrow ? 16 : 32));
  }
  product.instructions = tiles * steps;
  product.multiplications = m * n * k / product.instructions;
  return product;
}

}  // namespace warpgrade::ptx
