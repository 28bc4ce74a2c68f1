// SPDX-License-Identifier: Apache-2.0
#include "common/sim/contraction.h"

#include <algorithm>

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

bool is_float(Type type) {
  return type == Type::kF32 || type == Type::kF64 || type == Type::kF16 || type == Type::kF16x2 ||
         type == Type::kBf16 || type == Type::kBf16x2;
}

bool unrounded(const Instruction& in) {
  const auto& m = in.modifiers;
  return is_float(in.types[0]) && !m.has(Modifier::rn) && !m.has(Modifier::rz) &&
         !m.has(Modifier::rm) && !m.has(Modifier::rp);
}

template <typename Body>
void for_each_register(const Operand& operand, const Body& body) {
  if (operand.kind == Operand::Kind::kRegister) body(operand.index);
  for (const auto& element : operand.elements) for_each_register(element, body);
}

bool writes_first(const Instruction& in) {
  return in.opcode != Opcode::st && in.opcode != Opcode::red && !in.operands.empty() &&
         in.operands[0].kind != Operand::Kind::kAddress;
}

bool ends_block(const Instruction& in) {
  return in.opcode == Opcode::bra || in.opcode == Opcode::brx || in.opcode == Opcode::ret ||
         in.opcode == Opcode::exit || in.opcode == Opcode::call;
}

}  // namespace

Contraction::Contraction(const ptx::Function& function)
    : products_(function.instructions.size(), kApart) {
  const auto& code = function.instructions;
  const bool any = std::any_of(code.begin(), code.end(), [](const Instruction& in) {
    return in.opcode == Opcode::mul && unrounded(in);
  });
  if (!any) return;
  std::vector<std::uint32_t> mentions(function.registers.size(), 0);
  std::vector<bool> starts_block(code.size() + 1, false);
  for (const auto& in : code) {
    if (in.guard) ++mentions[*in.guard];
    for (const auto& operand : in.operands) {
      for_each_register(operand, [&](std::uint32_t r) { ++mentions[r]; });
      if (operand.kind == Operand::Kind::kLabel) starts_block[operand.index] = true;
    }
  }
  for (const auto& targets : function.branch_targets) {
    for (const auto label : targets.labels) starts_block[label] = true;
  }
  // The mul of this block that wrote a register last, and when a register was last written.
  std::vector<std::uint32_t> product(function.registers.size(), kApart);
  std::vector<std::uint32_t> written(function.registers.size(), 0);
  std::uint32_t block = 0;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    const auto& in = code[i];
    if (starts_block[i] || (i > 0 && ends_block(code[i - 1]))) block = i;
    const bool sums = (in.opcode == Opcode::add || in.opcode == Opcode::sub) && unrounded(in);
    for (std::size_t k = 1; sums && k < 3 && products_[i] == kApart; ++k) {
      const auto& operand = in.operands[k];
      if (operand.kind != Operand::Kind::kRegister || mentions[operand.index] != 2) continue;
      const auto from = product[operand.index];
      if (from == kApart || from < block) continue;
      const auto& mul = code[from];
      const bool unchanged =
          std::all_of(mul.operands.begin() + 1, mul.operands.end(), [&](const Operand& source) {
            return source.kind != Operand::Kind::kRegister || written[source.index] <= from;
          });
      if (mul.types[0] == in.types[0] && unchanged &&
          mul.modifiers.has(Modifier::ftz) == in.modifiers.has(Modifier::ftz)) {
        products_[i] = from;
      }
    }
    if (!writes_first(in)) continue;
    for (std::size_t k = 0; k < (in.has_second_result ? 2U : 1U); ++k) {
      for_each_register(in.operands[k], [&](std::uint32_t r) {
        written[r] = i;
        product[r] = kApart;
      });
    }
    const bool is_product = in.opcode == Opcode::mul && unrounded(in) && !in.guard &&
                            !in.modifiers.has(Modifier::sat) &&
                            in.operands[0].kind == Operand::Kind::kRegister;
    if (is_product) product[in.operands[0].index] = i;
  }
}

}  // namespace warpgrade::sim
