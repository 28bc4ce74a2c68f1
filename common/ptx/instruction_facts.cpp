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
#include <vector>

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

namespace {

std::size_t most_results(const Instruction& in) {
  switch (facts(in).results) {
    case Results::kNoResult:
      return 0;
    case Results::kOneResult:
      return 1;
    case Results::kOneOrTwo:
      return in.has_second_result ? 2 : 1;
  }
  return 0;
}

}  // namespace

std::size_t results(const Instruction& in) {
  return std::min(most_results(in), in.operands.size());
}

bool is_result_used(const Function& function, const Instruction& in) {
  bool used = false;
  for_each_written(in, [&](std::uint32_t result) {
    for (const auto& other : function.instructions) {
      for_each_read(other, [&](std::uint32_t r) { used |= r == result; });
    }
  });
  return used;
}

std::optional<std::uint64_t> constant(const Function& function, const Operand& operand) {
  if (operand.kind == Operand::Kind::kImmediate) return operand.bits;
  if (operand.kind != Operand::Kind::kRegister) return std::nullopt;
  std::optional<std::uint64_t> value;
  for (const auto& in : function.instructions) {
    bool writes = false;
    for_each_written(in, [&](std::uint32_t r) { writes |= r == operand.index; });
    if (!writes) continue;
    const bool sets = facts(in).timing == Timing::kMove && in.operands.size() == 2 && !in.guard &&
                      in.operands[1].kind == Operand::Kind::kImmediate;
    if (!sets || (value && *value != in.operands[1].bits)) return std::nullopt;
    value = in.operands[1].bits;
  }
  return value;
}

bool changes_nothing(const Function& function, const Instruction& in) {
  if (!is_update(in) || in.operands.size() < 2) return false;
  const auto& m = in.modifiers;
  const auto last = constant(function, in.operands.back());
  if (m.has(Modifier::add) || m.has(Modifier::or_) || m.has(Modifier::xor_)) return last == 0;
  return m.has(Modifier::cas) && last &&
         constant(function, in.operands[in.operands.size() - 2]) == last;
}

namespace {

bool is_of_the_block(std::uint32_t special) {
  using enum SpecialRegister;
  switch (static_cast<SpecialRegister>(special)) {
    case ntid_x:
    case ntid_y:
    case ntid_z:
    case ctaid_x:
    case ctaid_y:
    case ctaid_z:
    case nctaid_x:
    case nctaid_y:
    case nctaid_z:
    case clusterid_x:
    case clusterid_y:
    case clusterid_z:
    case nclusterid_x:
    case nclusterid_y:
    case nclusterid_z:
    case cluster_ctaid_x:
    case cluster_ctaid_y:
    case cluster_ctaid_z:
    case cluster_nctaid_x:
    case cluster_nctaid_y:
    case cluster_nctaid_z:
    case cluster_ctarank:
    case cluster_nctarank:
      return true;
    default:
      return false;
  }
}

bool gives_equal_results(const Instruction& in, const std::vector<std::uint8_t>& registers) {
  const auto& facts = ptx::facts(in);
  const bool computes = facts.memory == MemoryRole::kNoMemory && facts.flow == Flow::kNext &&
                        !is_exchange(facts.timing);
  const bool loads = facts.memory == MemoryRole::kLoad && !in.modifiers.has(Modifier::volatile_);
  const bool depends_on_lanes = facts.family == Family::kLanes;
  if (in.guard || depends_on_lanes || (!computes && !loads)) return false;
  return std::all_of(in.operands.begin() + static_cast<std::ptrdiff_t>(results(in)),
                     in.operands.end(),
                     [&](const Operand& operand) { return is_uniform(operand, registers); });
}

}  // namespace

bool is_uniform(const Operand& operand, const std::vector<std::uint8_t>& registers) {
  if (operand.kind == Operand::Kind::kRegister) return registers[operand.index] != 0;
  if (operand.kind == Operand::Kind::kSpecial) return is_of_the_block(operand.index);
  return std::all_of(operand.elements.begin(), operand.elements.end(),
                     [&](const Operand& element) { return is_uniform(element, registers); });
}

std::vector<std::uint8_t> uniform_registers(const Function& function) {
  std::vector<std::uint32_t> writers(function.registers.size());
  for (const Instruction& in : function.instructions) {
    for_each_written(in, [&](std::uint32_t r) { ++writers[r]; });
  }
  std::vector<std::uint8_t> out(function.registers.size());
  // A register that is written once is written before any read, so one pass is enough. Further
  // passes only matter for unusual orders of blocks.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& in : function.instructions) {
      if (!gives_equal_results(in, out)) continue;
      for_each_written(in, [&](std::uint32_t r) {
        if (writers[r] == 1 && out[r] == 0) {
          out[r] = 1;
          changed = true;
        }
      });
    }
  }
  return out;
}

}  // namespace warpgrade::ptx
