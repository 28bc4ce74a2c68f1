// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/value_uses.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <tuple>

#include "common/ptx/instruction_facts.h"

namespace warpgrade::grader::grade {
namespace {

// Variables of a function and offsets in its stack share one numbering.
constexpr std::int64_t kStack = std::int64_t{1} << 40;

bool is_product(const ptx::Instruction& in) {
  return in.opcode == ptx::Opcode::mul || in.opcode == ptx::Opcode::mad;
}

// Whether two whole numbers are equal: floats do not count anything.
bool compares_numbers(const ptx::Instruction& in) {
  const bool is_equality =
      in.modifiers.has(ptx::Modifier::eq) || in.modifiers.has(ptx::Modifier::ne);
  return in.opcode == ptx::Opcode::setp && is_equality && in.type_count > 0 &&
         in.types[0] != ptx::Type::kF32 && in.types[0] != ptx::Type::kF64;
}

void join(Uses& to, const Uses& from) {
  to.address |= from.address;
  to.row |= from.row;
  to.loop_condition |= from.loop_condition;
  to.condition |= from.condition;
  to.data |= from.data;
  to.lane |= from.lane;
  to.equality |= from.equality;
}

}  // namespace

bool is_parameter(const ptx::Function& function, const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::kAddress || operand.elements.empty()) return false;
  const auto& base = operand.elements[0];
  return base.kind == ptx::Operand::Kind::kLocal &&
         function.variables[base.index].space == ptx::StateSpace::kParam;
}

ValueUses::ValueUses(const ptx::Module& module) : module_(module) {
  std::size_t nodes = 0;
  for (const auto& function : module.functions) {
    first_register_.push_back(nodes);
    nodes += function.registers.size();
  }
  next_.resize(nodes);
  own_.resize(nodes);
  loops_.resize(module.functions.size());
  slices_.resize(module.functions.size());
  locals_.resize(module.functions.size());
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    find_loops(f);
    find_locals(f);
    const auto count = static_cast<std::uint32_t>(module.functions[f].instructions.size());
    for (std::uint32_t i = 0; i < count; ++i) add_instruction(f, i);
    find_slice(f);
  }
  find_sizes();
  find_cycles();
  find_loop_conditions();
}

// Marks the nodes that depend on themselves: Tarjan's strongly connected components, without
// recursion.
void ValueUses::find_cycles() {
  constexpr std::size_t kUnseen = ~std::size_t{0};
  struct Visit {
    Node node = 0;
    std::size_t step = 0;
  };
  is_on_cycle_.resize(next_.size());
  std::vector<std::size_t> order(next_.size(), kUnseen);
  std::vector<std::size_t> lowest(next_.size());
  std::vector<bool> is_open(next_.size());
  std::vector<Node> open;
  std::size_t seen = 0;
  for (Node root = 0; root < next_.size(); ++root) {
    if (order[root] != kUnseen) continue;
    std::vector<Visit> visits = {{root}};
    while (!visits.empty()) {
      auto& [node, step] = visits.back();
      if (step == 0) {
        order[node] = lowest[node] = seen++;
        open.push_back(node);
        is_open[node] = true;
      }
      if (step < next_[node].size()) {
        const auto to = next_[node][step++].to;
        if (to == node) is_on_cycle_[node] = true;
        if (order[to] == kUnseen) {
          visits.push_back({to});
        } else if (is_open[to]) {
          lowest[node] = std::min(lowest[node], order[to]);
        }
        continue;
      }
      const auto done = node;
      visits.pop_back();
      if (!visits.empty()) {
        auto& before = lowest[visits.back().node];
        before = std::min(before, lowest[done]);
      }
      if (lowest[done] != order[done]) continue;
      const bool is_alone = open.back() == done;
      Node member = done;
      do {
        member = open.back();
        open.pop_back();
        is_open[member] = false;
        if (!is_alone) is_on_cycle_[member] = true;
      } while (member != done);
    }
  }
}

void ValueUses::find_loop_conditions() {
  std::vector<std::vector<Node>> before(next_.size());
  std::vector<Node> pending;
  for (Node node = 0; node < next_.size(); ++node) {
    for (const auto& step : next_[node]) before[step.to].push_back(node);
    if (own_[node].loop_condition) pending.push_back(node);
  }
  decides_loops_.resize(next_.size());
  while (!pending.empty()) {
    const auto node = pending.back();
    pending.pop_back();
    if (decides_loops_[node]) continue;
    decides_loops_[node] = true;
    pending.insert(pending.end(), before[node].begin(), before[node].end());
  }
}

void ValueUses::find_sizes() {
  varies_.resize(next_.size());
  std::vector<Node> pending;
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    std::set<Node> written;
    for (const auto& in : module_.functions[f].instructions) {
      const auto& facts = ptx::facts(in);
      const bool is_of_memory = facts.address && in.space != ptx::StateSpace::kParam;
      bool is_of_thread = ptx::is_exchange(facts.timing);
      for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
        if (in.operands[k].kind != ptx::Operand::Kind::kSpecial) continue;
        const auto which = static_cast<ptx::SpecialRegister>(in.operands[k].index);
        is_of_thread |=
            which != ptx::SpecialRegister::ntid_x && which != ptx::SpecialRegister::ntid_y &&
            which != ptx::SpecialRegister::nctaid_x && which != ptx::SpecialRegister::nctaid_y;
      }
      ptx::for_each_written(in, [&](std::uint32_t number) {
        const auto node = register_node(f, number);
        const bool is_again = !written.insert(node).second;
        if (is_of_memory || is_of_thread || is_again) pending.push_back(node);
      });
    }
  }
  while (!pending.empty()) {
    const auto node = pending.back();
    pending.pop_back();
    if (varies_[node]) continue;
    varies_[node] = true;
    for (const auto& step : next_[node]) pending.push_back(step.to);
  }
}

bool ValueUses::is_size(std::uint32_t function, const ptx::Operand& operand) const {
  if (operand.kind == ptx::Operand::Kind::kImmediate) return true;
  return operand.kind == ptx::Operand::Kind::kRegister &&
         !varies_[register_node(function, operand.index)];
}

ValueUses::Node ValueUses::variable_node(std::uint32_t function, std::uint32_t variable,
                                         std::int64_t offset) {
  const auto key = std::pair(function, static_cast<std::int64_t>(variable) * kStack + offset);
  const auto [found, is_new] = variables_.try_emplace(key, next_.size());
  if (is_new) {
    next_.emplace_back();
    own_.emplace_back();
  }
  return found->second;
}

// A parameter of a call.
std::optional<ValueUses::Node> ValueUses::stack_node(std::uint32_t function,
                                                     const ptx::Operand& address) {
  if (!is_parameter(module_.functions[function], address)) return std::nullopt;
  return variable_node(function, address.elements[0].index, 0);
}

void ValueUses::find_loops(std::uint32_t function) {
  const auto& all = module_.functions[function].instructions;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (ptx::facts(all[i]).flow == ptx::Flow::kBranch && all[i].operands[0].index <= i) {
      loops_[function].push_back({all[i].operands[0].index, i});
    }
  }
}

// A constant begins a variable in memory if other values are stored to it later: through a pointer,
// by a function that has its address, or at the same offset.
void ValueUses::find_locals(std::uint32_t function) {
  const auto& of = module_.functions[function];
  auto& out = locals_[function];
  std::set<std::uint32_t> others;
  for (const auto& in : of.instructions) {
    const bool is_constant =
        in.opcode == ptx::Opcode::mov && in.operands[1].kind == ptx::Operand::Kind::kImmediate;
    ptx::for_each_written(
        in, [&](std::uint32_t number) { (is_constant ? out.constants : others).insert(number); });
    if (ptx::results(in) != 1 || in.operands[0].kind != ptx::Operand::Kind::kRegister) continue;
    const auto result = in.operands[0].index;
    for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
      const auto& operand = in.operands[k];
      if (in.opcode == ptx::Opcode::mov && operand.kind == ptx::Operand::Kind::kLocal &&
          of.variables[operand.index].space == ptx::StateSpace::kLocal) {
        out.begins.insert(result);
      }
      if (operand.kind != ptx::Operand::Kind::kRegister) continue;
      const bool is_begin = out.begins.contains(operand.index);
      if (in.opcode == ptx::Opcode::cvta && is_begin) out.begins.insert(result);
      const bool is_sum = in.opcode == ptx::Opcode::add || in.opcode == ptx::Opcode::sub ||
                          in.opcode == ptx::Opcode::mov;
      if (is_sum && (is_begin || out.pointers.contains(operand.index))) out.pointers.insert(result);
    }
  }
  std::erase_if(out.constants, [&](std::uint32_t number) { return others.contains(number); });
  for (const auto& in : of.instructions) {
    if (in.opcode != ptx::Opcode::st) continue;
    const auto& value = in.operands[1];
    if (is_parameter(of, in.operands[0])) {
      out.any_changed |= value.kind == ptx::Operand::Kind::kRegister &&
                         (out.begins.contains(value.index) || out.pointers.contains(value.index));
      continue;
    }
    if (!is_local(function, in.operands[0])) continue;
    if (value.kind == ptx::Operand::Kind::kRegister && out.constants.contains(value.index))
      continue;
    const auto& address = in.operands[0];
    if (out.begins.contains(address.elements[0].index)) {
      out.changed.insert(address.offset);
    } else {
      out.any_changed = true;
    }
  }
  for (std::uint32_t i = 0; i < of.instructions.size(); ++i) {
    const auto& in = of.instructions[i];
    if (begins_local(function, i) && in.operands[1].kind == ptx::Operand::Kind::kRegister) {
      out.starts.insert(in.operands[1].index);
    }
  }
}

bool ValueUses::is_local(std::uint32_t function, const ptx::Operand& address) const {
  if (address.kind != ptx::Operand::Kind::kAddress || address.elements.empty()) return false;
  const auto& base = address.elements[0];
  const auto& locals = locals_[function];
  return base.kind == ptx::Operand::Kind::kRegister &&
         (locals.begins.contains(base.index) || locals.pointers.contains(base.index));
}

bool ValueUses::begins_local(std::uint32_t function, std::uint32_t instruction) const {
  const auto& in = module_.functions[function].instructions[instruction];
  if (in.opcode != ptx::Opcode::st || !is_local(function, in.operands[0])) return false;
  const auto& locals = locals_[function];
  const auto& value = in.operands[1];
  const bool is_constant =
      value.kind == ptx::Operand::Kind::kImmediate ||
      (value.kind == ptx::Operand::Kind::kRegister && locals.constants.contains(value.index));
  return is_constant && (locals.any_changed || locals.changed.contains(in.operands[0].offset));
}

bool ValueUses::begins_shared(std::uint32_t function, std::uint32_t instruction) const {
  const auto& all = module_.functions[function].instructions;
  using Place = std::tuple<ptx::Operand::Kind, std::uint32_t, std::int64_t>;
  const auto variable_of = [](const ptx::Instruction& in) -> std::optional<Place> {
    const bool writes = in.opcode == ptx::Opcode::st || in.opcode == ptx::Opcode::red ||
                        in.opcode == ptx::Opcode::atom;
    if (!writes || in.space != ptx::StateSpace::kShared) return std::nullopt;
    const auto& address = in.operands[in.opcode == ptx::Opcode::atom ? 1 : 0];
    if (address.kind != ptx::Operand::Kind::kAddress || address.elements.empty())
      return std::nullopt;
    const auto& base = address.elements[0];
    if (base.kind == ptx::Operand::Kind::kRegister) return std::nullopt;
    return Place{base.kind, base.index, address.offset + base.offset};
  };
  const auto is_constant = [&](const ptx::Instruction& in) {
    const auto& value = in.operands[1];
    return in.opcode == ptx::Opcode::st && (value.kind == ptx::Operand::Kind::kImmediate ||
                                            (value.kind == ptx::Operand::Kind::kRegister &&
                                             locals_[function].constants.contains(value.index)));
  };
  const auto here = variable_of(all[instruction]);
  return here && is_constant(all[instruction]) &&
         std::ranges::any_of(all, [&](const ptx::Instruction& other) {
           return variable_of(other) == here && !is_constant(other);
         });
}

// Whether the branch decides between the loop that it is in and what follows the loop.
bool ValueUses::leaves_a_loop(std::uint32_t function, std::uint32_t at) const {
  const auto& all = module_.functions[function].instructions;
  const auto target = all[at].operands[0].index;
  return std::ranges::any_of(loops_[function], [&](const ptx::Range& loop) {
    if (at < loop.begin || at > loop.end) return false;
    const auto next = at + 1 < all.size() && ptx::facts(all[at + 1]).flow == ptx::Flow::kBranch
                          ? all[at + 1].operands[0].index
                          : at + 1;
    const auto is_outside = [&](std::uint32_t place) {
      return place < loop.begin || place > loop.end;
    };
    return is_outside(target) || is_outside(next);
  });
}

void ValueUses::add_call(std::uint32_t function, const ptx::Instruction& in) {
  if (in.operands[1].kind != ptx::Operand::Kind::kFunction) return;
  const auto callee = in.operands[1].index;
  const auto& called = module_.functions[callee];
  const auto connect = [&](const ptx::Operand& mine, std::size_t first, bool is_result) {
    for (std::size_t k = 0; k < mine.elements.size(); ++k) {
      const auto& own = mine.elements[k];
      if (own.kind != ptx::Operand::Kind::kLocal) continue;
      const auto here = variable_node(function, own.index, 0);
      const auto there = variable_node(callee, static_cast<std::uint32_t>(first + k), 0);
      next_[is_result ? there : here].push_back({is_result ? here : there, std::nullopt});
      if (!is_result && called.is_declaration) own_[here].data = true;
    }
  };
  connect(in.operands[0], 0, true);
  connect(in.operands[2], called.results.size(), false);
}

void ValueUses::add_instruction(std::uint32_t function, std::uint32_t at) {
  const auto& in = module_.functions[function].instructions[at];
  const auto& facts = ptx::facts(in);
  const auto mark = [&](const ptx::Operand& operand, bool Uses::*use) {
    ptx::for_each_register(
        operand, [&](std::uint32_t number) { own_[register_node(function, number)].*use = true; });
  };
  if (in.guard) {
    auto& own = own_[register_node(function, *in.guard)];
    (facts.flow == ptx::Flow::kBranch && leaves_a_loop(function, at) ? own.loop_condition
                                                                     : own.condition) = true;
  }
  if (facts.flow == ptx::Flow::kCall) {
    add_call(function, in);
    return;
  }
  std::vector<Node> results;
  ptx::for_each_written(
      in, [&](std::uint32_t number) { results.push_back(register_node(function, number)); });
  if (facts.address) {
    const auto& address = in.operands[*facts.address];
    const auto stack = stack_node(function, address);
    if (!stack) mark(address, &Uses::address);
    for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
      if (k == *facts.address) continue;
      if (!stack) {
        // The length of the rows that a fragment consists of.
        const bool is_length = in.opcode == ptx::Opcode::wmma && k + 1 == in.operands.size() &&
                               in.operands[k].kind == ptx::Operand::Kind::kRegister;
        if (is_length) mark(in.operands[k], &Uses::address);
        mark(in.operands[k], is_length ? &Uses::row : &Uses::data);
        continue;
      }
      ptx::for_each_register(in.operands[k], [&](std::uint32_t number) {
        next_[register_node(function, number)].push_back({*stack, std::nullopt});
      });
    }
    if (stack && facts.memory == ptx::MemoryRole::kLoad) {
      for (const auto result : results) next_[*stack].push_back({result, std::nullopt});
    }
    return;
  }
  if (ptx::is_exchange(facts.timing)) {
    if (in.operands.size() > 2) {
      mark(in.operands[ptx::results(in)], &Uses::data);
      for (auto k = ptx::results(in) + 1; k < in.operands.size(); ++k) {
        mark(in.operands[k], &Uses::lane);
      }
    }
    return;
  }
  const bool is_equality = compares_numbers(in);
  for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
    if (is_equality) mark(in.operands[k], &Uses::equality);
    ptx::for_each_register(in.operands[k], [&](std::uint32_t number) {
      for (const auto result : results) {
        next_[register_node(function, number)].push_back({result, other_factor(function, in, k)});
      }
    });
  }
}

std::optional<ValueUses::Node> ValueUses::other_factor(std::uint32_t function,
                                                       const ptx::Instruction& in,
                                                       std::size_t k) const {
  if (!is_product(in) || k > 2) return std::nullopt;
  const auto& other = in.operands[k == 1 ? 2 : 1];
  if (other.kind != ptx::Operand::Kind::kRegister) return std::nullopt;
  return register_node(function, other.index);
}

// The parameter of a call that the instruction stores.
std::optional<ValueUses::Node> ValueUses::argument_node(std::uint32_t function,
                                                        const ptx::Instruction& in) const {
  if (in.opcode != ptx::Opcode::st || !is_parameter(module_.functions[function], in.operands[0])) {
    return std::nullopt;
  }
  const auto variable = static_cast<std::int64_t>(in.operands[0].elements[0].index);
  const auto found = variables_.find(std::pair(function, variable * kStack));
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

void ValueUses::find_slice(std::uint32_t function) {
  const auto& all = module_.functions[function].instructions;
  std::vector<std::vector<std::uint32_t>> writers(module_.functions[function].registers.size());
  std::vector<std::uint32_t> pending;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    ptx::for_each_written(all[i], [&](std::uint32_t number) { writers[number].push_back(i); });
    const auto& facts = ptx::facts(all[i]);
    if (!facts.address ||
        is_parameter(module_.functions[function], all[i].operands[*facts.address]))
      continue;
    ptx::for_each_register(all[i].operands[*facts.address],
                           [&](std::uint32_t number) { pending.push_back(number); });
  }
  std::set<std::uint32_t> seen;
  while (!pending.empty()) {
    const auto number = pending.back();
    pending.pop_back();
    if (!seen.insert(number).second) continue;
    for (const auto writer : writers[number]) {
      slices_[function].insert(writer);
      if (ptx::facts(all[writer]).address) continue;  // A value of memory.
      ptx::for_each_read(all[writer], [&](std::uint32_t source) { pending.push_back(source); });
    }
  }
}

Uses ValueUses::uses_of(std::uint32_t function, std::uint32_t instruction) const {
  const auto& in = module_.functions[function].instructions[instruction];
  const auto& facts = ptx::facts(in);
  Uses out;
  if (facts.address && ptx::results(in) == 0) out.data = true;
  std::vector<std::pair<Node, bool>> pending;
  ptx::for_each_written(in, [&](std::uint32_t number) {
    pending.emplace_back(register_node(function, number), false);
  });
  if (const auto parameter = argument_node(function, in)) {
    pending.emplace_back(*parameter, false);
    out.data = false;
  }
  std::map<Node, bool> seen;
  while (!pending.empty()) {
    const auto [node, is_factor] = pending.back();
    pending.pop_back();
    const auto found = seen.find(node);
    if (found != seen.end() && (found->second || !is_factor)) continue;
    seen[node] = is_factor;
    join(out, own_[node]);
    if (own_[node].address && is_factor) out.row = true;
    for (const auto& [next, product] : next_[node])
      pending.emplace_back(next, is_factor || product);
  }
  out.equality |= compares_numbers(in);
  if (in.opcode == ptx::Opcode::mov && in.operands[0].kind == ptx::Operand::Kind::kRegister) {
    out.accumulates = locals_[function].starts.contains(in.operands[0].index);
  }
  // A variable that a loop changes: a register behind this value depends on itself.
  if (in.opcode == ptx::Opcode::mov || in.opcode == ptx::Opcode::ld) {
    for (const auto& [node, is_factor] : seen) {
      if (!is_on_cycle_[node]) continue;
      out.accumulates = true;
      out.counts |= decides_loops_[node];
    }
  }
  return out;
}

}  // namespace warpgrade::grader::grade
