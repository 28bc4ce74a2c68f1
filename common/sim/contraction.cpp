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

template <typename Body>
void for_each_result(const Instruction& in, const Body& body) {
  if (!writes_first(in)) return;
  for (std::size_t k = 0; k < (in.has_second_result ? 2U : 1U); ++k) {
    for_each_register(in.operands[k], body);
  }
}

std::uint32_t reads_of(const Instruction& in, std::uint32_t wanted) {
  std::uint32_t count = in.guard && *in.guard == wanted ? 1 : 0;
  for (const auto& operand : in.operands) {
    for_each_register(operand, [&](std::uint32_t r) { count += r == wanted ? 1 : 0; });
  }
  for_each_result(in, [&](std::uint32_t r) { count -= r == wanted ? 1 : 0; });
  return count;
}

// Whether `in` can take the product of `mul` along.
bool is_sum_for(const Instruction& in, const Instruction& mul) {
  return (in.opcode == Opcode::add || in.opcode == Opcode::sub) && unrounded(in) &&
         in.types[0] == mul.types[0] &&
         in.modifiers.has(Modifier::ftz) == mul.modifiers.has(Modifier::ftz);
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
  std::vector<std::uint32_t> writes(function.registers.size(), 0);
  std::vector<bool> starts_block(code.size() + 1, false);
  for (const auto& in : code) {
    if (in.guard) ++mentions[*in.guard];
    for_each_result(in, [&](std::uint32_t r) { ++writes[r]; });
    for (const auto& operand : in.operands) {
      for_each_register(operand, [&](std::uint32_t r) { ++mentions[r]; });
      if (operand.kind == Operand::Kind::kLabel) starts_block[operand.index] = true;
    }
  }
  for (const auto& targets : function.branch_targets) {
    for (const auto label : targets.labels) starts_block[label] = true;
  }
  // Whether only sums of this block read what the mul at `from` writes into r, each once: until r
  // is written again or, where it never is, anywhere.
  const auto only_summed = [&](std::uint32_t from, std::uint32_t r) {
    std::uint32_t readers = 0;
    for (auto i = from + 1; i < code.size() && !starts_block[i]; ++i) {
      const auto reads = reads_of(code[i], r);
      if (reads > 1 || (reads == 1 && !is_sum_for(code[i], code[from]))) return false;
      readers += reads;
      bool again = false;
      for_each_result(code[i],
                      [&](std::uint32_t w) { again = again || (w == r && !code[i].guard); });
      if (again) return true;
      if (ends_block(code[i])) break;
    }
    return writes[r] == 1 && mentions[r] == readers + 1;
  };
  // The mul of this block that wrote a register last, and when a register was last written.
  std::vector<std::uint32_t> product(function.registers.size(), kApart);
  std::vector<std::uint32_t> written(function.registers.size(), 0);
  std::uint32_t block = 0;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    const auto& in = code[i];
    if (starts_block[i] || (i > 0 && ends_block(code[i - 1]))) block = i;
    const bool sums = in.opcode == Opcode::add || in.opcode == Opcode::sub;
    for (std::size_t k = 1; sums && k < 3 && products_[i] == kApart; ++k) {
      const auto& operand = in.operands[k];
      if (operand.kind != Operand::Kind::kRegister) continue;
      const auto from = product[operand.index];
      if (from == kApart || from < block || !only_summed(from, operand.index)) continue;
      const auto& mul = code[from];
      const bool unchanged =
          std::all_of(mul.operands.begin() + 1, mul.operands.end(), [&](const Operand& source) {
            return source.kind != Operand::Kind::kRegister || written[source.index] <= from;
          });
      if (unchanged) products_[i] = from;
    }
    for_each_result(in, [&](std::uint32_t r) {
      written[r] = i;
      product[r] = kApart;
    });
    const bool is_product = in.opcode == Opcode::mul && unrounded(in) && !in.guard &&
                            !in.modifiers.has(Modifier::sat) &&
                            in.operands[0].kind == Operand::Kind::kRegister;
    if (is_product) product[in.operands[0].index] = i;
  }
}

}  // namespace warpgrade::sim
