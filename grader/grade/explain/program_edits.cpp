// SPDX-License-Identifier: Apache-2.0
// It is longer than 800 lines, since each kind of edit has its function here.
#include "grader/grade/explain/program_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "common/ptx/instruction_facts.h"

namespace warpgrade::grader::grade {
namespace program_edits {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;
using SR = ptx::SpecialRegister;

// ---- Changes of a function.

Type type_of(const Instruction& in) { return in.type_count == 0 ? Type::kNone : in.types[0]; }
bool is_signed(Type type) { return type >= Type::kS8 && type <= Type::kS64; }
bool is_unsigned(Type type) { return type >= Type::kU8 && type <= Type::kU64; }
bool is_integer(Type type) { return type >= Type::kB8 && type <= Type::kS64; }
bool is_number(Type type) { return type != Type::kPred && type != Type::kNone; }
bool is_float(Type type) { return type == Type::kF32 || type == Type::kF64; }

Operand register_operand(std::uint32_t number) {
  Operand out;
  out.kind = Operand::Kind::kRegister;
  out.index = number;
  return out;
}

Operand special_operand(SR which) {
  Operand out;
  out.kind = Operand::Kind::kSpecial;
  out.index = static_cast<std::uint32_t>(which);
  return out;
}

Operand integer(std::int64_t value) {
  Operand out;
  out.kind = Operand::Kind::kImmediate;
  out.bits = static_cast<std::uint64_t>(value);
  return out;
}

// A number as an operand of the type.
Operand floating(double value, Type type) {
  Operand out;
  out.kind = Operand::Kind::kImmediate;
  out.number = type == Type::kF32 ? Operand::Number::kFloat32 : Operand::Number::kFloat64;
  out.bits = type == Type::kF32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                                : std::bit_cast<std::uint64_t>(value);
  return out;
}

double value_of(const Operand& operand) {
  return operand.number == Operand::Number::kFloat32
             ? std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))
             : std::bit_cast<double>(operand.bits);
}

std::uint32_t add_register(Function& function, Type type) {
  function.registers.push_back({"%warpgrade", type, 1});
  return static_cast<std::uint32_t>(function.registers.size() - 1);
}

ptx::ModifierSet with(const ptx::ModifierSet& set, Modifier from, Modifier to) {
  static constexpr unsigned kMost = 192;
  ptx::ModifierSet out;
  for (unsigned m = 0; m < kMost; ++m) {
    const auto one = static_cast<Modifier>(m);
    if (set.has(one)) out.add(one == from ? to : one);
  }
  return out;
}

// Inserts the instruction; jumps to `at` reach it if `is_reached`.
void insert(Function& function, std::uint32_t at, Instruction in, bool is_reached) {
  const auto moved = [&](std::uint32_t label) {
    return label > at || (label == at && !is_reached) ? label + 1 : label;
  };
  for (auto& one : function.instructions) {
    for (auto& operand : one.operands) {
      if (operand.kind == Operand::Kind::kLabel) operand.index = moved(operand.index);
    }
  }
  for (auto& table : function.branch_targets) {
    for (auto& label : table.labels) label = moved(label);
  }
  for (auto& refusal : function.unsupported) {
    if (refusal.instruction && *refusal.instruction >= at) ++*refusal.instruction;
  }
  in.guard.reset();
  function.instructions.insert(function.instructions.begin() + at, std::move(in));
}

// d = a op b, at the place of `like`.
Instruction binary(Opcode opcode, Type type, Operand d, Operand a, Operand b,
                   const Instruction& like) {
  Instruction out;
  out.opcode = opcode;
  out.types[0] = type;
  out.type_count = 1;
  out.operands = {std::move(d), std::move(a), std::move(b)};
  out.location = like.location;
  out.ptx_line = like.ptx_line;
  return out;
}

void become_move(Instruction& in, const Operand& source) {
  in.opcode = Opcode::mov;
  in.modifiers = {};
  in.operands = {in.operands[0], source};
}

// ---- The edits of a module.

// The indices of threads and blocks, and their limits.
constexpr SR kPlaces[] = {SR::tid_x,  SR::tid_y,  SR::ctaid_x,  SR::ctaid_y,
                          SR::ntid_x, SR::ntid_y, SR::nctaid_x, SR::nctaid_y};

class Finder {
 public:
  Finder(const ptx::Module& module, std::string_view file, const IsExecuted& is_executed)
      : module_(module), file_(file), is_executed_(is_executed), uses_(module) {
    find_sites();
  }

  std::vector<Edit> run() {
    find_strides();
    for (const auto& [place, sites] : sites_) {
      const auto first = sites.front();
      const auto& function = module_.functions[first.function];
      const auto& in = function.instructions[first.instruction];
      now_ = &sites;
      line_ = std::get<0>(place);
      of_ = uses_.uses_of(first.function, first.instruction);
      comparison(in);
      constants(in);
      operators(in);
      layout(in);
      lengths(in);
      factors(in);
      halves(in);
      steps(in);
      additions(in);
      offsets(in);
      special(in);
      variables(first, in);
      rounding(in);
      sign(in);
      start(first, in);
      start_in_memory(first);
      now_ = &sites;
      guards(first, in);
      branch(first, in);
    }
    exchanges();
    orders();
    functions_of_toolkit();
    float_indices();
    return std::move(out_);
  }

 private:
  using Sites = std::vector<Edit::Site>;
  using Place = std::tuple<std::uint32_t, std::uint32_t, Opcode>;  // Line, number, opcode.

  bool is_own(const Function& function, const Instruction& in) const {
    return in.location != 0 && !in.is_of_toolkit && function.locations[in.location].line != 0 &&
           function.locations[in.location].file == file_;
  }

  // The numbers that other values are multiplied by in addresses.
  void find_strides() {
    for (const auto& [place, sites] : sites_) {
      const auto first = sites.front();
      const auto& in = module_.functions[first.function].instructions[first.instruction];
      if ((in.opcode != Opcode::mul && in.opcode != Opcode::mad) || is_scaling(in)) continue;
      now_ = &sites;
      of_ = uses_.uses_of(first.function, first.instruction);
      for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
        const auto& operand = in.operands[k];
        if (operand.kind != Operand::Kind::kImmediate || !is_stride(in, k)) continue;
        const auto value = static_cast<std::int64_t>(operand.bits);
        if (value > 1) strides_.insert(value);
      }
    }
    constexpr std::size_t kMostStrides = 6;
    if (strides_.size() > kMostStrides) strides_.clear();
    for (const auto length : other_lengths()) {
      if (strides_.size() < kMostStrides) strides_.insert(length);
    }
  }

  // Numbers that divide indices into rows and columns, and lengths that functions get.
  std::set<std::int64_t> other_lengths() {
    std::set<std::int64_t> out;
    for (const auto& [place, sites] : sites_) {
      const auto first = sites.front();
      const auto& in = module_.functions[first.function].instructions[first.instruction];
      now_ = &sites;
      of_ = uses_.uses_of(first.function, first.instruction);
      const bool is_division = (in.opcode == Opcode::div || in.opcode == Opcode::rem) &&
                               is_integer(type_of(in)) && of_.address;
      if (!is_division && !(is_argument(in) && is_stride(in, 1))) continue;
      const auto& operand = in.operands[is_division ? 2 : 1];
      const auto value = static_cast<std::int64_t>(operand.bits);
      if (operand.kind == Operand::Kind::kImmediate && value > 1) out.insert(value);
    }
    return out;
  }

  // Instances of a template have the same instructions in a line.
  void find_sites() {
    for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
      const auto& function = module_.functions[f];
      std::map<std::uint32_t, std::uint32_t> count;
      for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
        const auto& in = function.instructions[i];
        if (!is_own(function, in)) continue;
        const auto line = function.locations[in.location].line;
        sites_[{line, count[line]++, in.opcode}].push_back({f, i});
      }
    }
    std::erase_if(sites_, [&](const auto& one) {
      return std::ranges::none_of(one.second, [&](const Edit::Site& site) {
        return is_executed_(site.function, site.instruction);
      });
    });
    for (auto& [place, sites] : sites_) {
      std::stable_partition(sites.begin(), sites.end(), [&](const Edit::Site& site) {
        return is_executed_(site.function, site.instruction);
      });
    }
  }

  // `rank` orders the edits of all kinds; specific ones are tried first.
  template <typename Change>
  void add(EditKind kind, int rank, std::string text, Change change) {
    out_.push_back({kind, rank, line_, of_, kind == EditKind::kExit, std::move(text), *now_,
                    std::move(change)});
  }

  void comparison(const Instruction& in) {
    static constexpr std::pair<Modifier, Modifier> kPairs[] = {
        {Modifier::lt, Modifier::le}, {Modifier::le, Modifier::lt}, {Modifier::gt, Modifier::ge},
        {Modifier::ge, Modifier::gt}, {Modifier::lt, Modifier::gt}, {Modifier::gt, Modifier::lt}};
    if (in.opcode != Opcode::setp) return;
    of_.quotient = is_quotient(in.operands[1]) || is_quotient(in.operands[2]);
    for (const auto& [from, to] : kPairs) {
      if (!in.modifiers.has(from)) continue;
      of_.shortens = (from == Modifier::le && to == Modifier::lt) ||
                     (from == Modifier::ge && to == Modifier::gt);
      add(EditKind::kComparison, 2, "comparison",
          [from = from, to = to](Function& function, std::uint32_t at) {
            auto& one = function.instructions[at];
            one.modifiers = with(one.modifiers, from, to);
          });
    }
    of_.shortens = false;
    of_.quotient = false;
    limit(in);
    rest(in);
  }

  // `first < n` for `first + 4 <= n`: the last pass or group is a partial one.
  void rest(const Instruction& in) {
    const auto* sum = only_writer(now_->front().function, in.operands[1]);
    const bool is_sum = sum != nullptr && sum->opcode == Opcode::add && sum->operands.size() == 3 &&
                        sum->operands[1].kind == Operand::Kind::kRegister &&
                        sum->operands[2].kind == Operand::Kind::kImmediate &&
                        static_cast<std::int64_t>(sum->operands[2].bits) > 1;
    if (!is_sum || !(of_.condition || of_.loop_condition) || !is_integer(type_of(in))) return;
    add(EditKind::kRounding, 2, "a partial group",
        [first = sum->operands[1]](Function& function, std::uint32_t at) {
          auto& one = function.instructions[at];
          one.operands[1] = first;
          one.modifiers =
              with(with(one.modifiers, Modifier::le, Modifier::lt), Modifier::gt, Modifier::ge);
        });
  }

  // `x < n - 1` for `x < n`; edits of comparisons give `x <= n`.
  void limit(const Instruction& in) {
    const auto type = type_of(in);
    if (!is_integer(type) || in.operands[2].kind != Operand::Kind::kRegister) return;
    const bool is_less = in.modifiers.has(Modifier::lt) || in.modifiers.has(Modifier::ge);
    if (!is_less && !in.modifiers.has(Modifier::gt) && !in.modifiers.has(Modifier::le)) return;
    of_.shortens = in.modifiers.has(Modifier::lt) || in.modifiers.has(Modifier::gt);
    add(EditKind::kComparison, 3, "limit", [is_less, type](Function& function, std::uint32_t at) {
      const auto one = function.instructions[at];
      const auto limit = register_operand(
          add_register(function, ptx::size_of(type) == 8 ? Type::kB64 : Type::kB32));
      function.instructions[at].operands[2] = limit;
      insert(function, at,
             binary(Opcode::add, type, limit, one.operands[2], integer(is_less ? -1 : 1), one),
             true);
    });
    of_.shortens = false;
  }

  // The instruction that alone writes the value, through copies; nullptr if there are several.
  const Instruction* origin(const Operand& operand) {
    constexpr int kMostCopies = 4;
    const auto* writer = only_writer(now_->front().function, operand);
    for (int i = 0; i < kMostCopies && writer != nullptr && writer->opcode == Opcode::mov &&
                    writer->operands[1].kind == Operand::Kind::kRegister;
         ++i) {
      writer = only_writer(now_->front().function, writer->operands[1]);
    }
    return writer;
  }
  bool is_quotient(const Operand& operand) {
    const auto* writer = origin(operand);
    return writer != nullptr && (writer->opcode == Opcode::div || writer->opcode == Opcode::shr);
  }
  bool is_constant(const Operand& operand) {
    const auto* writer = origin(operand);
    return writer != nullptr && writer->opcode == Opcode::mov &&
           writer->operands[1].kind == Operand::Kind::kImmediate;
  }

  static bool is_scaling(const Instruction& in) {
    return (in.opcode == Opcode::shl || in.opcode == Opcode::mul || in.opcode == Opcode::mad) &&
           ptx::size_of(type_of(in)) == 8 && !in.modifiers.has(Modifier::wide);
  }

  // Whether the instruction stores an argument of a call.
  bool is_argument(const Instruction& in) const {
    return is_argument_of(module_.functions[now_->front().function], in);
  }

  // Whether operand `k` is a length in an index: a size that another value is multiplied by.
  bool is_stride(const Instruction& in, std::size_t k) const {
    const auto f = now_->front().function;
    if (is_argument(in)) {
      // An index that a function gets can be small.
      constexpr std::uint64_t kLeastLength = 8;
      return of_.address && of_.row && in.operands[k].kind == Operand::Kind::kImmediate &&
             in.operands[k].bits >= kLeastLength;
    }
    if (!of_.address || !uses_.is_size(f, in.operands[k])) return false;
    const bool is_sum = in.opcode == Opcode::add || in.opcode == Opcode::sub;
    if (of_.row && !is_sum && uses_.is_size(f, in.operands[0])) return true;
    if (in.opcode != Opcode::mul && in.opcode != Opcode::mad) return false;
    // A size times a size is the length of a plane.
    const auto& other = in.operands[k == 1 ? 2 : 1];
    return !uses_.is_size(f, other) || other.kind == Operand::Kind::kRegister;
  }

  void constants(const Instruction& in) {
    constexpr std::int64_t kLeastBound = 4;
    const auto flow = ptx::facts(in).flow;
    const bool is_memory =
        ptx::facts(in).address.has_value() || ptx::facts(in).memory != ptx::MemoryRole::kNoMemory;
    if ((is_memory && !is_argument(in)) || flow != ptx::Flow::kNext || is_scaling(in)) return;
    for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
      const auto& operand = in.operands[k];
      if (operand.kind != Operand::Kind::kImmediate) continue;
      if (operand.number != Operand::Number::kInteger) {
        float_constant(operand, k, type_of(in));
        continue;
      }
      const auto value = static_cast<std::int64_t>(operand.bits);
      of_.stride = is_stride(in, k);
      std::vector<std::int64_t> all = {value + 1, value - 1, 0,  1,  value * 2,
                                       value / 2, -value,    31, 32, -1};
      std::vector<std::int64_t> used = {value};
      if (in.opcode == Opcode::setp && of_.loop_condition && value >= kLeastBound) {
        for (const auto other : {value * 2, value / 2}) {
          add(EditKind::kBound, 6, fmt::format("a loop to {}, not {}", other, value),
              [k, other](Function& function, std::uint32_t at) {
                function.instructions[at].operands[k].bits = static_cast<std::uint64_t>(other);
              });
        }
      }
      if (of_.stride) {
        for (const auto other : strides_) {
          if (other == value) continue;
          used.push_back(other);
          add(EditKind::kConstant, 4, fmt::format("{} becomes {}, another length", value, other),
              [k, other](Function& function, std::uint32_t at) {
                function.instructions[at].operands[k].bits = static_cast<std::uint64_t>(other);
              });
        }
      }
      for (const auto other : all) {
        if (std::ranges::find(used, other) != used.end()) continue;
        used.push_back(other);
        // A loop over an array that a function gets does not begin in front of it.
        const auto f = now_->front().function;
        if (other < 0 && value == 0 && of_.address && !module_.functions[f].is_entry) continue;
        const bool is_near = other == value + 1 || other == value - 1;
        add(is_near ? EditKind::kOffset : EditKind::kConstant, is_near ? 5 : 6,
            fmt::format("{} becomes {}", value, other),
            [k, by = other - value, other, is_near](Function& function, std::uint32_t at) {
              auto& one = function.instructions[at].operands[k];
              one.bits = is_near ? one.bits + static_cast<std::uint64_t>(by)
                                 : static_cast<std::uint64_t>(other);
            });
      }
      of_.stride = false;
    }
  }

  void float_constant(const Operand& operand, std::size_t k, Type type) {
    if (!is_float(type)) return;
    const auto value = value_of(operand);
    const double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> used = {value};
    for (const double other : {0.0, 1.0, -value, infinity, -infinity, value * 2, value / 2,
                               value * 4, value / 4, value + 1, 1 / value}) {
      if (std::ranges::find(used, other) != used.end()) continue;
      used.push_back(other);
      add(EditKind::kConstant, 6, fmt::format("{} becomes {}", value, other),
          [k, other, type](Function& function, std::uint32_t at) {
            function.instructions[at].operands[k] = floating(other, type);
          });
    }
  }

  void operators(const Instruction& in) {
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
    for (const auto other : found->second) {
      const bool is_logic = type == Type::kPred || (other >= Opcode::and_ && other <= Opcode::xor_);
      if (is_logic != (in.opcode >= Opcode::and_ && in.opcode <= Opcode::xor_)) continue;
      add(EditKind::kOperator, 7, fmt::format("operator {}", ptx::row_of(other).mnemonic),
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
      add(EditKind::kOperator, 7, "operands exchanged", [](Function& function, std::uint32_t at) {
        auto& one = function.instructions[at];
        std::swap(one.operands[1], one.operands[2]);
      });
    }
    if (type == Type::kPred) return;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      add(EditKind::kOperator, 7, fmt::format("only operand {}", k),
          [k](Function& function, std::uint32_t at) {
            auto& one = function.instructions[at];
            const auto source = one.operands[k];
            become_move(one, source);
          });
    }
  }

  // The instruction that alone writes the register; nullptr if there are several.
  const Instruction* only_writer(std::uint32_t f, const Operand& operand) {
    if (operand.kind != Operand::Kind::kRegister) return nullptr;
    auto [found, is_new] = writers_.try_emplace(f);
    auto& writers = found->second;
    if (is_new) {
      const auto& function = module_.functions[f];
      writers.resize(function.registers.size());
      std::vector<bool> written(function.registers.size());
      for (const auto& in : function.instructions) {
        ptx::for_each_written(in, [&](std::uint32_t number) {
          writers[number] = written[number] ? nullptr : &in;
          written[number] = true;
        });
      }
    }
    return writers[operand.index];
  }

  // a & (n - 1), which is the remainder only if n is a power of two.
  void remainder(const Instruction& in) {
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      const auto* mask = only_writer(now_->front().function, in.operands[k]);
      if (mask == nullptr || mask->operands.size() != 3) continue;
      const auto& by = mask->operands[2];
      const auto amount = static_cast<std::int64_t>(by.bits);
      const bool is_it =
          by.kind == Operand::Kind::kImmediate &&
          mask->operands[1].kind == Operand::Kind::kRegister &&
          ((mask->opcode == Opcode::add && static_cast<std::int32_t>(amount) == -1) ||
           (mask->opcode == Opcode::sub && amount == 1));
      if (!is_it) continue;
      const auto type = ptx::size_of(type_of(in)) == 8 ? Type::kU64 : Type::kU32;
      add(EditKind::kRemainder, 3, "remainder",
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

  // Operand `k` of a sum becomes `x`, and the other one is multiplied by `length`.
  static auto rows_of(std::size_t k, const Operand& x, const Operand& length) {
    return [k, x, length](Function& to, std::uint32_t at) {
      const auto one = to.instructions[at];
      const auto row = register_operand(add_register(to, Type::kB32));
      to.instructions[at].operands[k] = x;
      to.instructions[at].operands[3 - k] = row;
      auto mul = binary(Opcode::mul, one.types[0], row, one.operands[3 - k], length, one);
      mul.modifiers.add(Modifier::lo);
      insert(to, at, mul, true);
    };
  }

  // x * C + y becomes y * n + x, or y * C + x: elements of one thread are beside each other, and
  // should be a row apart.
  void layout(const Instruction& in) {
    const auto f = now_->front().function;
    const auto type = type_of(in);
    if (in.opcode != Opcode::add || !is_integer(type) || ptx::size_of(type) != 4 || !of_.address) {
      return;
    }
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      const auto* product = only_writer(f, in.operands[k]);
      const auto& other = in.operands[3 - k];
      if (product == nullptr || product->opcode != Opcode::mul || product->operands.size() != 3 ||
          product->operands[1].kind != Operand::Kind::kRegister ||
          !uses_.is_size(f, product->operands[2]) || product->operands[2].kind == other.kind) {
        continue;
      }
      for (const auto& variable : variables_of(f)) {
        if (!variable.is_parameter) continue;
        const auto size = module_.functions[f].registers[variable.number].type;
        if (!is_integer(size) || ptx::size_of(size) != 4) continue;
        add(EditKind::kExchange, 6, "row and column of an index",
            rows_of(k, product->operands[1], register_operand(variable.number)));
      }
      if (product->operands[2].kind == Operand::Kind::kImmediate) {
        add(EditKind::kExchange, 6, "row and column of an index",
            rows_of(k, product->operands[1], product->operands[2]));
      }
    }
  }

  // A size that the kernel gets for a fixed number that an index is multiplied by.
  void lengths(const Instruction& in) {
    constexpr std::uint64_t kLeastLength = 8;
    const auto f = now_->front().function;
    const auto type = type_of(in);
    if (in.opcode != Opcode::mul || !is_integer(type) || !of_.address) return;
    if (in.modifiers.has(Modifier::wide) || in.modifiers.has(Modifier::hi)) return;
    const auto& number = in.operands[2];
    if (number.kind != Operand::Kind::kImmediate || number.bits < kLeastLength) return;
    of_.stride = true;
    for (const auto& variable : variables_of(f)) {
      const auto size = module_.functions[f].registers[variable.number].type;
      if (!variable.is_parameter || !is_integer(size) || ptx::size_of(size) != 4) continue;
      add(EditKind::kVariable, 6, "a size for a number",
          [n = variable.number, type](Function& to, std::uint32_t at) {
            auto length = register_operand(n);
            const auto one = to.instructions[at];
            if (ptx::size_of(type) == 8) {
              length = register_operand(add_register(to, Type::kB64));
              auto wide = binary(Opcode::cvt, Type::kU64, length, register_operand(n), {}, one);
              wide.operands.pop_back();
              wide.types[1] = Type::kU32;
              wide.type_count = 2;
              to.instructions[at].operands[2] = length;
              insert(to, at, wide, true);
              return;
            }
            to.instructions[at].operands[2] = length;
          });
    }
    of_.stride = false;
  }

  // A term of a sum, or an argument of a function, that has no factor: a parameter of the kernel.
  void factors(const Instruction& in) {
    const auto f = now_->front().function;
    const auto type = type_of(in);
    const bool is_sum = in.opcode == Opcode::add || in.opcode == Opcode::sub;
    if (!is_float(type) || !(is_sum || is_argument(in))) return;
    for (const auto& variable : variables_of(f)) {
      const auto& number = module_.functions[f].registers[variable.number];
      if (!variable.is_parameter || ptx::size_of(number.type) != ptx::size_of(type)) continue;
      if (!is_float(number.type)) continue;
      for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
        if (k >= in.operands.size() || in.operands[k].kind != Operand::Kind::kRegister) continue;
        add(EditKind::kOperator, 5, "a factor",
            [k, n = variable.number, type](Function& to, std::uint32_t at) {
              const auto one = to.instructions[at];
              const auto product = register_operand(add_register(to, type));
              to.instructions[at].operands[k] = product;
              auto mul =
                  binary(Opcode::mul, type, product, one.operands[k], register_operand(n), one);
              mul.modifiers.add(Modifier::rn);
              insert(to, at, mul, true);
            });
      }
    }
  }

  // A step by the threads of one block becomes one by all threads.
  void steps(const Instruction& in) {
    if (in.opcode != Opcode::add || ptx::size_of(type_of(in)) != 4 || !of_.loop_condition) return;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      const auto* size = only_writer(now_->front().function, in.operands[k]);
      const auto is_of = [&](SR which) {
        return size != nullptr && size->opcode == Opcode::mov &&
               size->operands[1].kind == Operand::Kind::kSpecial &&
               size->operands[1].index == static_cast<std::uint32_t>(which);
      };
      if (!is_of(SR::ntid_x)) continue;
      add(EditKind::kVariable, 3, "steps by the grid", [k](Function& to, std::uint32_t at) {
        const auto one = to.instructions[at];
        const auto step = register_operand(add_register(to, Type::kB32));
        const auto blocks = register_operand(add_register(to, Type::kB32));
        to.instructions[at].operands[k] = step;
        auto mul = binary(Opcode::mul, Type::kU32, step, one.operands[k], blocks, one);
        mul.modifiers.add(Modifier::lo);
        auto read = binary(Opcode::mov, Type::kU32, blocks, special_operand(SR::nctaid_x), {}, one);
        read.operands.pop_back();
        insert(to, at, mul, true);
        insert(to, at, read, true);
      });
    }
  }

  // A loop that begins at half or twice the value of another variable.
  void halves(const Instruction& in) {
    const auto type = type_of(in);
    if (in.opcode != Opcode::mov || !of_.accumulates || !of_.counts) return;
    if (in.operands[1].kind != Operand::Kind::kRegister || ptx::size_of(type) != 4) return;
    if (is_constant(in.operands[1])) return;  // Other edits change it.
    // The step of the loop writes the variable, too.
    const auto* next = only_writer(now_->front().function, in.operands[1]);
    const bool is_step = next != nullptr && ptx::results(*next) == 1 &&
                         next->operands.size() == 3 &&
                         next->operands[1].kind == Operand::Kind::kRegister &&
                         next->operands[1].index == in.operands[0].index;
    if (is_step) return;
    for (const auto opcode : {Opcode::shr, Opcode::shl}) {
      add(EditKind::kStart, 3, "begins at half or twice the value",
          [opcode](Function& to, std::uint32_t at) {
            auto& one = to.instructions[at];
            one.opcode = opcode;
            one.types[0] = opcode == Opcode::shr ? Type::kU32 : Type::kB32;
            one.operands.push_back(integer(1));
          });
    }
  }

  // `=` becomes `+=`: for an element, or for a variable that a loop changes.
  void additions(const Instruction& in) {
    const auto type = type_of(in);
    if (in.opcode == Opcode::st && in.vector == 1 && in.operands.size() == 2 &&
        in.operands[0].kind == Operand::Kind::kAddress && !in.operands[0].elements.empty() &&
        in.operands[0].elements[0].kind == Operand::Kind::kRegister && ptx::size_of(type) >= 4) {
      add(EditKind::kOperator, 5, "adds to the element", [type](Function& to, std::uint32_t at) {
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
  }

  // The result of a call, such as a shuffle, plus one of its arguments.
  void add_arguments() {
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
      if (function.registers[number].type != function.registers[in.operands[0].index].type)
        continue;
      add(EditKind::kOperator, 5, "adds to the argument",
          [number, type](Function& to, std::uint32_t at) {
            const auto one = to.instructions[at];
            insert(to, at + 1,
                   binary(Opcode::add, arithmetic(type), one.operands[0], one.operands[0],
                          register_operand(number), one),
                   false);
          });
    }
  }

  static Type arithmetic(Type type) {
    if (type == Type::kB32) return Type::kU32;
    if (type == Type::kB64) return Type::kU64;
    return type;
  }

  // One more or less: the result, or the address of an access by one element.
  void offsets(const Instruction& in) {
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
        add(EditKind::kOffset, 4, fmt::format("address {:+}", by),
            [k = *facts.address, by](Function& function, std::uint32_t at) {
              function.instructions[at].operands[k].offset += by;
            });
      }
      of_.stride = true;
      const auto offset = address.offset / size;
      constexpr std::int64_t kLeastLength = 4;
      for (const auto other : strides_) {
        if (offset < kLeastLength || offset == other || address.offset % size != 0) continue;
        add(EditKind::kConstant, 4, fmt::format("{} becomes {}, another length", offset, other),
            [k = *facts.address, by = (other - offset) * size](Function& function,
                                                               std::uint32_t at) {
              function.instructions[at].operands[k].offset += by;
            });
      }
      of_.stride = false;
      if (in.opcode == Opcode::ld) {
        add(EditKind::kOffset, 5, "the element before, or 0",
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
      add(EditKind::kOffset, 9, fmt::format("result {:+}", by),
          [by](Function& function, std::uint32_t at) {
            const auto one = function.instructions[at];
            insert(function, at + 1,
                   binary(Opcode::add, one.types[0], one.operands[0], one.operands[0], integer(by),
                          one),
                   false);
          });
    }
  }

  void special(const Instruction& in) {
    if (in.opcode != Opcode::mov || in.operands[1].kind != Operand::Kind::kSpecial) return;
    const auto which = static_cast<SR>(in.operands[1].index);
    if (std::ranges::find(kPlaces, which) == std::end(kPlaces)) return;
    for (const auto other : kPlaces) {
      if (other == which) continue;
      add(EditKind::kVariable, 7, "special register",
          [other](Function& function, std::uint32_t at) {
            function.instructions[at].operands[1] = special_operand(other);
          });
    }
  }

  // Registers that are written once: parameters, and values of statements before `at`.
  struct Variable {
    std::uint32_t number = 0;
    std::uint32_t at = 0;
    bool is_parameter = false;
  };

  const std::vector<Variable>& variables_of(std::uint32_t f) {
    const auto found = known_.find(f);
    if (found != known_.end()) return found->second;
    auto& out = known_[f];
    const auto& function = module_.functions[f];
    std::vector<std::uint32_t> count(function.registers.size());
    std::vector<std::uint32_t> readers(function.registers.size());
    for (const auto& in : function.instructions) {
      ptx::for_each_written(in, [&](std::uint32_t number) { ++count[number]; });
      ptx::for_each_read(in, [&](std::uint32_t number) { ++readers[number]; });
    }
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      if (ptx::results(in) != 1 || in.operands[0].kind != Operand::Kind::kRegister) continue;
      const auto number = in.operands[0].index;
      if (count[number] != 1) continue;
      const bool is_parameter = in.opcode == Opcode::ld && in.space == ptx::StateSpace::kParam;
      // A value that several instructions use is probably a variable.
      if (is_parameter || readers[number] > 1) out.push_back({number, i, is_parameter});
    }
    return out;
  }

  // Whether the register has the value of a parameter of the function.
  bool is_parameter_value(const Operand& operand) {
    const auto* writer = only_writer(now_->front().function, operand);
    return writer != nullptr && writer->opcode == Opcode::ld &&
           writer->space == ptx::StateSpace::kParam;
  }

  void variables(const Edit::Site& first, const Instruction& in) {
    const auto& facts = ptx::facts(in);
    if ((facts.address && !is_argument(in)) || facts.flow != ptx::Flow::kNext) return;
    const auto& function = module_.functions[first.function];
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
        of_.stride = is_stride(in, k) || is_length;
        add(EditKind::kVariable,
            is_length               ? 4
            : variable.is_parameter ? 7
                                    : 8,
            fmt::format("{} for {}", other.name, function.registers[operand.index].name),
            [k, number = variable.number, type](Function& to, std::uint32_t at) {
              if (number < to.registers.size() && to.registers[number].type == type) {
                to.instructions[at].operands[k] = register_operand(number);
              }
            });
      }
      if (in.opcode == Opcode::mov && of_.accumulates && of_.data && !of_.counts && !of_.address &&
          is_number(type)) {
        add(EditKind::kConstant, 1, "begins with 0", [k, type](Function& to, std::uint32_t at) {
          to.instructions[at].operands[k] = is_float(type) ? floating(0, type) : integer(0);
        });
      }
      if (!is_integer(type) || ptx::size_of(type) != 4) continue;
      if (!(of_.address || of_.condition || of_.loop_condition)) continue;
      for (const auto which : kPlaces) {
        add(EditKind::kVariable, 10, "special register for a variable",
            [k, which](Function& to, std::uint32_t at) {
              to.instructions[at].operands[k] = special_operand(which);
            });
      }
    }
    of_.stride = false;
  }

  // Adds the divisor minus one before the division, or the same for a shift.
  void rounding(const Instruction& in) {
    const auto type = type_of(in);
    const bool is_division = in.opcode == Opcode::div && is_integer(type);
    const bool is_shift = in.opcode == Opcode::shr && is_integer(type) &&
                          in.operands[2].kind == Operand::Kind::kImmediate;
    if (!is_division && !is_shift) return;
    if (!(of_.condition || of_.loop_condition)) return;
    add(EditKind::kRounding, 3, "rounds up",
        [is_shift, type](Function& function, std::uint32_t at) {
          const auto one = function.instructions[at];
          const auto sum =
              add_register(function, ptx::size_of(type) == 8 ? Type::kB64 : Type::kB32);
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

  void sign(const Instruction& in) {
    const auto type = type_of(in);
    const bool differs =
        in.opcode == Opcode::div || in.opcode == Opcode::rem || in.opcode == Opcode::shr ||
        in.opcode == Opcode::setp || in.opcode == Opcode::min || in.opcode == Opcode::max ||
        ((in.opcode == Opcode::mul || in.opcode == Opcode::mad) && !in.modifiers.has(Modifier::lo));
    if (!differs || (!is_signed(type) && !is_unsigned(type))) return;
    const auto step = static_cast<int>(Type::kS8) - static_cast<int>(Type::kU8);
    const auto other = static_cast<Type>(static_cast<int>(type) + (is_signed(type) ? -step : step));
    add(EditKind::kSign, 5, "sign", [other](Function& function, std::uint32_t at) {
      function.instructions[at].types[0] = other;
    });
  }

  // A constant that a variable begins with: before the loop around it, or in each pass of the loop
  // behind it. Copies lead from the constant to the register that the loop changes.
  void start(const Edit::Site& first, const Instruction& in) {
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
    if (is_in_a_loop) {
      add(EditKind::kStart, 1, "begins once", [at, constant](Function& to, std::uint32_t /*at*/) {
        auto moved = to.instructions[at];
        to.instructions[at].operands[1] = to.instructions[at].operands[0];
        moved.operands[1] = constant;
        insert(to, 0, moved, true);
      });
    }
    for (const auto& loop : loops) {
      if (loop.begin <= at) continue;
      add(EditKind::kStart, 1, "begins in each pass",
          [begin = loop.begin, at, constant](Function& to, std::uint32_t /*at*/) {
            auto again = to.instructions[at];
            again.operands[1] = constant;
            insert(to, begin, again, true);
          });
    }
  }

  // The same for constants that a line stores to an array or a structure of the thread.
  void start_in_memory(const Edit::Site& first) {
    const auto f = first.function;
    if (!uses_.begins_local(f, first.instruction)) return;
    const auto& function = module_.functions[f];
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      const bool is_here = is_own(function, in) && function.locations[in.location].line == line_;
      if (is_here && uses_.begins_local(f, i)) all.push_back(i);
    }
    if (all.front() != first.instruction) return;
    of_.accumulates = true;
    const Sites sites = {first};
    now_ = &sites;
    for (const auto& loop : uses_.loops(f)) {
      if (loop.begin <= all.front() && loop.end > all.back()) {
        add(EditKind::kStart, 1, "begins once",
            [all, end = loop.end](Function& to, std::uint32_t /*at*/) {
              if (end < to.instructions.size()) only_in_first_pass(to, all, end);
            });
      } else if (loop.begin > all.back()) {
        add(EditKind::kStart, 1, "begins in each pass",
            [all, begin = loop.begin](Function& to, std::uint32_t /*at*/) {
              if (begin >= to.instructions.size()) return;
              for (const auto i : all) insert(to, begin, Instruction(to.instructions[i]), true);
            });
      }
    }
  }

  // Executes the stores only until control reaches the jump at `end`.
  static void only_in_first_pass(Function& to, const std::vector<std::uint32_t>& stores,
                                 std::uint32_t end) {
    const auto passed = add_register(to, Type::kB32);
    const auto is_first = add_register(to, Type::kPred);
    const auto set = [&](std::int64_t value) {
      auto out = binary(Opcode::mov, Type::kB32, register_operand(passed), integer(value), {},
                        to.instructions[stores.front()]);
      out.operands.pop_back();
      return out;
    };
    insert(to, end, set(1), true);
    auto test = binary(Opcode::setp, Type::kU32, register_operand(is_first),
                       register_operand(passed), integer(0), to.instructions[stores.front()]);
    test.modifiers.add(Modifier::eq);
    for (auto at = stores.rbegin(); at != stores.rend(); ++at) {
      to.instructions[*at].guard = is_first;
      insert(to, *at, test, true);
    }
    insert(to, 0, set(0), true);
  }

  static std::uint32_t line_of(const Function& function, const Instruction& in) {
    return function.locations[in.location].line;
  }

  // A store only if a value of its index is below a size that the kernel gets. Other indices may
  // lead outside of the array.
  void guards(const Edit::Site& first, const Instruction& in) {
    const auto f = first.function;
    if (in.opcode != Opcode::st || in.guard || in.operands[0].kind != Operand::Kind::kAddress ||
        is_argument(in) || in.space == ptx::StateSpace::kShared ||
        uses_.is_local(f, in.operands[0])) {
      return;
    }
    for (const auto index : index_values(first, in.operands[0])) {
      for (const auto& variable : variables_of(f)) {
        const auto type = module_.functions[f].registers[variable.number].type;
        if (!variable.is_parameter || !is_integer(type) || ptx::size_of(type) != 4) continue;
        add(EditKind::kGuard, 3, "guard of a store",
            [index, size = variable.number](Function& to, std::uint32_t at) {
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
  std::vector<std::uint32_t> index_values(const Edit::Site& access, const Operand& address) {
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
      if (is_new && is_integer(type) && ptx::size_of(type) == 4 && !uses_.is_size(f, all[i])) {
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

  // Whether control at `at` ends the function at once.
  static bool leads_to_the_end(const Function& function, std::uint32_t at) {
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

  static bool has_barrier_behind(const Function& function, std::uint32_t at) {
    return std::any_of(
        function.instructions.begin() + at, function.instructions.end(),
        [](const Instruction& in) { return ptx::facts(in).memory == ptx::MemoryRole::kBarrier; });
  }

  void branch(const Edit::Site& first, const Instruction& in) {
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
    add(EditKind::kBranch, 11, "never", never);
    add(EditKind::kBranch, 11, "always", always);
    const auto& function = module_.functions[first.function];
    if (!function.is_entry || !has_barrier_behind(function, first.instruction)) return;
    if (leads_to_the_end(function, in.operands[0].index)) {
      add(EditKind::kExit, 4, "stays", never);
    } else if (leads_to_the_end(function, first.instruction + 1)) {
      add(EditKind::kExit, 4, "stays", always);
    }
  }

  // ---- Several places at once.

  // A variable that can be exchanged, and the operands that name it, by line.
  struct Name {
    bool is_special = false;
    std::uint32_t number = 0;
    auto operator<=>(const Name&) const = default;
  };

  void exchanges() {
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
      const auto& all = variables_of(f);
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          // Other values are exchanged in many ways that are right by chance.
          if (!all[i].is_parameter || !all[j].is_parameter) continue;
          const auto type = module_.functions[f].registers[all[i].number].type;
          if (type != module_.functions[f].registers[all[j].number].type) continue;
          if (!is_integer(type) || ptx::size_of(type) != 4) continue;
          pairs.push_back({{false, all[i].number}, {false, all[j].number}});
        }
      }
      for (const auto& [a, b] : pairs) exchange(f, a, b);
      exchange_in_lines(f);
    }
  }

  static bool names(const Operand& operand, const Name& name) {
    return operand.kind == (name.is_special ? Operand::Kind::kSpecial : Operand::Kind::kRegister) &&
           operand.index == name.number;
  }

  // Exchanges two variables, or two special registers, in the operands of an instruction.
  static auto exchange_of(const Name& a, const Name& b) {
    return [a, b](Function& to, std::uint32_t at) {
      auto& in = to.instructions[at];
      for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
        auto& one = in.operands[k];
        const bool is_a = names(one, a);
        if (is_a || names(one, b)) one.index = is_a ? b.number : a.number;
      }
    };
  }

  void exchange(std::uint32_t f, const Name& a, const Name& b) {
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
      const auto line = function.locations[in.location].line;
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
            a.is_special         ? 4
            : is_whole || i == j ? 5
                                 : 8,
            fmt::format("exchange {} and {} in lines {} to {}", label(function, a),
                        label(function, b), numbers[i], numbers[j]),
            exchange_of(a, b));
      }
    }
  }

  // Registers that moves alone write, and more than once: the variables of loops.
  std::set<std::uint32_t> counters_of(std::uint32_t f) const {
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
  void exchange_in_lines(std::uint32_t f) {
    const auto& function = module_.functions[f];
    std::set<std::uint32_t> known = counters_of(f);
    for (const auto& one : variables_of(f)) known.insert(one.number);
    struct Line {
      std::vector<std::uint32_t> instructions;
      std::vector<std::uint32_t> names;  // In the order of the text.
    };
    std::map<std::uint32_t, Line> lines;
    std::set<std::pair<std::uint32_t, std::uint32_t>> moved;  // Line, register.
    for (const auto& in : function.instructions) {
      if (in.opcode != Opcode::mov || !is_own(function, in)) continue;
      ptx::for_each_written(in, [&](std::uint32_t number) {
        moved.emplace(function.locations[in.location].line, number);
      });
    }
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
      const auto& in = function.instructions[i];
      if (!is_own(function, in) || !is_executed_(f, i)) continue;
      const auto flow = ptx::facts(in).flow;
      if (flow != ptx::Flow::kNext || (ptx::facts(in).address && !is_argument_of(function, in))) {
        continue;
      }
      auto& line = lines[function.locations[in.location].line];
      if (!uses_.uses_of(f, i).address) continue;
      bool is_named = false;
      for (auto k = ptx::results(in); k < in.operands.size(); ++k) {
        const auto& one = in.operands[k];
        if (one.kind != Operand::Kind::kRegister || !known.contains(one.index)) continue;
        if (moved.contains({function.locations[in.location].line, one.index})) continue;
        const auto type = function.registers[one.index].type;
        if (!is_integer(type) || ptx::size_of(type) != 4) continue;
        is_named = true;
        if (std::ranges::find(line.names, one.index) == line.names.end()) {
          line.names.push_back(one.index);
        }
      }
      if (is_named) line.instructions.push_back(i);
    }
    constexpr std::size_t kMostNames = 6;
    for (const auto& [number, line] : lines) {
      if (line.names.size() > kMostNames) continue;
      Sites sites;
      for (const auto i : line.instructions) sites.push_back({f, i});
      now_ = &sites;
      line_ = number;
      of_ = {.address = true};
      for (std::size_t i = 0; i < line.names.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          add(EditKind::kExchange, 4, "exchange two variables of a line",
              exchange_of({false, line.names[j]}, {false, line.names[i]}));
        }
      }
    }
  }

  // Two statements in the other order. The line is that of the second one.
  void orders() {
    for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
      const auto& function = module_.functions[f];
      const auto all = statements_of(f);
      for (std::size_t i = 0; i + 1 < all.size(); ++i) {
        const auto [begin, middle] = all[i];
        const auto end = all[i + 1].end;
        if (middle != all[i + 1].begin || !writes(f, all[i]) || !writes(f, all[i + 1])) continue;
        const Sites sites = {{f, begin}};
        now_ = &sites;
        line_ = function.locations[function.instructions[middle].location].line;
        of_ = {.data = true};
        add(EditKind::kOrder, 6, "statements in the other order",
            [middle = middle - begin, end = end - begin](Function& to, std::uint32_t at) {
              const auto first = to.instructions.begin() + at;
              std::rotate(first, first + middle, first + end);
            });
      }
    }
  }

  // The statements of a function that were executed and have no jumps, as ranges of instructions.
  std::vector<ptx::Range> statements_of(std::uint32_t f) const {
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
      const auto line = is_plain ? function.locations[in.location].line : 0;
      if (line == 0 || line != last || targets.contains(i)) {
        if (line != 0) out.push_back({i, i});
      }
      if (line != 0) out.back().end = i + 1;
      last = line;
    }
    return out;
  }

  // Whether the statement stores to memory.
  bool writes(std::uint32_t f, const ptx::Range& statement) const {
    const auto& function = module_.functions[f];
    const auto begin = function.instructions.begin();
    return std::any_of(begin + statement.begin, begin + statement.end, [&](const Instruction& in) {
      return in.opcode == Opcode::st && !is_parameter(function, in.operands[0]);
    });
  }

  // Functions of the toolkit that are one instruction: another sign or another operator. The line
  // is that of the first call.
  void functions_of_toolkit() {
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
          out_[k].rank = 3;
        }
      }
    }
  }

  // The first executed call of the function in the file; 0 without one.
  std::uint32_t line_of_call(std::uint32_t callee) const {
    for (std::uint32_t f = 0; f < module_.functions.size(); ++f) {
      const auto& function = module_.functions[f];
      for (std::uint32_t i = 0; i < function.instructions.size(); ++i) {
        const auto& in = function.instructions[i];
        const bool is_call = ptx::facts(in).flow == ptx::Flow::kCall && in.operands.size() > 1 &&
                             in.operands[1].kind == Operand::Kind::kFunction &&
                             in.operands[1].index == callee;
        if (is_call && is_own(function, in) && is_executed_(f, i)) {
          return function.locations[in.location].line;
        }
      }
    }
    return 0;
  }

  static bool is_argument_of(const Function& function, const Instruction& in) {
    return in.opcode == Opcode::st && is_parameter(function, in.operands[0]);
  }

  static std::string label(const Function& function, const Name& name) {
    return name.is_special ? fmt::format("special {}", name.number)
                           : function.registers[name.number].name;
  }

  // All float arithmetic in the addresses of a function, in double.
  void float_indices() {
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
      line_ = function.locations[function.instructions[all.front()].location].line;
      of_ = {.address = true};
      add(EditKind::kFloat, 0, "index in double", [all](Function& to, std::uint32_t /*at*/) {
        std::map<std::uint32_t, std::uint32_t> doubles;
        for (const auto i : all) widen(to, to.instructions[i], doubles);
      });
    }
  }

  static bool has_float(const Instruction& in) {
    return std::any_of(in.types.begin(), in.types.begin() + in.type_count,
                       [](Type type) { return type == Type::kF32; });
  }

  static void widen(Function& function, Instruction& in,
                    std::map<std::uint32_t, std::uint32_t>& doubles) {
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

  const ptx::Module& module_;
  std::string_view file_;
  const IsExecuted& is_executed_;
  ValueUses uses_;
  std::map<Place, Sites> sites_;
  std::map<std::uint32_t, std::vector<Variable>> known_;
  std::map<std::uint32_t, std::vector<const Instruction*>> writers_;  // By register.
  std::set<std::int64_t> strides_;
  std::vector<Edit> out_;
  const Sites* now_ = nullptr;
  std::uint32_t line_ = 0;
  Uses of_;
};

}  // namespace
}  // namespace program_edits

ptx::Module edited(const ptx::Module& module, const Edit& edit) {
  auto out = module;
  for (auto site = edit.sites.rbegin(); site != edit.sites.rend(); ++site) {
    auto& function = out.functions[site->function];
    edit.change(function, site->instruction);
    function.analyses = {};
  }
  return out;
}

ptx::Module with_barrier(const ptx::Module& module, const Edit::Site& before) {
  using namespace program_edits;
  auto out = module;
  auto& function = out.functions[before.function];
  Instruction barrier;
  barrier.opcode = Opcode::bar;
  barrier.modifiers.add(Modifier::sync);
  barrier.operands = {integer(0)};
  barrier.location = function.instructions[before.instruction].location;
  barrier.ptx_line = function.instructions[before.instruction].ptx_line;
  insert(function, before.instruction, barrier, true);
  function.analyses = {};
  return out;
}

std::vector<Edit> edits_of(const ptx::Module& module, std::string_view file,
                           const IsExecuted& is_executed) {
  auto out = program_edits::Finder(module, file, is_executed).run();
  std::ranges::stable_sort(out, {}, &Edit::rank);
  return out;
}

}  // namespace warpgrade::grader::grade
