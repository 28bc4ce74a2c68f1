// SPDX-License-Identifier: Apache-2.0
// The facts are in two constant tables: one with a row per opcode, which holds the range of its
// forms in the other.
#include "common/ptx/instruction_facts.h"

#include <array>

namespace warpgrade::ptx {
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

}  // namespace warpgrade::ptx
