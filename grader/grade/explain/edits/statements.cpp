// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "grader/grade/explain/edits/finder.h"

namespace warpgrade::grader::grade {
namespace program_edits {
namespace {

// Whether control at `at` ends the function at once.
bool leads_to_the_end(const Function& function, std::uint32_t at) {
  for (std::size_t jumps = 0; at < function.instructions.size(); ++jumps) {
    const auto& in = function.instructions[at];
    const auto flow = ptx::facts(in).flow;
    if (flow == ptx::Flow::kReturn || flow == ptx::Flow::kExit) return true;
    constexpr std::size_t kMostJumps = 8;
    if (flow != ptx::Flow::kBranch || in.guard || jumps == kMostJumps) return false;
    at = in.operands[0].index;
  }
  return false;
}

bool has_barrier_behind(const Function& function, std::uint32_t at) {
  return std::any_of(
      function.instructions.begin() + at, function.instructions.end(),
      [](const Instruction& in) { return ptx::facts(in).memory == ptx::MemoryRole::kBarrier; });
}

bool has_float(const Instruction& in) {
  return std::any_of(in.types.begin(), in.types.begin() + in.type_count,
                     [](Type type) { return type == Type::kF32; });
}

void widen(Function& function, Instruction& in, std::map<std::uint32_t, std::uint32_t>& doubles) {
  for (auto& operand : in.operands) {
    if (operand.kind == Operand::Kind::kRegister &&
        function.registers[operand.index].type == Type::kF32) {
      const auto found = doubles.find(operand.index);
      if (found == doubles.end()) {
        const auto number = add_register(function, Type::kF64);
        doubles.emplace(operand.index, number);
        operand.index = number;
      } else {
        operand.index = found->second;
      }
    } else if (operand.kind == Operand::Kind::kImmediate &&
               operand.number == Operand::Number::kFloat32) {
      operand = floating(value_of(operand), Type::kF64);
    }
  }
  for (std::uint8_t t = 0; t < in.type_count; ++t) {
    if (in.types[t] == Type::kF32) in.types[t] = Type::kF64;
  }
  if (in.opcode == Opcode::div && in.type_count == 1) {
    in.modifiers = {};
    in.modifiers.add(Modifier::rn);
  }
}

}  // namespace

// A store only if a value of its index is below a size that the kernel gets. Other indices may
// lead outside of the array.
void Finder::guards(const Edit::Site& first, const Instruction& in) {
  const auto f = first.function;
  if (in.opcode != Opcode::st || in.guard || in.operands[0].kind != Operand::Kind::kAddress ||
      is_argument(in) || in.space == ptx::StateSpace::kShared ||
      uses_.is_local(f, in.operands[0])) {
    return;
  }
  for (const auto index : index_values(first, in.operands[0])) {
    for (const auto size : parameters_of(f, is_int32)) {
      add(EditKind::kGuard, Rank::kLimit, "guard of a store",
          [index, size](Function& to, std::uint32_t at) {
            const auto is_inside = add_register(to, Type::kPred);
            auto test =
                binary(Opcode::setp, Type::kS32, register_operand(is_inside),
                       register_operand(index), register_operand(size), to.instructions[at]);
            test.modifiers.add(Modifier::lt);
            to.instructions[at].guard = is_inside;
            insert(to, at, test, true);
          });
      out_.back().ignores_bad_addresses = true;
    }
  }
}

// The integers of 32 bits from which the address is computed in the line of the access, the last
// ones first.
std::vector<std::uint32_t> Finder::index_values(const Edit::Site& access, const Operand& address) {
  constexpr std::size_t kMostValues = 12;
  const auto f = access.function;
  const auto& function = module_.functions[f];
  const auto line = line_of(function, function.instructions[access.instruction]);
  std::vector<std::uint32_t> out;
  std::vector<Operand> all(address.elements.begin(), address.elements.end());
  for (std::size_t i = 0; i < all.size() && out.size() < kMostValues; ++i) {
    if (all[i].kind != Operand::Kind::kRegister) continue;
    const auto type = function.registers[all[i].index].type;
    const bool is_new = std::ranges::find(out, all[i].index) == out.end();
    if (is_new && is_int32(type) && !uses_.is_size(f, all[i])) {
      out.push_back(all[i].index);
    }
    const auto* writer = only_writer(f, all[i]);
    if (writer == nullptr || ptx::results(*writer) != 1 || line_of(function, *writer) != line) {
      continue;
    }
    for (auto k = std::size_t{1}; k < writer->operands.size(); ++k) {
      all.push_back(writer->operands[k]);
    }
  }
  return out;
}

void Finder::branch(const Edit::Site& first, const Instruction& in) {
  if (ptx::facts(in).flow != ptx::Flow::kBranch || !in.guard) return;
  of_.condition = true;
  const auto never = [](Function& function, std::uint32_t at) {
    auto& one = function.instructions[at];
    const auto flag = register_operand(*one.guard);
    become_move(one, flag);
    one.operands = {flag, flag};
    one.types[0] = Type::kPred;
    one.type_count = 1;
    one.guard.reset();
  };
  const auto always = [](Function& function, std::uint32_t at) {
    function.instructions[at].guard.reset();
  };
  add(EditKind::kBranch, Rank::kBranch, "never", never);
  add(EditKind::kBranch, Rank::kBranch, "always", always);
  const auto& function = module_.functions[first.function];
  if (!function.is_entry || !has_barrier_behind(function, first.instruction)) return;
  if (leads_to_the_end(function, in.operands[0].index)) {
    add(EditKind::kExit, Rank::kLength, "stays", never);
  } else if (leads_to_the_end(function, first.instruction + 1)) {
    add(EditKind::kExit, Rank::kLength, "stays", always);
  }
}

// Exchanges two neighbouring statements. The edit has the line of the second one.
void Finder::orders() {
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    const auto& function = module_.functions[f];
    const auto all = statements_of(f);
    for (std::size_t i = 0; i + 1 < all.size(); ++i) {
      const auto [begin, middle] = all[i];
      const auto end = all[i + 1].end;
      if (middle != all[i + 1].begin || !writes(f, all[i]) || !writes(f, all[i + 1])) continue;
      const Sites sites = {{f, begin}};
      now_ = &sites;
      line_ = line_of(function, function.instructions[middle]);
      of_ = {.data = true};
      add(EditKind::kOrder, Rank::kNumber, "statements in the other order",
          [middle = middle - begin, end = end - begin](Function& to, std::uint32_t at) {
            const auto first = to.instructions.begin() + at;
            std::rotate(first, first + middle, first + end);
          });
    }
  }
}

// The statements of a function that were executed and have no jumps, as ranges of instructions.
std::vector<ptx::Range> Finder::statements_of(std::uint32_t f) const {
  const auto& function = module_.functions[f];
  std::set<std::uint32_t> targets;
  for (const auto& in : function.instructions) {
    for (const auto& operand : in.operands) {
      if (operand.kind == Operand::Kind::kLabel) targets.insert(operand.index);
    }
  }
  std::vector<ptx::Range> out;
  std::uint32_t last = 0;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    const bool is_plain = is_own(function, in) && is_executed_(f, i) && !in.guard &&
                          ptx::facts(in).flow == ptx::Flow::kNext &&
                          ptx::facts(in).memory != ptx::MemoryRole::kBarrier;
    const auto line = is_plain ? line_of(function, in) : 0;
    if (line == 0 || line != last || targets.contains(i)) {
      if (line != 0) out.push_back({i, i});
    }
    if (line != 0) out.back().end = i + 1;
    last = line;
  }
  return out;
}

// Whether the statement stores to memory.
bool Finder::writes(std::uint32_t f, const ptx::Range& statement) const {
  const auto& function = module_.functions[f];
  const auto begin = function.instructions.begin();
  return std::any_of(begin + statement.begin, begin + statement.end, [&](const Instruction& in) {
    return in.opcode == Opcode::st && !is_parameter(function, in.operands[0]);
  });
}

// Another sign or operator in a function of the toolkit that is one instruction. The edit has the
// line of the first call.
void Finder::functions_of_toolkit() {
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    const auto& function = module_.functions[f];
    constexpr std::size_t kMostInstructions = 8;
    const bool is_one = !function.is_entry && function.instructions.size() <= kMostInstructions &&
                        std::ranges::all_of(function.instructions, [](const Instruction& in) {
                          return in.location == 0 || in.is_of_toolkit;
                        });
    const auto line = is_one ? line_of_call(f) : 0;
    if (line == 0) continue;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto before = out_.size();
      const Sites sites = {{f, i}};
      now_ = &sites;
      line_ = line;
      of_ = uses_.uses_of(f, i);
      sign(function.instructions[i]);
      operators(function.instructions[i]);
      for (auto k = before; k < out_.size(); ++k) {
        out_[k].kind = EditKind::kFunction;
        out_[k].rank = Rank::kLimit;
      }
    }
  }
}

// The first executed call of the function in the file; 0 without one.
std::uint32_t Finder::line_of_call(std::uint32_t callee) const {
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    const auto& function = module_.functions[f];
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      const bool is_call = ptx::facts(in).flow == ptx::Flow::kCall && in.operands.size() > 1 &&
                           in.operands[1].kind == Operand::Kind::kFunction &&
                           in.operands[1].index == callee;
      if (is_call && is_own(function, in) && is_executed_(f, i)) {
        return line_of(function, in);
      }
    }
  }
  return 0;
}

// All float arithmetic in the addresses of a function, in double.
void Finder::float_indices() {
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    const auto& function = module_.functions[f];
    std::vector<std::uint32_t> all;
    for (const auto i : uses_.address_slice(f)) {
      const auto& in = function.instructions[i];
      if (is_own(function, in) && !ptx::facts(in).address && has_float(in)) all.push_back(i);
    }
    if (all.empty() || !is_executed_(f, all.front())) continue;
    Sites sites = {{f, all.front()}};
    now_ = &sites;
    line_ = line_of(function, function.instructions[all.front()]);
    of_ = {.address = true};
    add(EditKind::kFloat, Rank::kFloatIndex, "index in double",
        [all](Function& to, std::uint32_t /*at*/) {
          std::map<std::uint32_t, std::uint32_t> doubles;
          for (const auto i : all) widen(to, to.instructions[i], doubles);
        });
  }
}

}  // namespace program_edits
}  // namespace warpgrade::grader::grade
