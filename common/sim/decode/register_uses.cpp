// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/register_uses.h"

#include <algorithm>

#include "common/ptx/instruction_facts.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Operand;

// Limit on copies of copies; no compiler makes longer chains, and circular mov chains have no end.
constexpr int kLongestCopyChain = 32;

bool is_plain_register(const Operand& operand) {
  return operand.kind == Operand::Kind::kRegister && operand.component == 0 && !operand.negated;
}

// Also for the parts of a vector.
bool moves(const Instruction& in) { return ptx::facts(in).layout == ptx::Layout::kMove; }

}  // namespace

bool is_register(const Operand& operand, std::uint32_t r) {
  return is_plain_register(operand) && operand.index == r;
}

std::uint32_t reads_of(const Instruction& in, std::uint32_t r) {
  std::uint32_t count = 0;
  for_each_read(in, [&](std::uint32_t read) { count += read == r ? 1 : 0; });
  return count;
}

bool writes(const Instruction& in, std::uint32_t r) {
  bool found = false;
  for_each_written(in, [&](std::uint32_t written) { found = found || written == r; });
  return found;
}

bool is_copy(const Instruction& in) {
  return moves(in) && is_plain_register(in.operands[0]) && is_plain_register(in.operands[1]);
}

bool is_parting(const Instruction& in) {
  return moves(in) && !in.guard && in.operands[0].kind == Operand::Kind::kVector &&
         in.operands[0].elements.size() == 2 && is_plain_register(in.operands[1]);
}

RegisterUses::RegisterUses(const ptx::Function& function)
    : function_(function),
      writers_(function.registers.size()),
      readers_(function.registers.size()) {
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    for_each_written(in, [&](std::uint32_t r) { writers_[r].push_back(i); });
    for_each_read(in, [&](std::uint32_t r) { readers_[r].push_back(i); });
  }
}

bool RegisterUses::is_written_between(std::uint32_t r, std::uint32_t after,
                                      std::uint32_t before) const {
  return std::any_of(writers_[r].begin(), writers_[r].end(),
                     [&](std::uint32_t i) { return i > after && i < before; });
}

std::optional<std::uint32_t> RegisterUses::result_written_once(const Instruction& in) const {
  if (in.guard || results(in) != 1 || !is_plain_register(in.operands[0])) return std::nullopt;
  const auto r = in.operands[0].index;
  return is_written_once(r) ? std::optional(r) : std::nullopt;
}

const Instruction* RegisterUses::only_mov(std::uint32_t r) const {
  if (!is_written_once(r)) return nullptr;
  const auto& in = function_.instructions[writers_[r][0]];
  return moves(in) && !in.guard ? &in : nullptr;
}

const Operand* RegisterUses::constant(const Operand& operand) const {
  const auto* source = &operand;
  for (int steps = 0; steps < kLongestCopyChain; ++steps) {
    if (source->kind == Operand::Kind::kImmediate) return source;
    const auto* mov = is_plain_register(*source) ? only_mov(source->index) : nullptr;
    if (mov == nullptr || !is_plain_register(mov->operands[0])) return nullptr;
    source = &mov->operands[1];
  }
  return nullptr;
}

bool RegisterUses::is_half(const Operand& operand, std::uint32_t whole, std::size_t which) const {
  const auto* half = &operand;
  for (int steps = 0; steps < kLongestCopyChain; ++steps) {
    const auto* mov = is_plain_register(*half) ? only_mov(half->index) : nullptr;
    if (mov == nullptr) return false;
    if (!is_copy(*mov)) {
      return is_parting(*mov) && is_register(mov->operands[1], whole) &&
             is_register(mov->operands[0].elements[which], half->index);
    }
    half = &mov->operands[1];
  }
  return false;
}

bool RegisterUses::joins_halves_of(const Instruction& in, std::uint32_t whole) const {
  return moves(in) && in.operands[1].kind == Operand::Kind::kVector &&
         in.operands[1].elements.size() == 2 && is_half(in.operands[1].elements[0], whole, 0) &&
         is_half(in.operands[1].elements[1], whole, 1);
}

}  // namespace warpgrade::sim
