// SPDX-License-Identifier: Apache-2.0
#include "common/sim/contraction.h"

#include <algorithm>
#include <optional>

#include "common/sim/register_uses.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
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
  return in.opcode == Opcode::mul && is_float(in.types[0]) && !rounds(in) && !in.guard &&
         !in.modifiers.has(Modifier::sat) && in.operands[0].kind == Operand::Kind::kRegister;
}

bool of_same_kind(const Instruction& a, const Instruction& b) {
  return a.types[0] == b.types[0] &&
         a.modifiers.has(Modifier::ftz) == b.modifiers.has(Modifier::ftz);
}

// Whether `in` can take the product of `mul` along.
bool is_sum_for(const Instruction& in, const Instruction& mul) {
  return (in.opcode == Opcode::add || in.opcode == Opcode::sub) && !rounds(in) &&
         of_same_kind(in, mul);
}

bool is_negation_for(const Instruction& in, const Instruction& mul) {
  return in.opcode == Opcode::neg && !in.guard && of_same_kind(in, mul) && !is_bf16(mul.types[0]);
}

// Whether ptxas makes branches or a call of it.
bool is_expanded(const Instruction& in) {
  const auto type = in.types[0];
  switch (in.opcode) {
    case Opcode::div:
    case Opcode::rem:
      return is_float(type) ? rounds(in) : type != Type::kU32;
    case Opcode::rcp:
    case Opcode::sqrt:
      return rounds(in);
    case Opcode::rsqrt:
      return type == Type::kF64;
    case Opcode::bfind:
      return type == Type::kU64 || type == Type::kS64;
    case Opcode::membar:
    case Opcode::fence:
      return true;
    default:
      return false;
  }
}

// Whether ptxas branches round it under a guard; arithmetic has a predicate of its own.
bool is_branched_round(Opcode opcode) {
  switch (opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::prefetch:
    case Opcode::cp:
    case Opcode::mbarrier:
    case Opcode::bar:
    case Opcode::barrier:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::activemask:
    case Opcode::nanosleep:
    case Opcode::trap:
      return true;
    default:
      return false;
  }
}

bool ends_block(const Instruction& in) {
  return in.opcode == Opcode::bra || in.opcode == Opcode::brx || in.opcode == Opcode::ret ||
         in.opcode == Opcode::exit || in.opcode == Opcode::call || is_expanded(in) ||
         (in.guard && is_branched_round(in.opcode));
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

// Copies of copies that are followed; no compiler makes longer chains.
constexpr int kLongestChain = 32;

// Follows one product through its copies to whatever reads it.
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

  /// The sums that read the product of instruction `mul`, if nothing else does and all may take it.
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

  // Register `r` has the product, and no other value ever.
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

  // ptxas loses a f32 in halves of 16 bits.
  bool takes_apart(const Instruction& in) const {
    return code(mul_).types[0] != Type::kF32 && is_parting(in);
  }

  // Register `half` has one half of `whole`: together with the other it must make the whole again.
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

  // Register `r` has other values, too: whatever reads it before the next is written must be in the
  // block.
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
    if (constants == 2) return false;  // It is a constant itself.
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
  std::vector<std::uint32_t> together_;  // Instructions that made the product whole again.
};

}  // namespace

Contraction::Contraction(const ptx::Function& function) : taken_(function.instructions.size()) {
  const auto& code = function.instructions;
  if (std::none_of(code.begin(), code.end(), is_product)) return;
  const RegisterUses uses(function);
  const auto blocks = blocks_of(function);
  Readers readers(function, uses, blocks);
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (!is_product(code[i])) continue;
    for (const auto& sum : readers.of(i)) {
      auto& taken = taken_[sum.instruction];
      if (taken.mul == Taken::kApart || sum.operand < taken.operand) {
        taken = {i, sum.operand, sum.negated};
      }
    }
  }
}

}  // namespace warpgrade::sim
