// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/fma_contraction.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/sim/decode/register_uses.h"

namespace warpgrade::sim {
namespace {

using ptx::Algebra;
using ptx::facts;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;
using ptx::Type;

bool is_bf16(Type type) { return type == Type::kBf16 || type == Type::kBf16x2; }

bool is_float(Type type) {
  return type == Type::kF32 || type == Type::kF64 || type == Type::kF16 || type == Type::kF16x2 ||
         is_bf16(type);
}

bool rounds(const Instruction& in) {
  const auto& m = in.modifiers;
  return m.has(Modifier::rn) || m.has(Modifier::rz) || m.has(Modifier::rm) || m.has(Modifier::rp);
}

bool is_product(const Instruction& in) {
  return facts(in).algebra == Algebra::kProduct && is_float(in.types[0]) && !rounds(in) &&
         !in.guard && !in.modifiers.has(Modifier::sat) &&
         in.operands[0].kind == Operand::Kind::kRegister;
}

bool of_same_kind(const Instruction& a, const Instruction& b) {
  return a.types[0] == b.types[0] &&
         a.modifiers.has(Modifier::ftz) == b.modifiers.has(Modifier::ftz);
}

// Whether `in` can absorb the product of `mul`.
bool is_sum_for(const Instruction& in, const Instruction& mul) {
  const auto algebra = facts(in).algebra;
  return (algebra == Algebra::kSum || algebra == Algebra::kDifference) && !rounds(in) &&
         of_same_kind(in, mul);
}

bool is_negation_for(const Instruction& in, const Instruction& mul) {
  return facts(in).algebra == Algebra::kNegation && !in.guard && of_same_kind(in, mul) &&
         !is_bf16(mul.types[0]);
}

// Whether ptxas expands it into branches or a call, or branches around it.
bool is_expanded(const Instruction& in) {
  using ptx::Expansion;
  const auto type = in.types[0];
  switch (facts(in).expansion) {
    case Expansion::kInline:
      return false;
    case Expansion::kSkipped:
      return in.guard.has_value();
    case Expansion::kDividing:
      return is_float(type) ? rounds(in) : type != Type::kU32;
    case Expansion::kRounding:
      return rounds(in);
    case Expansion::kDouble:
      return type == Type::kF64;
    case Expansion::kWide:
      return type == Type::kU64 || type == Type::kS64;
    case Expansion::kApart:
      return true;
  }
  return false;
}

// ptxas continues the block after a trap.
bool ends_block(const Instruction& in) {
  const auto flow = facts(in).flow;
  return (flow != ptx::Flow::kNext && flow != ptx::Flow::kTrap) || is_expanded(in);
}

// By instruction: the number of its basic block.
std::vector<std::uint32_t> blocks_of(const ptx::Function& function) {
  const auto& code = function.instructions;
  std::vector<bool> starts(code.size() + 1, false);
  for (const auto& in : code) {
    for (const auto& operand : in.operands) {
      if (operand.kind == Operand::Kind::kLabel) starts[operand.index] = true;
    }
  }
  for (const auto& targets : function.branch_targets) {
    for (const auto label : targets.labels) starts[label] = true;
  }
  std::vector<std::uint32_t> blocks(code.size());
  std::uint32_t block = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (i > 0 && (starts[i] || ends_block(code[i - 1]))) ++block;
    blocks[i] = block;
  }
  return blocks;
}

// Limit on copies of copies; no compiler makes longer chains.
constexpr int kLongestChain = 32;

// Follows one product through its copies to its readers.
class Readers {
 public:
  struct Sum {
    std::uint32_t instruction;
    std::uint8_t operand;
    bool negated;
  };

  Readers(const ptx::Function& function, const RegisterUses& uses,
          const std::vector<std::uint32_t>& blocks)
      : function_(function), uses_(uses), blocks_(blocks) {}

  /// The sums that read the product of instruction `mul`, if it has no other readers and all may
  /// absorb it.
  std::vector<Sum> of(std::uint32_t mul) {
    mul_ = mul;
    only_sums_ = true;
    sums_.clear();
    together_.clear();
    const auto result = code(mul).operands[0].index;
    if (uses_.is_written_once(result)) {
      follow(result, false, 0);
    } else {
      scan(result);
    }
    std::sort(sums_.begin(), sums_.end(),
              [](const Sum& a, const Sum& b) { return a.instruction < b.instruction; });
    const auto twice = std::adjacent_find(
        sums_.begin(), sums_.end(),
        [](const Sum& a, const Sum& b) { return a.instruction == b.instruction; });
    only_sums_ =
        only_sums_ && twice == sums_.end() &&
        std::all_of(sums_.begin(), sums_.end(), [&](const Sum& sum) { return in_reach(sum); });
    return only_sums_ ? sums_ : std::vector<Sum>{};
  }

 private:
  const Instruction& code(std::uint32_t index) const { return function_.instructions[index]; }

  void add_sum(std::uint32_t instruction, std::uint32_t r, bool negated) {
    const bool first = is_register(code(instruction).operands[1], r);
    sums_.push_back({instruction, static_cast<std::uint8_t>(first ? 1 : 2), negated});
  }

  // Register `r` contains the product, and never another value.
  void follow(std::uint32_t r, bool negated, int chain) {
    only_sums_ = only_sums_ && chain < kLongestChain;
    for (const auto reader : uses_.readers(r)) {
      if (!only_sums_) return;
      const auto& in = code(reader);
      const auto copy = uses_.result_written_once(in);
      if (is_sum_for(in, code(mul_))) {
        add_sum(reader, r, negated);
      } else if (copy && is_copy(in)) {
        follow(*copy, negated, chain + 1);
      } else if (copy && is_negation_for(in, code(mul_))) {
        follow(*copy, !negated, chain + 1);
      } else if (takes_apart(in)) {
        for (const auto& half : in.operands[0].elements) follow_half(half, r, negated, chain + 1);
      } else {
        only_sums_ = false;
      }
    }
  }

  // ptxas does not recognise a f32 split into 16-bit halves.
  bool takes_apart(const Instruction& in) const {
    return code(mul_).types[0] != Type::kF32 && is_parting(in);
  }

  // Register `half` contains one half of `whole`; only joining both halves makes it the product
  // again.
  void follow_half(const Operand& half, std::uint32_t whole, bool negated, int chain) {
    if (half.kind == Operand::Kind::kSink) return;
    if (half.kind != Operand::Kind::kRegister || !uses_.is_written_once(half.index) ||
        chain >= kLongestChain) {
      only_sums_ = false;
      return;
    }
    for (const auto reader : uses_.readers(half.index)) {
      const auto& in = code(reader);
      const auto copy = uses_.result_written_once(in);
      if (copy && is_copy(in)) {
        follow_half(in.operands[0], whole, negated, chain + 1);
      } else if (copy && uses_.joins_halves_of(in, whole)) {
        if (std::find(together_.begin(), together_.end(), reader) != together_.end()) continue;
        together_.push_back(reader);
        follow(*copy, negated, chain + 1);
      } else {
        only_sums_ = false;
      }
    }
  }

  // Register `r` has other values, too, so all readers before its next write must be in the block.
  void scan(std::uint32_t r) {
    const auto& all = function_.instructions;
    for (auto i = mul_ + 1; i < all.size() && blocks_[i] == blocks_[mul_]; ++i) {
      const auto reads = reads_of(all[i], r);
      if (reads > 0 && (reads > 1 || !is_sum_for(all[i], code(mul_)))) break;
      if (reads == 1) add_sum(i, r, false);
      if (!all[i].guard && writes(all[i], r)) return;
    }
    only_sums_ = false;
  }

  bool in_reach(const Sum& sum) const {
    const auto& mul = code(mul_);
    const bool near = blocks_[sum.instruction] == blocks_[mul_] && sum.instruction > mul_;
    const auto constants = uses_.is_constant(mul.operands[1]) + uses_.is_constant(mul.operands[2]);
    if (constants == 2) return false;  // the product itself is constant
    return std::all_of(mul.operands.begin() + 1, mul.operands.end(), [&](const Operand& factor) {
      if (factor.kind != Operand::Kind::kRegister || uses_.is_written_once(factor.index)) {
        return near || constants == 1;
      }
      return near && !uses_.is_written_between(factor.index, mul_, sum.instruction);
    });
  }

  const ptx::Function& function_;
  const RegisterUses& uses_;
  const std::vector<std::uint32_t>& blocks_;
  std::uint32_t mul_ = 0;
  bool only_sums_ = true;
  std::vector<Sum> sums_;
  std::vector<std::uint32_t> together_;  // Instructions that joined the halves of the product.
};

bool is_f32_negation(const Instruction& in) {
  return facts(in).algebra == Algebra::kNegation && !in.guard && in.types[0] == Type::kF32 &&
         !in.modifiers.has(Modifier::ftz);
}

// Finds sums that ptxas replaces by a comparison of their two operands.
class Comparisons {
 public:
  Comparisons(const ptx::Function& function, const RegisterUses& uses,
              const std::vector<std::uint32_t>& blocks)
      : function_(function), uses_(uses), blocks_(blocks) {}

  bool replace(std::uint32_t sum) const {
    const auto& in = function_.instructions[sum];
    const auto result = uses_.result_written_once(in);
    return result && in.types[0] == Type::kF32 && !in.modifiers.has(Modifier::ftz) &&
           any_compares(*result, blocks_[sum], 0);
  }

 private:
  // Register `r` contains the sum, possibly negated.
  bool any_compares(std::uint32_t r, std::uint32_t block, int chain) const {
    const auto& readers = uses_.readers(r);
    return chain < kLongestChain &&
           std::any_of(readers.begin(), readers.end(), [&](std::uint32_t reader) {
             const auto& in = function_.instructions[reader];
             if (compares_with_zero(in, r)) return blocks_[reader] == block;
             const auto copy = uses_.result_written_once(in);
             return copy && (is_copy(in) || is_f32_negation(in)) &&
                    any_compares(*copy, block, chain + 1);
           });
  }

  // The comparisons of a + b with 0 that equal a comparison of a with -b, also with a and b
  // exchanged.
  bool compares_with_zero(const Instruction& in, std::uint32_t r) const {
    const auto compared_type = facts(in).compared_type;
    if (!compared_type) return false;
    const auto has = [&](Modifier modifier) { return in.modifiers.has(modifier); };
    const bool is_one_of_them = has(Modifier::lt) || has(Modifier::gt) || has(Modifier::ne) ||
                                has(Modifier::leu) || has(Modifier::geu) || has(Modifier::equ);
    const bool joins = has(Modifier::and_) || has(Modifier::or_) || has(Modifier::xor_);
    if (in.types[*compared_type] != Type::kF32 || !is_one_of_them || joins) return false;
    const std::size_t first = in.has_second_result ? 2 : 1;
    const auto& a = in.operands[first];
    const auto& b = in.operands[first + 1];
    return (is_register(a, r) && is_zero(b)) || (is_register(b, r) && is_zero(a));
  }

  bool is_zero(const Operand& operand) const {
    const auto* value = uses_.constant(operand);
    return value != nullptr && (value->bits & 0x7fffffff) == 0;
  }

  const ptx::Function& function_;
  const RegisterUses& uses_;
  const std::vector<std::uint32_t>& blocks_;
};

struct Product {
  std::uint32_t mul = 0;
  std::vector<Readers::Sum> sums;  // All its readers.
};

// Gives each sum the product that ptxas would choose. Visits the sums in order: first for products
// with a single reader; then it forms comparisons; then for products whose readers are all plain
// sums, or sums that have absorbed it.
class Choice {
 public:
  Choice(const std::vector<Product>& products, std::vector<Taken>& taken) : taken_(taken) {
    for (const auto& product : products) {
      for (const auto& sum : product.sums) sums_[sum.instruction][sum.operand] = &product;
    }
  }

  void make(const Comparisons& comparisons) {
    take([](const Product& product) { return product.sums.size() == 1; });
    std::set<std::uint32_t> compared;
    for (const auto& [sum, products] : sums_) {
      if (taken_[sum].mul == Taken::kApart && comparisons.replace(sum)) compared.insert(sum);
    }
    take([&](const Product& product) {
      return std::all_of(product.sums.begin(), product.sums.end(), [&](const Readers::Sum& sum) {
        const auto mul = taken_[sum.instruction].mul;
        return mul == product.mul || (mul == Taken::kApart && !compared.contains(sum.instruction));
      });
    });
  }

 private:
  // Each sum without a product absorbs its first product for which may(product) is true.
  template <typename May>
  void take(const May& may) {
    for (const auto& [sum, products] : sums_) {
      for (const auto& [operand, product] : products) {
        if (taken_[sum].mul != Taken::kApart || !may(*product)) continue;
        const auto own = std::find_if(
            product->sums.begin(), product->sums.end(),
            [wanted = sum](const Readers::Sum& reader) { return reader.instruction == wanted; });
        taken_[sum] = {product->mul, operand, own->negated};
      }
    }
  }

  std::map<std::uint32_t, std::map<std::uint8_t, const Product*>> sums_;  // By sum, then operand.
  std::vector<Taken>& taken_;
};

}  // namespace

FmaContraction::FmaContraction(const ptx::Function& function)
    : taken_(function.instructions.size()) {
  const auto& code = function.instructions;
  if (std::none_of(code.begin(), code.end(), is_product)) return;
  const RegisterUses uses(function);
  const auto blocks = blocks_of(function);
  Readers readers(function, uses, blocks);
  std::vector<Product> products;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (is_product(code[i])) products.push_back({i, readers.of(i)});
  }
  Choice(products, taken_).make(Comparisons(function, uses, blocks));
}

}  // namespace warpgrade::sim
