// SPDX-License-Identifier: Apache-2.0
#include "common/ptx/instruction_registers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"

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
