// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/instruction_registers.h"

#include <algorithm>

#include "common/ptx/instruction_facts.h"

namespace warpgrade::ptx {
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

}  // namespace warpgrade::ptx
