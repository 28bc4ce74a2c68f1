// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "grader/grade/explain/edits/finder.h"

namespace warpgrade::grader::grade {
namespace program_edits {
namespace {

// Another comparison; the nearest ones are first.
constexpr std::pair<Modifier, Modifier> kOthers[] = {
    {Modifier::lt, Modifier::le}, {Modifier::le, Modifier::lt}, {Modifier::gt, Modifier::ge},
    {Modifier::ge, Modifier::gt}, {Modifier::lt, Modifier::gt}, {Modifier::gt, Modifier::lt}};

auto compares(Modifier from, Modifier to) {
  return [from, to](Function& function, std::uint32_t at) {
    auto& one = function.instructions[at];
    one.modifiers = with(one.modifiers, from, to);
  };
}

// Adds to the second operand of a comparison of integers.
auto moves_limit(std::int64_t by) {
  return [by](Function& function, std::uint32_t at) {
    const auto one = function.instructions[at];
    const auto type = one.types[0];
    const auto limit =
        register_operand(add_register(function, ptx::size_of(type) == 8 ? Type::kB64 : Type::kB32));
    function.instructions[at].operands[2] = limit;
    insert(function, at, binary(Opcode::add, type, limit, one.operands[2], integer(by), one), true);
  };
}

// Lets the comparison hold only if the test does, too.
void add_test(Function& function, std::uint32_t at, Instruction test) {
  const auto flag = function.instructions[at].operands[0];
  test.operands[0] = register_operand(add_register(function, Type::kPred));
  const auto both = binary(Opcode::and_, Type::kPred, flag, flag, test.operands[0], test);
  insert(function, at + 1, both, false);
  insert(function, at + 1, std::move(test), false);
}

}  // namespace

void Finder::comparison(const Instruction& in) {
  if (in.opcode != Opcode::setp) return;
  of_.quotient = is_quotient(in.operands[1]) || is_quotient(in.operands[2]);
  for (const auto& [from, to] : kOthers) {
    if (!in.modifiers.has(from)) continue;
    of_.shortens = (from == Modifier::le && to == Modifier::lt) ||
                   (from == Modifier::ge && to == Modifier::gt);
    add(EditKind::kComparison, Rank::kComparison, "comparison", compares(from, to));
  }
  of_.shortens = false;
  of_.quotient = false;
  limit(in);
  rest(in);
  guarded(in);
  filled(in);
}

// `x >= least && i < n` for `x >= least`, with a guard that the function has before.
void Finder::guarded(const Instruction& in) {
  if (of_.loop_condition || is_parameter_value(in.operands[1])) return;
  const auto place = now_->front();
  const auto& all = module_.functions[place.function].instructions;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  for (std::uint32_t i = 0; i < place.instruction; ++i) {
    const auto& guard = all[i];
    const bool is_guard = guard.opcode == Opcode::setp && is_int32(type_of(guard)) &&
                          guard.modifiers.has(Modifier::lt) &&
                          only_writer(place.function, guard.operands[1]) != nullptr &&
                          is_parameter_value(guard.operands[2]);
    if (!is_guard) continue;
    if (!known.emplace(guard.operands[1].index, guard.operands[2].index).second) continue;
    add(EditKind::kComparison, Rank::kLimit, "and a guard",
        [guard](Function& to, std::uint32_t at) { add_test(to, at, guard); });
  }
}

// A condition that holds for the number in the place of an element behind the end, as in
// `i < n ? in[i] : 0`. It becomes a number that no element has, and the condition leaves it out.
void Finder::filled(const Instruction& in) {
  constexpr std::int64_t kFiller = 0x5bd1e995;
  if (of_.loop_condition || !is_int32(type_of(in)) || !is_parameter_value(in.operands[2])) return;
  const auto condition = now_->front();
  if (is_parameter_value(in.operands[1])) return;
  for (const auto& filler : fillers_of(condition.function)) {
    if (filler.instruction > condition.instruction) continue;
    const Sites both = {filler, condition};
    const auto* all_sites = std::exchange(now_, &both);
    add(EditKind::kComparison, Rank::kLimit, "and not a filler",
        [](Function& to, std::uint32_t at) {
          auto& one = to.instructions[at];
          if (one.opcode == Opcode::mov) {
            one.operands[1] = integer(kFiller);
            return;
          }
          auto test = one;
          test.modifiers = {};
          test.modifiers.add(Modifier::ne);
          test.operands[2] = integer(kFiller);
          add_test(to, at, std::move(test));
        });
    now_ = all_sites;
  }
}

// Copies of a constant to a variable that otherwise gets an element.
const Finder::Sites& Finder::fillers_of(std::uint32_t f) {
  const auto [found, is_new] = fillers_.try_emplace(f);
  auto& out = found->second;
  if (!is_new) return out;
  const auto& function = module_.functions[f];
  std::set<std::uint32_t> loaded;
  const Sites here = {{f, 0}};
  const auto* all_sites = std::exchange(now_, &here);
  for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
    const auto& in = function.instructions[i];
    if (in.opcode != Opcode::mov || !is_own(function, in) || !is_executed_(f, i)) continue;
    const auto* from = origin(in.operands[1]);
    if (from == nullptr) continue;
    if (from->opcode == Opcode::ld && from->space != ptx::StateSpace::kParam) {
      loaded.insert(in.operands[0].index);
    } else if (is_int32(type_of(in)) && is_constant(in.operands[1])) {
      out.push_back({f, i});
    }
  }
  now_ = all_sites;
  std::erase_if(out, [&](const Edit::Site& one) {
    return !loaded.contains(function.instructions[one.instruction].operands[0].index);
  });
  return out;
}

// Whether a number takes the place of an element, in all copies of it.
bool Finder::is_filler(const Operand& number) {
  const auto f = now_->front().function;
  return std::ranges::any_of(fillers_of(f), [&](const Edit::Site& one) {
    return module_.functions[f].instructions[one.instruction].operands[1].index == number.index;
  });
}

// The same change of all comparisons in a line: `x >= width || y >= height` for `>` in both.
void Finder::comparisons_of_lines() {
  for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
    const auto& function = module_.functions[f];
    std::map<std::pair<std::uint32_t, Modifier>, Sites> all;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      if (in.opcode != Opcode::setp || !is_own(function, in) || !is_int32(type_of(in))) continue;
      if (in.operands[2].kind != Operand::Kind::kRegister) continue;
      const auto line = line_of(function, in);
      for (const auto one : {Modifier::lt, Modifier::le, Modifier::gt, Modifier::ge}) {
        if (in.modifiers.has(one)) all[{line, one}].push_back({f, i});
      }
    }
    for (const auto& [key, sites] : all) {
      if (sites.size() < 2 || !is_executed_(f, sites.front().instruction)) continue;
      const auto& [line, from] = key;
      now_ = &sites;
      line_ = line;
      of_ = {.condition = true};
      const auto* other = std::ranges::find(kOthers, from, &std::pair<Modifier, Modifier>::first);
      add(EditKind::kComparison, Rank::kComparison, "all comparisons",
          compares(from, other->second));
      if (from == Modifier::lt || from == Modifier::ge) {
        add(EditKind::kComparison, Rank::kLimit, "all limits", moves_limit(-1));
      }
    }
  }
}

// `first < n` for `first + 4 <= n`: the last pass or group is a partial one.
void Finder::rest(const Instruction& in) {
  const auto* sum = only_writer(now_->front().function, in.operands[1]);
  const bool is_sum = sum != nullptr && sum->opcode == Opcode::add && sum->operands.size() == 3 &&
                      sum->operands[1].kind == Operand::Kind::kRegister &&
                      sum->operands[2].kind == Operand::Kind::kImmediate &&
                      static_cast<std::int64_t>(sum->operands[2].bits) > 1;
  if (!is_sum || !(of_.condition || of_.loop_condition) || !is_integer(type_of(in))) return;
  add(EditKind::kRounding, Rank::kComparison, "a partial group",
      [first = sum->operands[1]](Function& function, std::uint32_t at) {
        auto& one = function.instructions[at];
        one.operands[1] = first;
        one.modifiers =
            with(with(one.modifiers, Modifier::le, Modifier::lt), Modifier::gt, Modifier::ge);
      });
}

// `x < n - 1` for `x < n`; edits of comparisons give `x <= n`.
void Finder::limit(const Instruction& in) {
  const auto type = type_of(in);
  if (!is_integer(type) || in.operands[2].kind != Operand::Kind::kRegister) return;
  const bool is_less = in.modifiers.has(Modifier::lt) || in.modifiers.has(Modifier::ge);
  if (!is_less && !in.modifiers.has(Modifier::gt) && !in.modifiers.has(Modifier::le)) return;
  of_.shortens = in.modifiers.has(Modifier::lt) || in.modifiers.has(Modifier::gt);
  add(EditKind::kComparison, Rank::kLimit, "limit", moves_limit(is_less ? -1 : 1));
  of_.shortens = false;
}

void Finder::constants(const Instruction& in) {
  constexpr std::int64_t kLeastBound = 4;
  const auto flow = ptx::facts(in).flow;
  const bool is_memory =
      ptx::facts(in).address.has_value() || ptx::facts(in).memory != ptx::MemoryRole::kNoMemory;
  if ((is_memory && !is_argument(in)) || flow != ptx::Flow::kNext || is_scaling(in)) return;
  for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
    const auto& operand = in.operands[k];
    // Two variables that begin with the same constant share its register.
    const auto* constant =
        of_.accumulates && is_shared_constant(operand) ? origin(operand) : nullptr;
    if (constant != nullptr && in.opcode == Opcode::mov) {
      float_constant(constant->operands[1], k, type_of(in));
    }
    if (operand.kind != Operand::Kind::kImmediate) continue;
    if (operand.number != Operand::Number::kInteger) {
      float_constant(operand, k, type_of(in));
      continue;
    }
    const auto value = static_cast<std::int64_t>(operand.bits);
    of_.stride = is_stride(in, k);
    of_.accumulates |= in.opcode == Opcode::mov && is_filler(in.operands[0]);
    std::vector<std::int64_t> all = {value + 1, value - 1, 0,  1,  value * 2,
                                     value / 2, -value,    31, 32, -1};
    std::vector<std::int64_t> used = {value};
    if (in.opcode == Opcode::setp && of_.loop_condition && value >= kLeastBound) {
      for (const auto other : {value * 2, value / 2}) {
        add(EditKind::kBound, Rank::kNumber, fmt::format("a loop to {}, not {}", other, value),
            [k, other](Function& function, std::uint32_t at) {
              function.instructions[at].operands[k].bits = static_cast<std::uint64_t>(other);
            });
      }
    }
    if (of_.stride) {
      for (const auto other : strides_) {
        if (other == value) continue;
        used.push_back(other);
        add(EditKind::kConstant, Rank::kLength,
            fmt::format("{} becomes {}, another length", value, other),
            [k, other](Function& function, std::uint32_t at) {
              function.instructions[at].operands[k].bits = static_cast<std::uint64_t>(other);
            });
      }
    }
    // Short rows, such as those of weights.
    constexpr std::int64_t kMostWeights = 9;
    const bool is_short = of_.address && in.opcode == Opcode::mul && value <= kMostWeights;
    for (std::int64_t other = 2; is_short && other <= kMostWeights; ++other) all.push_back(other);
    for (const auto other : all) {
      if (std::ranges::find(used, other) != used.end()) continue;
      used.push_back(other);
      // A loop over an array that a function gets does not begin in front of it.
      const auto f = now_->front().function;
      if (other < 0 && value == 0 && of_.address && !module_.functions[f].is_entry) continue;
      const bool is_near = other == value + 1 || other == value - 1;
      add(is_near ? EditKind::kOffset : EditKind::kConstant,
          is_near ? Rank::kNeighbour : Rank::kNumber, fmt::format("{} becomes {}", value, other),
          [k, by = other - value, other, is_near](Function& function, std::uint32_t at) {
            auto& one = function.instructions[at].operands[k];
            one.bits = is_near ? one.bits + static_cast<std::uint64_t>(by)
                               : static_cast<std::uint64_t>(other);
          });
    }
    of_.stride = false;
  }
}

void Finder::float_constant(const Operand& operand, std::size_t k, Type type) {
  if (!is_float(type)) return;
  const auto value = value_of(operand);
  const double infinity = std::numeric_limits<double>::infinity();
  const double largest = std::numeric_limits<float>::max();
  // A maximum begins with the least number: differences of infinities are NaN.
  std::vector<double> used = {value};
  if (!of_.accumulates) used.insert(used.end(), {largest, -largest});
  for (const double other : {0.0, 1.0, -value, infinity, -infinity, -largest, largest, value * 2,
                             value / 2, value * 4, value / 4, value + 1, 1 / value}) {
    if (std::ranges::find(used, other) != used.end()) continue;
    used.push_back(other);
    add(EditKind::kConstant, Rank::kNumber, fmt::format("{} becomes {}", value, other),
        [k, other, type](Function& function, std::uint32_t at) {
          function.instructions[at].operands[k] = floating(other, type);
        });
  }
}

void Finder::operators(const Instruction& in) {
  static const std::map<Opcode, std::vector<Opcode>> kOthers = {
      {Opcode::add, {Opcode::sub, Opcode::mul, Opcode::max, Opcode::min}},
      {Opcode::sub, {Opcode::add, Opcode::mul}},
      {Opcode::mul, {Opcode::add, Opcode::sub, Opcode::div}},
      {Opcode::div, {Opcode::mul, Opcode::rem}},
      {Opcode::rem, {Opcode::div}},
      {Opcode::max, {Opcode::min, Opcode::add}},
      {Opcode::min, {Opcode::max, Opcode::add}},
      {Opcode::and_, {Opcode::or_, Opcode::xor_}},
      {Opcode::or_, {Opcode::and_, Opcode::xor_}},
      {Opcode::xor_, {Opcode::and_, Opcode::or_}},
      {Opcode::shl, {Opcode::shr}},
      {Opcode::shr, {Opcode::shl}},
  };
  const auto found = kOthers.find(in.opcode);
  if (found == kOthers.end() || in.operands.size() != 3 || is_scaling(in)) return;
  if (in.modifiers.has(Modifier::wide)) return;
  const auto type = type_of(in);
  if (in.opcode == Opcode::and_ && type != Type::kPred) remainder(in);
  if (in.opcode == Opcode::and_ && in.operands[2].kind == Operand::Kind::kImmediate) {
    for (const std::uint64_t mask : {3, 7, 15, 31, 63, 127, 255}) {
      if (mask == in.operands[2].bits) continue;
      add(EditKind::kBits, Rank::kNumber, fmt::format("bits of {}", mask),
          [mask](Function& to, std::uint32_t at) { to.instructions[at].operands[2].bits = mask; });
    }
  }
  for (const auto other : found->second) {
    const bool is_logic = type == Type::kPred || (other >= Opcode::and_ && other <= Opcode::xor_);
    if (is_logic != (in.opcode >= Opcode::and_ && in.opcode <= Opcode::xor_)) continue;
    add(EditKind::kOperator, Rank::kOperator,
        fmt::format("operator {}", ptx::row_of(other).mnemonic),
        [other, type](Function& function, std::uint32_t at) {
          auto& one = function.instructions[at];
          one.opcode = other;
          one.modifiers = {};
          if (other == Opcode::mul && is_integer(type)) one.modifiers.add(Modifier::lo);
          if (other == Opcode::div && is_float(type)) one.modifiers.add(Modifier::rn);
          if (other == Opcode::shr) one.types[0] = Type::kU32;
        });
  }
  const bool commutes = in.opcode != Opcode::sub && in.opcode != Opcode::div &&
                        in.opcode != Opcode::rem && in.opcode != Opcode::shl &&
                        in.opcode != Opcode::shr;
  if (!commutes) {
    add(EditKind::kOperator, Rank::kOperator, "operands exchanged",
        [](Function& function, std::uint32_t at) {
          auto& one = function.instructions[at];
          std::swap(one.operands[1], one.operands[2]);
        });
  }
  if (type == Type::kPred) return;
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    add(EditKind::kOperator, Rank::kOperator, fmt::format("only operand {}", k),
        [k](Function& function, std::uint32_t at) {
          auto& one = function.instructions[at];
          const auto source = one.operands[k];
          become_move(one, source);
        });
  }
}

// a & (n - 1), which is the remainder only if n is a power of two.
void Finder::remainder(const Instruction& in) {
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    const auto* mask = only_writer(now_->front().function, in.operands[k]);
    if (mask == nullptr || mask->operands.size() != 3) continue;
    const auto& by = mask->operands[2];
    const auto amount = static_cast<std::int64_t>(by.bits);
    const bool is_it = by.kind == Operand::Kind::kImmediate &&
                       mask->operands[1].kind == Operand::Kind::kRegister &&
                       ((mask->opcode == Opcode::add && static_cast<std::int32_t>(amount) == -1) ||
                        (mask->opcode == Opcode::sub && amount == 1));
    if (!is_it) continue;
    const auto type = ptx::size_of(type_of(in)) == 8 ? Type::kU64 : Type::kU32;
    add(EditKind::kBits, Rank::kLimit, "remainder",
        [k, n = mask->operands[1], type](Function& function, std::uint32_t at) {
          auto& one = function.instructions[at];
          if (k == 1) std::swap(one.operands[1], one.operands[2]);
          one.opcode = Opcode::rem;
          one.modifiers = {};
          one.types[0] = type;
          one.operands[2] = n;
        });
  }
}

// `=` becomes `+=`: for an element, or for a variable that a loop changes.
void Finder::additions(const Instruction& in) {
  const auto type = type_of(in);
  if (in.opcode == Opcode::st && in.vector == 1 && in.operands.size() == 2 &&
      in.operands[0].kind == Operand::Kind::kAddress && !in.operands[0].elements.empty() &&
      in.operands[0].elements[0].kind == Operand::Kind::kRegister && ptx::size_of(type) >= 4) {
    add(EditKind::kOperator, Rank::kNeighbour, "adds to the element",
        [type](Function& to, std::uint32_t at) {
          const auto one = to.instructions[at];
          const auto old = add_register(to, type);
          const auto sum = add_register(to, type);
          auto load = one;
          load.opcode = Opcode::ld;
          load.operands = {register_operand(old), one.operands[0]};
          to.instructions[at].operands[1] = register_operand(sum);
          insert(to, at,
                 binary(Opcode::add, arithmetic(type), register_operand(sum), register_operand(old),
                        one.operands[1], one),
                 true);
          insert(to, at, load, true);
        });
  }
  if (in.opcode == Opcode::ld) add_arguments();
  if (in.opcode == Opcode::mov) add_to_variable(in);
}

// The value that a pass of a loop gives a variable. The edit has the line of the value.
void Finder::add_to_variable(const Instruction& in) {
  const auto place = now_->front();
  const auto& function = module_.functions[place.function];
  const auto type = type_of(in);
  const auto* value = origin(in.operands[1]);
  if (value == nullptr || ptx::size_of(type) < 4 || !is_own(function, *value)) return;
  if (only_writer(place.function, in.operands[0]) != nullptr) return;
  const bool is_of_loop = std::ranges::any_of(uses_.loops(place.function), [&](const auto& loop) {
    return loop.begin <= place.instruction && place.instruction < loop.end;
  });
  if (!is_of_loop || value->opcode == Opcode::add) return;
  const auto real = function.registers[in.operands[0].index].type;
  const auto line = std::exchange(line_, line_of(function, *value));
  add(EditKind::kOperator, Rank::kNeighbour, "adds to the variable",
      [real](Function& to, std::uint32_t at) {
        auto& one = to.instructions[at];
        one = binary(Opcode::add, arithmetic(real), one.operands[0], one.operands[0],
                     one.operands[1], one);
      });
  line_ = line;
}

// The result of a call, such as a shuffle, plus one of its arguments.
void Finder::add_arguments() {
  const auto place = now_->front();
  const auto& function = module_.functions[place.function];
  const auto& in = function.instructions[place.instruction];
  const auto type = type_of(in);
  if (place.instruction == 0 || in.vector != 1 || ptx::size_of(type) < 4) return;
  if (ptx::facts(function.instructions[place.instruction - 1]).flow != ptx::Flow::kCall) return;
  for (std::uint32_t i = place.instruction - 1; i-- > 0;) {
    const auto& argument = function.instructions[i];
    if (!is_argument(argument)) break;
    if (argument.operands[1].kind != Operand::Kind::kRegister) continue;
    const auto number = argument.operands[1].index;
    if (function.registers[number].type != function.registers[in.operands[0].index].type) continue;
    add(EditKind::kOperator, Rank::kNeighbour, "adds to the argument",
        [number, type](Function& to, std::uint32_t at) {
          const auto one = to.instructions[at];
          insert(to, at + 1,
                 binary(Opcode::add, arithmetic(type), one.operands[0], one.operands[0],
                        register_operand(number), one),
                 false);
        });
  }
}

// One more or less: the result, or the address of an access by one element.
void Finder::offsets(const Instruction& in) {
  const auto& facts = ptx::facts(in);
  if (facts.address) {
    const auto& address = in.operands[*facts.address];
    const auto size = static_cast<std::int64_t>(ptx::size_of(type_of(in))) * in.vector;
    if (address.kind != Operand::Kind::kAddress || address.elements.empty() ||
        address.elements[0].kind != Operand::Kind::kRegister || size == 0 ||
        uses_.is_local(now_->front().function, address) ||
        // A function can get the address of an array of the thread.
        !module_.functions[now_->front().function].is_entry) {
      return;
    }
    const auto kept = of_;
    of_.address = true;
    for (const auto by : {size, -size}) {
      add(EditKind::kOffset, Rank::kLength, fmt::format("address {:+}", by),
          [k = *facts.address, by](Function& function, std::uint32_t at) {
            function.instructions[at].operands[k].offset += by;
          });
    }
    of_.stride = true;
    const auto offset = address.offset / size;
    constexpr std::int64_t kLeastLength = 4;
    for (const auto other : strides_) {
      if (offset < kLeastLength || offset == other || address.offset % size != 0) continue;
      add(EditKind::kConstant, Rank::kLength,
          fmt::format("{} becomes {}, another length", offset, other),
          [k = *facts.address, by = (other - offset) * size](Function& function, std::uint32_t at) {
            function.instructions[at].operands[k].offset += by;
          });
    }
    of_.stride = false;
    if (in.opcode == Opcode::ld) {
      add(EditKind::kOffset, Rank::kNeighbour, "the element before, or 0",
          [k = *facts.address, size](Function& function, std::uint32_t at) {
            function.instructions[at].operands[k].offset -= size;
          });
      out_.back().ignores_bad_addresses = true;
    }
    of_ = kept;
    return;
  }
  const bool is_number = in.opcode == Opcode::add || in.opcode == Opcode::sub ||
                         in.opcode == Opcode::mul || in.opcode == Opcode::mad ||
                         in.opcode == Opcode::div || in.opcode == Opcode::rem;
  const auto type = type_of(in);
  if (!is_number || !is_integer(type) || in.modifiers.has(Modifier::wide)) return;
  if (is_scaling(in) || !(of_.address || of_.condition || of_.loop_condition)) return;
  if (ptx::size_of(type) == 8 && of_.address && !of_.condition) return;  // A sum of bytes.
  for (const int by : {1, -1}) {
    add(EditKind::kOffset, Rank::kResult, fmt::format("result {:+}", by),
        [by](Function& function, std::uint32_t at) {
          const auto one = function.instructions[at];
          insert(
              function, at + 1,
              binary(Opcode::add, one.types[0], one.operands[0], one.operands[0], integer(by), one),
              false);
        });
  }
}

// Adds the divisor minus one before the division, or the same for a shift.
void Finder::rounding(const Instruction& in) {
  const auto type = type_of(in);
  const bool is_division = in.opcode == Opcode::div && is_integer(type);
  const bool is_shift = in.opcode == Opcode::shr && is_integer(type) &&
                        in.operands[2].kind == Operand::Kind::kImmediate;
  if (!is_division && !is_shift) return;
  if (!(of_.condition || of_.loop_condition)) return;
  add(EditKind::kRounding, Rank::kLimit, "rounds up",
      [is_shift, type](Function& function, std::uint32_t at) {
        const auto one = function.instructions[at];
        const auto sum = add_register(function, ptx::size_of(type) == 8 ? Type::kB64 : Type::kB32);
        const auto& divisor = one.operands[2];
        function.instructions[at].operands[1] = register_operand(sum);
        const bool is_number = divisor.kind == Operand::Kind::kImmediate;
        const auto value = static_cast<std::int64_t>(divisor.bits);
        if (is_number) {
          const auto by = is_shift ? (std::int64_t{1} << (value & 63)) - 1 : value - 1;
          insert(
              function, at,
              binary(Opcode::add, type, register_operand(sum), one.operands[1], integer(by), one),
              true);
          return;
        }
        insert(function, at,
               binary(Opcode::sub, type, register_operand(sum), register_operand(sum), integer(1),
                      one),
               true);
        insert(function, at,
               binary(Opcode::add, type, register_operand(sum), one.operands[1], divisor, one),
               true);
      });
}

void Finder::sign(const Instruction& in) {
  const auto type = type_of(in);
  const bool differs =
      in.opcode == Opcode::div || in.opcode == Opcode::rem || in.opcode == Opcode::shr ||
      in.opcode == Opcode::setp || in.opcode == Opcode::min || in.opcode == Opcode::max ||
      ((in.opcode == Opcode::mul || in.opcode == Opcode::mad) && !in.modifiers.has(Modifier::lo)) ||
      (in.opcode == Opcode::ld && ptx::size_of(type) < 4);
  if (!differs || (!is_signed(type) && !is_unsigned(type))) return;
  const auto step = static_cast<int>(Type::kS8) - static_cast<int>(Type::kU8);
  const auto other = static_cast<Type>(static_cast<int>(type) + (is_signed(type) ? -step : step));
  add(EditKind::kSign, Rank::kNeighbour, "sign", [other](Function& function, std::uint32_t at) {
    function.instructions[at].types[0] = other;
  });
}

}  // namespace program_edits
}  // namespace warpgrade::grader::grade
