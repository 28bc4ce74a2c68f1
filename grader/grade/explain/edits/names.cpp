// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <vector>

#include "grader/grade/explain/edits/finder.h"

namespace warpgrade::grader::grade {
namespace program_edits {
namespace {

bool names(const Operand& operand, const Name& name) {
  return operand.kind == (name.is_special ? Operand::Kind::kSpecial : Operand::Kind::kRegister) &&
         operand.index == name.number;
}

// Exchanges two variables, or two special registers, in the operands of an instruction.
auto exchange_of(const Name& a, const Name& b) {
  return [a, b](Function& to, std::uint32_t at) {
    auto& in = to.instructions[at];
    for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
      auto& one = in.operands[k];
      const bool is_a = names(one, a);
      if (is_a || names(one, b)) one.index = is_a ? b.number : a.number;
    }
  };
}

std::string label(const Function& function, const Name& name) {
  return name.is_special ? fmt::format("special {}", name.number)
                         : function.registers[name.number].name;
}

}  // namespace

void Finder::special(const Instruction& in) {
  if (in.opcode != Opcode::mov || in.operands[1].kind != Operand::Kind::kSpecial) return;
  const auto which = static_cast<SR>(in.operands[1].index);
  if (std::ranges::find(kPlaces, which) == std::end(kPlaces)) return;
  for (const auto other : kPlaces) {
    if (other == which) continue;
    add(EditKind::kVariable, Rank::kOperator,
        fmt::format("special {} for {}", static_cast<int>(other), static_cast<int>(which)),
        [other](Function& function, std::uint32_t at) {
          function.instructions[at].operands[1] = special_operand(other);
        });
  }
  const auto place = now_->front();
  const auto& registers = module_.functions[place.function].registers;
  for (const auto& variable : variables_of(place.function)) {
    if (variable.is_parameter || variable.at >= place.instruction) continue;
    if (!is_int32(registers[variable.number].type)) continue;
    add(EditKind::kVariable, Rank::kVariable,
        fmt::format("{} for a special register", registers[variable.number].name),
        [number = variable.number](Function& function, std::uint32_t at) {
          function.instructions[at].operands[1] = register_operand(number);
        });
  }
}

void Finder::variables(const Edit::Site& first, const Instruction& in) {
  const auto& facts = ptx::facts(in);
  if ((facts.address && !is_argument(in)) || facts.flow != ptx::Flow::kNext) return;
  const auto& function = module_.functions[first.function];
  // The compiler gives the copies that end a pass the line of the loop's head.
  const auto& loops = uses_.loops(first.function);
  const bool ends_pass =
      in.opcode == Opcode::mov && std::ranges::any_of(loops, [&](const ptx::Range& loop) {
        if (loop.begin > first.instruction || loop.end <= first.instruction) return false;
        const auto all = function.instructions.begin();
        return std::all_of(all + first.instruction, all + loop.end, [&](const Instruction& one) {
          return one.location == 0 || line_of(function, one) == line_;
        });
      });
  for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
    const auto& operand = in.operands[k];
    if (operand.kind != Operand::Kind::kRegister) continue;
    const auto type = function.registers[operand.index].type;
    if (type == Type::kPred) continue;
    of_.stride = is_stride(in, k);
    for (const auto& variable : variables_of(first.function)) {
      const auto& other = function.registers[variable.number];
      if (variable.number == operand.index || variable.at >= first.instruction) continue;
      if (other.type != type) continue;
      // Pointers are not other pointers' indices.
      if (ptx::size_of(type) == 8 && is_integer(type)) continue;
      // One size of the kernel for another, in the length of a row.
      const bool is_length =
          variable.is_parameter && is_parameter_value(operand) && of_.address && of_.row;
      // A size in an address is a length, also if an index is only that far away.
      const bool is_distance =
          variable.is_parameter && is_parameter_value(operand) && of_.address && !of_.condition;
      of_.stride = is_stride(in, k) || is_length || is_distance;
      add(EditKind::kVariable,
          is_length               ? Rank::kLength
          : variable.is_parameter ? Rank::kOperator
          : ends_pass             ? Rank::kResult
                                  : Rank::kVariable,
          fmt::format("{} for {}", other.name, function.registers[operand.index].name),
          [k, number = variable.number, type](Function& to, std::uint32_t at) {
            if (number < to.registers.size() && to.registers[number].type == type) {
              to.instructions[at].operands[k] = register_operand(number);
            }
          });
    }
    // A copy at the end of a pass is no beginning: without it, nothing is left of the sum.
    if (in.opcode == Opcode::mov && !ends_pass && of_.accumulates && of_.data && !of_.counts &&
        !of_.address && is_number(type) && is_added_to(first.function, in.operands[0].index)) {
      add(EditKind::kConstant, Rank::kStart, fmt::format("operand {} begins with 0", k),
          [k, type](Function& to, std::uint32_t at) {
            to.instructions[at].operands[k] = is_float(type) ? floating(0, type) : integer(0);
          });
    }
    if (!is_int32(type)) continue;
    if (!(of_.address || of_.condition || of_.loop_condition)) continue;
    for (const auto which : kPlaces) {
      add(EditKind::kVariable, Rank::kPlace,
          fmt::format("special {} for %{}", static_cast<int>(which), operand.index),
          [k, which](Function& to, std::uint32_t at) {
            to.instructions[at].operands[k] = special_operand(which);
          });
    }
  }
  of_.stride = false;
}

void Finder::exchanges() {
  static constexpr std::pair<SR, SR> kPairs[] = {{SR::tid_x, SR::tid_y},
                                                 {SR::ctaid_x, SR::ctaid_y},
                                                 {SR::nctaid_x, SR::nctaid_y},
                                                 {SR::ntid_x, SR::ntid_y}};
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    std::vector<std::pair<Name, Name>> pairs;
    for (const auto& [a, b] : kPairs) {
      pairs.push_back(
          {{true, static_cast<std::uint32_t>(a)}, {true, static_cast<std::uint32_t>(b)}});
    }
    // Other values are exchanged in many ways that are right by chance.
    const auto all = parameters_of(f, is_int32);
    const auto& registers = module_.functions[f].registers;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (registers[all[i]].type != registers[all[j]].type) continue;
        pairs.push_back({{false, all[i]}, {false, all[j]}});
      }
    }
    for (const auto& [a, b] : pairs) exchange(f, a, b);
    exchange_in_lines(f);
  }
}

void Finder::exchange(std::uint32_t f, const Name& a, const Name& b) {
  const auto& function = module_.functions[f];
  std::map<std::uint32_t, std::vector<std::uint32_t>> lines;
  std::set<std::uint32_t> with_a;
  std::set<std::uint32_t> with_b;
  std::uint32_t begin = 0;  // The first instruction after both are set.
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    if (!a.is_special) {
      ptx::for_each_written(in, [&](std::uint32_t number) {
        if (number == a.number || number == b.number) begin = i + 1;
      });
    }
  }
  for (std::uint32_t i = begin; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    if (!is_own(function, in) || !is_executed_(f, i)) continue;
    const auto line = line_of(function, in);
    bool is_named = false;
    for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
      const bool is_a = names(in.operands[k], a);
      const bool is_b = names(in.operands[k], b);
      if (is_a) with_a.insert(line);
      if (is_b) with_b.insert(line);
      is_named |= is_a || is_b;
    }
    if (is_named) lines[line].push_back(i);
  }
  std::vector<std::uint32_t> numbers;
  for (const auto& [line, sites] : lines) numbers.push_back(line);
  constexpr std::size_t kMostLines = 12;
  if (numbers.size() > kMostLines) return;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Sites sites;
    of_ = {};
    bool has_a = false;
    bool has_b = false;
    for (std::size_t j = i; j < numbers.size(); ++j) {
      has_a |= with_a.contains(numbers[j]);
      has_b |= with_b.contains(numbers[j]);
      for (const auto at : lines[numbers[j]]) {
        sites.push_back({f, at});
        const auto use = uses_.uses_of(f, at);
        of_.address |= use.address;
        of_.condition |= use.condition;
        of_.loop_condition |= use.loop_condition;
        of_.data |= use.data;
        of_.row |= use.row;
      }
      if (!has_a || !has_b) continue;  // One variable in the place of another.
      line_ = numbers[i];
      now_ = &sites;
      const bool is_whole = i == 0 && j + 1 == numbers.size();
      add(EditKind::kExchange,
          a.is_special         ? Rank::kLength
          : is_whole || i == j ? Rank::kNeighbour
                               : Rank::kVariable,
          fmt::format("exchange {} and {} in lines {} to {}", label(function, a),
                      label(function, b), numbers[i], numbers[j]),
          exchange_of(a, b));
    }
  }
}

// Registers that moves alone write, and more than once: the variables of loops.
std::set<std::uint32_t> Finder::counters_of(std::uint32_t f) const {
  const auto& function = module_.functions[f];
  std::map<std::uint32_t, int> moves;
  std::set<std::uint32_t> others;
  for (const auto& in : function.instructions) {
    ptx::for_each_written(in, [&](std::uint32_t number) {
      if (in.opcode == Opcode::mov) {
        ++moves[number];
      } else {
        others.insert(number);
      }
    });
  }
  std::set<std::uint32_t> out;
  for (const auto& [number, count] : moves) {
    if (count > 1 && !others.contains(number)) out.insert(number);
  }
  return out;
}

// Two variables of the indices in one line: a[x][y] for a[y][x].
void Finder::exchange_in_lines(std::uint32_t f) {
  const auto& function = module_.functions[f];
  std::set<std::uint32_t> known = counters_of(f);
  for (const auto& one : variables_of(f)) {
    if (one.is_shared) known.insert(one.number);
  }
  struct Line {
    std::vector<std::uint32_t> instructions;
    std::vector<std::uint32_t> names;  // In the order of the text.
  };
  std::map<std::uint32_t, Line> lines;
  std::vector<std::pair<std::uint32_t, Line>> accesses;     // Those of lines with several.
  std::set<std::pair<std::uint32_t, std::uint32_t>> moved;  // Line, register.
  for (const auto& in : function.instructions) {
    if (in.opcode != Opcode::mov || !is_own(function, in)) continue;
    ptx::for_each_written(
        in, [&](std::uint32_t number) { moved.emplace(line_of(function, in), number); });
  }
  bool begins = true;
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    if (!is_own(function, in) || !is_executed_(f, i)) continue;
    const auto flow = ptx::facts(in).flow;
    if (flow != ptx::Flow::kNext || (ptx::facts(in).address && !is_argument_of(function, in))) {
      begins = true;
      continue;
    }
    const auto number = line_of(function, in);
    auto& line = lines[number];
    if (!uses_.uses_of(f, i).address) continue;
    if (begins || accesses.back().first != number) accesses.push_back({number, {}});
    begins = false;
    for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
      const auto& one = in.operands[k];
      if (one.kind != Operand::Kind::kRegister || !known.contains(one.index)) continue;
      if (!is_int32(function.registers[one.index].type)) continue;
      const auto note = [&](Line& to) {
        if (to.instructions.empty() || to.instructions.back() != i) to.instructions.push_back(i);
        if (std::ranges::find(to.names, one.index) == to.names.end()) to.names.push_back(one.index);
      };
      note(accesses.back().second);
      if (!moved.contains({number, one.index})) note(line);
    }
  }
  constexpr std::size_t kMostNames = 6;
  const auto exchange_all = [&](std::uint32_t number, const Line& line, const char* text) {
    if (line.names.size() > kMostNames) return;
    Sites sites;
    for (const auto i : line.instructions) sites.push_back({f, i});
    now_ = &sites;
    line_ = number;
    of_ = {.address = true};
    for (std::size_t i = 0; i < line.names.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        add(EditKind::kExchange, Rank::kLength, text,
            exchange_of({false, line.names[j]}, {false, line.names[i]}));
      }
    }
  };
  for (const auto& [number, line] : lines) {
    exchange_all(number, line, "exchange two variables of a line");
  }
  for (const auto& [number, access] : accesses) {
    const bool is_whole = access.instructions == lines[number].instructions;
    if (!is_whole) exchange_all(number, access, "exchange two variables of an access");
  }
  // One of the variables is in a line, and the other in the next one.
  for (auto one = lines.begin(); one != lines.end() && std::next(one) != lines.end(); ++one) {
    const auto& [next_number, next] = *std::next(one);
    const auto& names_here = one->second.names;
    const auto has = [](const Line& line, std::uint32_t name) {
      return std::ranges::find(line.names, name) != line.names.end();
    };
    if (next_number != one->first + 1 || names_here.size() > kMostNames) continue;
    if (next.names.size() > kMostNames) continue;
    Sites sites;
    for (const auto i : one->second.instructions) sites.push_back({f, i});
    for (const auto i : next.instructions) sites.push_back({f, i});
    std::ranges::sort(sites);
    now_ = &sites;
    line_ = one->first;
    of_ = {.address = true};
    for (const auto a : names_here) {
      for (const auto b : next.names) {
        if (has(next, a) || has(one->second, b)) continue;
        add(EditKind::kExchange, Rank::kNumber, "exchange two variables of two lines",
            exchange_of({false, a}, {false, b}));
      }
    }
  }
}

}  // namespace program_edits
}  // namespace warpgrade::grader::grade
