// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "grader/grade/explain/edits/finder.h"

namespace warpgrade::grader::grade {
namespace program_edits {
namespace {

// Executes the stores only until control reaches the jump at `end`.
void only_in_first_pass(Function& to, const std::vector<std::uint32_t>& stores, std::uint32_t end) {
  const auto passed = add_register(to, Type::kB32);
  const auto is_first = add_register(to, Type::kPred);
  const auto set = [&](std::int64_t value) {
    auto out = binary(Opcode::mov, Type::kB32, register_operand(passed), integer(value), {},
                      to.instructions[stores.front()]);
    out.operands.pop_back();
    return out;
  };
  insert(to, end, set(1), true);
  auto test = binary(Opcode::setp, Type::kU32, register_operand(is_first), register_operand(passed),
                     integer(0), to.instructions[stores.front()]);
  test.modifiers.add(Modifier::eq);
  for (auto at = stores.rbegin(); at != stores.rend(); ++at) {
    to.instructions[*at].guard = is_first;
    insert(to, *at, test, true);
  }
  insert(to, 0, set(0), true);
}

// Whether the register, or a copy that the loop makes of it, is read behind the loop.
bool is_read_behind(const Function& function, const ptx::Range& loop, std::uint32_t number) {
  std::set<std::uint32_t> all = {number};
  for (auto i = loop.begin; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    bool is_read = false;
    ptx::for_each_read(in, [&](std::uint32_t one) { is_read |= all.contains(one); });
    if (is_read && i > loop.end) return true;
    if (is_read && in.opcode == Opcode::mov) all.insert(in.operands[0].index);
  }
  return false;
}

}  // namespace

// A constant that a variable begins with: before the loop around it, or in each pass of the loop
// behind it. Copies lead from the constant to the register that the loop changes.
void Finder::start(const Edit::Site& first, const Instruction& in) {
  if (in.opcode != Opcode::mov || in.operands[1].kind != Operand::Kind::kImmediate) return;
  if (!of_.accumulates || of_.counts) return;
  const auto& function = module_.functions[first.function];
  const auto constant = in.operands[1];
  auto at = first.instruction;
  for (auto i = at + 1; i < function.instructions.size(); ++i) {
    const auto& copy = function.instructions[i];
    if (ptx::facts(copy).flow != ptx::Flow::kNext) break;
    if (copy.opcode == Opcode::mov && copy.operands[1].kind == Operand::Kind::kRegister &&
        copy.operands[1].index == function.instructions[at].operands[0].index) {
      at = i;
    }
  }
  const auto& loops = uses_.loops(first.function);
  const bool is_in_a_loop = std::ranges::any_of(
      loops, [&](const ptx::Range& loop) { return at >= loop.begin && at <= loop.end; });
  // The instances of a template that have the same loops.
  Sites alike;
  for (const auto& site : *now_) {
    const auto& others = uses_.loops(site.function);
    const bool is_alike =
        site.instruction == first.instruction &&
        std::ranges::equal(loops, others, {}, &ptx::Range::begin, &ptx::Range::begin);
    if (is_alike) alike.push_back(site);
  }
  const auto* all_sites = std::exchange(now_, &alike);
  if (is_in_a_loop) {
    add(EditKind::kStart, Rank::kStart, "begins once",
        [at, constant](Function& to, std::uint32_t /*at*/) {
          auto moved = to.instructions[at];
          to.instructions[at].operands[1] = to.instructions[at].operands[0];
          moved.operands[1] = constant;
          insert(to, 0, moved, true);
        });
  }
  for (const auto& loop : loops) {
    // What is read behind the loop would be the constant.
    if (loop.begin <= at ||
        is_read_behind(function, loop, function.instructions[at].operands[0].index))
      continue;
    add(EditKind::kStart, Rank::kStart, "begins in each pass",
        [begin = loop.begin, at, constant](Function& to, std::uint32_t /*at*/) {
          auto again = to.instructions[at];
          again.operands[1] = constant;
          insert(to, begin, again, true);
        });
  }
  now_ = all_sites;
}

// The same for instructions that fill memory: only the first pass of a loop around them executes
// `filling`, or each pass of a later loop executes `all` again.
void Finder::start_by(const Edit::Site& first, const std::vector<std::uint32_t>& filling,
                      const std::vector<std::uint32_t>& all) {
  of_.accumulates = true;
  const Sites sites = {first};
  const auto* all_sites = std::exchange(now_, &sites);
  for (const auto& loop : uses_.loops(first.function)) {
    if (loop.begin <= filling.front() && loop.end > filling.back()) {
      add(EditKind::kStart, Rank::kStart, "begins once",
          [filling, end = loop.end](Function& to, std::uint32_t /*at*/) {
            only_in_first_pass(to, filling, end);
          });
    } else if (loop.begin > filling.back()) {
      add(EditKind::kStart, Rank::kStart, "begins in each pass",
          [all, begin = loop.begin](Function& to, std::uint32_t /*at*/) {
            for (auto i = all.rbegin(); i != all.rend(); ++i) {
              insert(to, begin, Instruction(to.instructions[*i]), true);
            }
          });
    }
  }
  now_ = all_sites;
}

// A call that fills a fragment of tensor cores, with its arguments.
void Finder::start_of_fragment(const Edit::Site& first, const Instruction& in) {
  const bool fills =
      ptx::facts(in).flow == ptx::Flow::kCall && in.operands[1].kind == Operand::Kind::kFunction &&
      module_.functions[in.operands[1].index].name.find("fill_fragment") != std::string::npos;
  if (!fills) return;
  const auto& function = module_.functions[first.function];
  auto begin = first.instruction;
  while (begin > 0 && is_argument(function.instructions[begin - 1])) --begin;
  std::vector<std::uint32_t> all(first.instruction + 1 - begin);
  std::iota(all.begin(), all.end(), begin);
  of_ = {.data = true};
  start_by(first, {first.instruction}, all);
}

// Constants that a line stores to an array or a structure of the thread, or to a variable in shared
// memory.
void Finder::start_in_memory(const Edit::Site& first) {
  const auto f = first.function;
  if (uses_.begins_shared(f, first.instruction)) {
    return start_by(first, {first.instruction}, {first.instruction});
  }
  if (!uses_.begins_local(f, first.instruction)) return;
  const auto& function = module_.functions[f];
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    const bool is_here = is_own(function, in) && line_of(function, in) == line_;
    if (is_here && uses_.begins_local(f, i)) all.push_back(i);
  }
  if (all.front() == first.instruction) start_by(first, all, all);
}

// A loop that begins at half or twice the value of another variable.
void Finder::halves(const Instruction& in) {
  const auto type = type_of(in);
  if (in.opcode != Opcode::mov || !of_.accumulates || !of_.counts) return;
  if (in.operands[1].kind != Operand::Kind::kRegister || ptx::size_of(type) != 4) return;
  if (is_constant(in.operands[1])) return;  // Other edits change it.
  // The step of the loop writes the variable, too.
  const auto* next = only_writer(now_->front().function, in.operands[1]);
  const bool is_step = next != nullptr && ptx::results(*next) == 1 && next->operands.size() == 3 &&
                       next->operands[1].kind == Operand::Kind::kRegister &&
                       next->operands[1].index == in.operands[0].index;
  if (is_step) return;
  for (const auto opcode : {Opcode::shr, Opcode::shl}) {
    add(EditKind::kStart, Rank::kLimit, "begins at half or twice the value",
        [opcode](Function& to, std::uint32_t at) {
          auto& one = to.instructions[at];
          one.opcode = opcode;
          one.types[0] = opcode == Opcode::shr ? Type::kU32 : Type::kB32;
          one.operands.push_back(integer(1));
        });
  }
}

}  // namespace program_edits
}  // namespace warpgrade::grader::grade
