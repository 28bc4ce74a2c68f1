// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "grader/grade/explain/edits/finder.h"

namespace warpgrade::grader::grade {
namespace program_edits {
namespace {

// The nearest instruction before `at` that writes the register; nullptr without one.
const Instruction* writer_before(const Function& function, std::uint32_t at,
                                 const Operand& operand) {
  if (operand.kind != Operand::Kind::kRegister) return nullptr;
  while (at-- > 0) {
    const auto& in = function.instructions[at];
    bool is_it = false;
    ptx::for_each_written(in, [&](std::uint32_t number) { is_it |= number == operand.index; });
    if (is_it) return &in;
  }
  return nullptr;
}

// x * length, or that in a sum with another term.
struct Term {
  Operand x, length;
  std::optional<Operand> other;
};

std::vector<Term> terms_of(const Function& function, std::uint32_t at, const Operand& operand) {
  const auto is_product = [](const Instruction* in) {
    return in != nullptr && in->opcode == Opcode::mul && in->operands.size() == 3 &&
           in->operands[1].kind == Operand::Kind::kRegister && !in->modifiers.has(Modifier::wide) &&
           !in->modifiers.has(Modifier::hi);
  };
  const auto* writer = writer_before(function, at, operand);
  if (is_product(writer)) return {{writer->operands[1], writer->operands[2], {}}};
  std::vector<Term> out;
  if (writer == nullptr || writer->opcode != Opcode::add) return out;
  for (const std::size_t k : {std::size_t{2}, std::size_t{1}}) {
    const auto* product = writer_before(function, at, writer->operands[k]);
    if (!is_product(product)) continue;
    out.push_back({product->operands[1], product->operands[2], writer->operands[3 - k]});
  }
  return out;
}

// The term + y, whose operand `k` is term number `which`, becomes x + y * length.
auto rows_of(std::size_t k, std::size_t which, const Operand& length) {
  return [k, which, length](Function& to, std::uint32_t at) {
    const auto one = to.instructions[at];
    const auto terms = terms_of(to, at, one.operands[k]);
    if (which >= terms.size() || !has_register(to, length, Type::kB32)) return;
    const auto& term = terms[which];
    const auto type = one.types[0];
    const auto row = register_operand(add_register(to, Type::kB32));
    const auto sum = term.other ? register_operand(add_register(to, Type::kB32)) : term.x;
    to.instructions[at].operands[k] = sum;
    to.instructions[at].operands[3 - k] = row;
    auto mul = binary(Opcode::mul, type, row, one.operands[3 - k], length, one);
    mul.modifiers.add(Modifier::lo);
    insert(to, at, mul, true);
    if (term.other) insert(to, at, binary(Opcode::add, type, sum, *term.other, term.x, one), true);
  };
}

// Operand `k` is multiplied by `factor`.
auto times(std::size_t k, const Operand& factor, Type type) {
  return [k, factor, type](Function& to, std::uint32_t at) {
    if (!has_register(to, factor, type)) return;
    const auto one = to.instructions[at];
    const auto product = register_operand(add_register(to, type));
    to.instructions[at].operands[k] = product;
    auto mul = binary(Opcode::mul, is_float(type) ? type : Type::kU32, product, one.operands[k],
                      factor, one);
    mul.modifiers.add(is_float(type) ? Modifier::rn : Modifier::lo);
    insert(to, at, mul, true);
  };
}

}  // namespace

// x * C + y becomes y * n + x, or y * C + x: elements of one thread are beside each other, and
// should be a row apart.
void Finder::layout(const Instruction& in) {
  const auto place = now_->front();
  const auto f = place.function;
  if (in.opcode != Opcode::add || !is_int32(type_of(in)) || !of_.address) return;
  const auto& registers = module_.functions[f].registers;
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    const auto terms = terms_of(module_.functions[f], place.instruction, in.operands[k]);
    for (std::size_t which = 0; which < terms.size(); ++which) {
      const auto& term = terms[which];
      const bool is_number = term.length.kind == Operand::Kind::kImmediate;
      const bool is_register = in.operands[3 - k].kind == Operand::Kind::kRegister;
      if (!uses_.is_size(f, term.length) || !is_register) continue;
      const auto old =
          is_number ? fmt::format("{}", term.length.bits) : registers[term.length.index].name;
      const auto to_rows = [&](EditKind kind, const Operand& length, const std::string& name,
                               Rank rank = Rank::kNumber) {
        add(kind, rank,
            fmt::format("operand {}, term {}: rows of {} for {}", 3 - k, which, name, old),
            rows_of(k, which, length));
      };
      for (const auto size : parameters_of(f, is_int32)) {
        to_rows(EditKind::kExchange, register_operand(size), registers[size].name);
      }
      if (is_number) {
        to_rows(EditKind::kExchange, term.length, old);
        to_rows(EditKind::kExchange, special_operand(SR::nctaid_x), "the number of blocks",
                Rank::kTogether);
      }
      for (const auto length : strides_) {
        if (is_number && length == static_cast<std::int64_t>(term.length.bits)) continue;
        to_rows(EditKind::kLayout, integer(length), fmt::format("{}", length));
      }
    }
  }
}

// A size that the kernel gets for a fixed number that an index is multiplied by.
void Finder::lengths(const Instruction& in) {
  constexpr std::uint64_t kLeastLength = 4;
  const auto f = now_->front().function;
  const auto type = type_of(in);
  if (in.opcode != Opcode::mul || !is_integer(type) || !of_.address) return;
  if (in.modifiers.has(Modifier::wide) || in.modifiers.has(Modifier::hi)) return;
  const auto& number = in.operands[2];
  if (number.kind != Operand::Kind::kImmediate || number.bits < kLeastLength) return;
  of_.stride = true;
  for (const auto n : parameters_of(f, is_int32)) {
    add(EditKind::kVariable, Rank::kNumber,
        fmt::format("{} for a number", module_.functions[f].registers[n].name),
        [n, type](Function& to, std::uint32_t at) {
          if (!has_register(to, register_operand(n), Type::kB32)) return;
          auto& length = to.instructions[at].operands[2];
          length = register_operand(n);
          if (ptx::size_of(type) != 8) return;
          length = register_operand(add_register(to, Type::kB64));
          auto wide =
              binary(Opcode::cvt, Type::kU64, length, register_operand(n), {}, to.instructions[at]);
          wide.operands.pop_back();
          wide.types[1] = Type::kU32;
          wide.type_count = 2;
          insert(to, at, wide, true);
        });
  }
  of_.stride = false;
}

// A term of a sum, or an argument of a function, that has no factor: a parameter of the kernel, or
// another value.
void Finder::factors(const Instruction& in) {
  const auto place = now_->front();
  const auto type = type_of(in);
  const bool is_sum = in.opcode == Opcode::add || in.opcode == Opcode::sub;
  if (!is_float(type) || !(is_sum || is_argument(in))) return;
  const auto& registers = module_.functions[place.function].registers;
  for (const auto& one : variables_of(place.function)) {
    if (registers[one.number].type != type) continue;
    if (!one.is_parameter && (!is_sum || one.at >= place.instruction)) continue;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      if (k >= in.operands.size() || in.operands[k].kind != Operand::Kind::kRegister) continue;
      add(EditKind::kOperator, one.is_parameter ? Rank::kNeighbour : Rank::kVariable,
          fmt::format("operand {} times {}", k, registers[one.number].name),
          times(k, register_operand(one.number), type));
    }
  }
}

// A number of bits to shift by, or a term of an index, that has no factor.
void Finder::scales(const Instruction& in) {
  const auto f = now_->front().function;
  if (!is_integer(type_of(in))) return;
  if (in.opcode == Opcode::shr || in.opcode == Opcode::shl) {
    if (in.operands[2].kind != Operand::Kind::kRegister) return;
    for (const int bits : {2, 4, 8}) {
      add(EditKind::kBits, Rank::kNumber, fmt::format("shifts by {} times as much", bits),
          times(2, integer(bits), Type::kB32));
    }
    return;
  }
  const bool is_index = in.opcode == Opcode::cvt && ptx::size_of(type_of(in)) == 8;
  if (!(is_index || (in.opcode == Opcode::add && is_int32(type_of(in)))) || !of_.address) return;
  for (std::size_t k = 1; k < in.operands.size(); ++k) {
    const auto& operand = in.operands[k];
    const auto* writer = only_writer(f, operand);
    const bool is_name =
        writer != nullptr && (writer->opcode == Opcode::mov || is_quotient(operand));
    if (!is_name || is_constant(operand)) continue;
    const auto by = [&](const Operand& factor, const std::string& name) {
      add(EditKind::kOperator, Rank::kOperator, fmt::format("operand {} times {}", k, name),
          times(k, factor, Type::kB32));
    };
    for (const auto size : parameters_of(f, is_int32)) {
      by(register_operand(size), module_.functions[f].registers[size].name);
    }
    for (const auto length : strides_) by(integer(length), fmt::format("{}", length));
    by(special_operand(SR::ntid_x), "the number of threads");
    by(special_operand(SR::nctaid_x), "the number of blocks");
  }
}

// A value or an index that lacks a term, one of the variables before it.
void Finder::terms(const Edit::Site& first, const Instruction& in) {
  constexpr std::size_t kMostVariables = 12;
  const bool is_index = in.opcode == Opcode::cvt && of_.address && in.type_count > 1 &&
                        ptx::size_of(in.types[0]) == 8 && is_int32(in.types[1]);
  const bool is_copy = in.opcode == Opcode::mov && ptx::size_of(type_of(in)) == 4 && of_.data;
  if (!(is_index || is_copy) || in.operands[1].kind != Operand::Kind::kRegister) return;
  if (is_constant(in.operands[1])) return;
  const auto& registers = module_.functions[first.function].registers;
  const auto type = registers[in.operands[1].index].type;
  std::vector<std::uint32_t> known;
  for (const auto& one : variables_of(first.function)) {
    const bool is_it = one.is_shared && !one.is_parameter && one.at < first.instruction &&
                       one.number != in.operands[1].index && registers[one.number].type == type;
    if (is_it) known.push_back(one.number);
  }
  if (known.size() > kMostVariables) known.erase(known.begin(), known.end() - kMostVariables);
  for (const auto number : known) {
    for (const auto opcode : {Opcode::add, Opcode::sub}) {
      if (is_index && opcode == Opcode::sub) continue;
      add(EditKind::kOperator, Rank::kResult,
          fmt::format("{} {}", ptx::row_of(opcode).mnemonic, registers[number].name),
          [number, opcode, type](Function& to, std::uint32_t at) {
            if (!has_register(to, register_operand(number), type)) return;
            const auto one = to.instructions[at];
            const auto sum = register_operand(add_register(to, type));
            to.instructions[at].operands[1] = sum;
            insert(to, at,
                   binary(opcode, arithmetic(type), sum, one.operands[1], register_operand(number),
                          one),
                   true);
          });
    }
  }
}

// The number of threads or blocks, or half of it, for a number.
void Finder::fixed(const Instruction& in) {
  constexpr std::uint64_t kLeast = 8;
  const auto& facts = ptx::facts(in);
  if (facts.address || facts.flow != ptx::Flow::kNext || !is_int32(type_of(in))) return;
  if (in.operands.empty() || is_scaling(in)) return;
  const auto& number = in.operands.back();
  if (number.kind != Operand::Kind::kImmediate || number.bits < kLeast) return;
  if (!(of_.address || of_.condition || of_.loop_condition)) return;
  const auto k = in.operands.size() - 1;
  for (const auto which : {SR::ntid_x, SR::nctaid_x}) {
    const bool is_condition = in.opcode == Opcode::setp;
    if (is_condition && which == SR::nctaid_x) continue;  // It is right by chance.
    add(is_condition ? EditKind::kBound : EditKind::kFixed, Rank::kNumber,
        fmt::format("special {} for {}", static_cast<int>(which), number.bits),
        [k, which](Function& to, std::uint32_t at) {
          to.instructions[at].operands[k] = special_operand(which);
        });
  }
  if (in.opcode != Opcode::mov) return;
  add(EditKind::kFixed, Rank::kNumber, fmt::format("half of the threads for {}", number.bits),
      [](Function& to, std::uint32_t at) {
        auto& one = to.instructions[at];
        one = binary(Opcode::shr, Type::kU32, one.operands[0], special_operand(SR::ntid_x),
                     integer(1), one);
      });
}

// A step by the threads of one block becomes one by all threads.
void Finder::steps(const Instruction& in) {
  if (in.opcode != Opcode::add || ptx::size_of(type_of(in)) != 4 || !of_.loop_condition) return;
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    const auto* size = only_writer(now_->front().function, in.operands[k]);
    const auto is_of = [&](SR which) {
      return size != nullptr && size->opcode == Opcode::mov &&
             size->operands[1].kind == Operand::Kind::kSpecial &&
             size->operands[1].index == static_cast<std::uint32_t>(which);
    };
    if (!is_of(SR::ntid_x)) continue;
    add(EditKind::kVariable, Rank::kLimit, fmt::format("operand {} by the grid", k),
        times(k, special_operand(SR::nctaid_x), Type::kB32));
  }
}

}  // namespace program_edits
}  // namespace warpgrade::grader::grade
