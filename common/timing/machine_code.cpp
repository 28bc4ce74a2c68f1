// SPDX-License-Identifier: Apache-2.0
#include "common/timing/machine_code.h"

#include <algorithm>
#include <bit>

namespace warpgrade::timing {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::StateSpace;
using ptx::Type;

bool is_wide(Type type) { return ptx::size_of(type) == 8; }
bool is_float(Type type) { return type == Type::kF32 || type == Type::kF64; }

bool has_result(const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::st:
    case Opcode::red:
    case Opcode::bra:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::brx:
    case Opcode::call:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::prefetch:
    case Opcode::nanosleep:
    case Opcode::cp:
      return false;
    case Opcode::bar:
    case Opcode::barrier:
      return instruction.modifiers.has(Modifier::red);
    default:
      return true;
  }
}

void collect(const Operand& operand, std::vector<std::uint32_t>& registers) {
  if (operand.kind == Operand::Kind::kRegister) registers.push_back(operand.index);
  for (const Operand& element : operand.elements) collect(element, registers);
}

/// What the instruction reads and writes.
void collect(const Instruction& instruction, std::uint32_t carry, MachineOp& op) {
  const bool result = has_result(instruction);
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    const bool written = result && (i == 0 || (i == 1 && instruction.has_second_result));
    collect(instruction.operands[i], written ? op.writes : op.reads);
  }
  if (instruction.guard) op.reads.push_back(*instruction.guard);
  if (instruction.modifiers.has(Modifier::cc)) op.writes.push_back(carry);
  if (instruction.opcode == Opcode::addc || instruction.opcode == Opcode::subc ||
      instruction.opcode == Opcode::madc) {
    op.reads.push_back(carry);
  }
}

bool is_logic(Opcode opcode) {
  return opcode == Opcode::and_ || opcode == Opcode::or_ || opcode == Opcode::xor_ ||
         opcode == Opcode::not_;
}

/// Issue slots of a division or remainder: a reciprocal and its correction.
std::uint32_t division_slots(const Instruction& instruction, const device::Profile& profile) {
  const Type type = instruction.types[0];
  if (type == Type::kF32) return instruction.modifiers.has(Modifier::approx) ? 2 : 9;
  if (type == Type::kF64) return 20;
  return profile.division_slots * (is_wide(type) ? 4 : 1);
}

/// Whether a multiplication is a shift.
bool by_power_of_two(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Operand::Kind::kImmediate && std::has_single_bit(operand.bits)) return true;
  }
  return false;
}

std::uint32_t slots_of(const Instruction& instruction, const device::Profile& profile) {
  const Type type = instruction.types[0];
  // 64-bit integers are mostly addresses, which have 32 bits on cc 1.x.
  const std::uint32_t halves = is_wide(type) && type != Type::kF64 ? profile.address_slots : 1;
  switch (instruction.opcode) {
    case Opcode::mov:
      return instruction.operands.at(1).kind == Operand::Kind::kSpecial ? 1 : 0;
    case Opcode::cvta:
      return 0;
    case Opcode::cvt:  // a wider integer is the same register with a sign
      return is_wide(type) && !is_float(type) && !is_float(instruction.types[1]) ? 0 : 1;
    case Opcode::ld:
      return instruction.space == StateSpace::kParam ? 0 : 1;
    case Opcode::mul:
    case Opcode::mad:
      if (is_float(type) || by_power_of_two(instruction)) return 1;
      return profile.multiply_slots * (is_wide(type) ? 3 : 1);
    case Opcode::div:
    case Opcode::rem:
      return division_slots(instruction, profile);
    case Opcode::sqrt:
    case Opcode::rcp:
      return instruction.modifiers.has(Modifier::approx) ? 1 : 8;
    case Opcode::add:
    case Opcode::sub:
    case Opcode::setp:
    case Opcode::selp:
    case Opcode::shl:
    case Opcode::shr:
      return halves;
    default:
      return is_logic(instruction.opcode) ? (type == Type::kPred ? 0 : halves) : 1;
  }
}

/// Operations that become part of the instruction that uses them.
class Merging {
 public:
  Merging(const ptx::Function& function, const device::Profile& profile,
          const std::vector<MachineOp>& ops)
      : function_(function),
        shared_operands_(profile.compute_major == 1),
        definition_(function.registers.size() + 1, kNone),
        uses_(function.registers.size() + 1) {
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      for (const std::uint32_t r : ops[i].writes) {
        definition_[r] = definition_[r] == kNone ? i : kSeveral;
      }
      for (const std::uint32_t r : ops[i].reads) ++uses_[r];
    }
  }

  void apply(std::vector<MachineOp>& ops) const {
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      const Instruction& user = function_.instructions[i];
      for (const std::uint32_t r : ops[i].reads) {
        if (uses_[r] != 1 || definition_[r] >= ops.size()) continue;
        const Instruction& source = function_.instructions[definition_[r]];
        if (user.opcode == Opcode::add && source.opcode == Opcode::mul &&
            source.modifiers.has(Modifier::wide)) {
          ops[i].slots = 0;  // a * b + c
        }
        if (user.opcode == Opcode::add && source.opcode == Opcode::shl) {
          ops[definition_[r]].slots = 0;  // (a << n) + b
        }
        const bool from_shared = source.opcode == Opcode::ld && source.space == StateSpace::kShared;
        if (from_shared && user.opcode != Opcode::ld && ops[i].kind == MachineOp::Kind::kPlain &&
            shared_operands_) {
          ops[definition_[r]].slots = 0;  // read as it is used
        }
        if (is_logic(user.opcode) && is_logic(source.opcode)) ops[definition_[r]].slots = 0;
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kSeveral = kNone - 1;
  const ptx::Function& function_;
  bool shared_operands_;  ///< cc 1.x: arithmetic takes operands from shared memory.
  std::vector<std::uint32_t> definition_;  ///< By register: the instruction that writes it.
  std::vector<std::uint32_t> uses_;
};

bool is_block_barrier(const Instruction& instruction) {
  if (instruction.opcode != Opcode::bar && instruction.opcode != Opcode::barrier) return false;
  const bool waits =
      instruction.modifiers.has(Modifier::sync) || instruction.modifiers.has(Modifier::red);
  if (!waits || instruction.modifiers.has(Modifier::warp)) return false;
  // With a number of threads it is for some of them only.
  return instruction.modifiers.has(Modifier::red) || instruction.operands.size() == 1;
}

MachineOp::Kind kind_of(const Instruction& instruction) {
  const bool in_memory =
      instruction.space != StateSpace::kParam && instruction.space != StateSpace::kConstant;
  switch (instruction.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
      if (!in_memory) return MachineOp::Kind::kPlain;
      return instruction.modifiers.has(Modifier::volatile_) ? MachineOp::Kind::kFence
                                                            : MachineOp::Kind::kLoad;
    case Opcode::st:
      if (!in_memory) return MachineOp::Kind::kPlain;
      return instruction.modifiers.has(Modifier::volatile_) ? MachineOp::Kind::kFence
                                                            : MachineOp::Kind::kStore;
    case Opcode::atom:
    case Opcode::red:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::cp:
    case Opcode::mbarrier:
      return MachineOp::Kind::kFence;
    case Opcode::bar:
    case Opcode::barrier:
      return is_block_barrier(instruction) ? MachineOp::Kind::kBarrier : MachineOp::Kind::kFence;
    default:
      return MachineOp::Kind::kPlain;
  }
}

std::uint16_t latency_of(const Instruction& instruction, const device::Profile& profile) {
  const auto clocks = static_cast<std::uint16_t>(profile.alu_latency_clocks);
  switch (instruction.opcode) {
    case Opcode::shfl:
    case Opcode::redux:
    case Opcode::match:
      return static_cast<std::uint16_t>(profile.shared_latency_seconds * profile.sm_clock_hz);
    case Opcode::div:
    case Opcode::rem:
      return static_cast<std::uint16_t>(profile.division_clocks);
    case Opcode::bra:
      return static_cast<std::uint16_t>(2 * clocks);
    default:
      return clocks;
  }
}

/// Whether the branch at `at` becomes predicates: it leads over at most `most` issue slots without
/// barrier, call or loop. What is behind it can then be scheduled with what is before.
bool is_predicated(const ptx::Function& function, const std::vector<MachineOp>& ops,
                   std::uint32_t most, std::uint32_t at) {
  const std::uint32_t target = function.instructions[at].operands.at(0).index;
  if (target <= at) return false;
  std::uint32_t slots = 0;
  for (std::uint32_t i = at + 1; i < target; ++i) {
    const Instruction& inside = function.instructions[i];
    slots += std::max<std::uint32_t>(ops[i].slots, 1);
    if (slots > most || inside.opcode == Opcode::call || inside.opcode == Opcode::brx ||
        is_block_barrier(inside) ||
        (inside.opcode == Opcode::bra && inside.operands.at(0).index <= i)) {
      return false;
    }
  }
  return true;
}

void mark_stretches(const ptx::Function& function, std::uint32_t most,
                    std::vector<MachineOp>& ops) {
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const Instruction& instruction = function.instructions[i];
    switch (instruction.opcode) {
      case Opcode::bra: {
        const std::uint32_t target = instruction.operands.at(0).index;
        if (target <= i && target < ops.size()) ops[target].begins_stretch = true;
        if (is_predicated(function, ops, most, i)) {
          ops[i].slots = 0;
        } else {
          ops[i].ends_stretch = true;
        }
        break;
      }
      case Opcode::brx:
      case Opcode::call:
      case Opcode::ret:
      case Opcode::exit:
        ops[i].ends_stretch = true;
        break;
      default:
        ops[i].ends_stretch = ops[i].kind == MachineOp::Kind::kBarrier;
    }
  }
}

}  // namespace

std::vector<MachineOp> machine_code(const ptx::Function& function, const device::Profile& profile) {
  std::vector<MachineOp> ops(function.instructions.size());
  const auto carry = static_cast<std::uint32_t>(function.registers.size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const Instruction& instruction = function.instructions[i];
    ops[i].kind = kind_of(instruction);
    ops[i].space = instruction.space;
    ops[i].read_only = instruction.modifiers.has(Modifier::nc);
    ops[i].slots = static_cast<std::uint16_t>(slots_of(instruction, profile));
    ops[i].latency = latency_of(instruction, profile);
    collect(instruction, carry, ops[i]);
  }
  Merging(function, profile, ops).apply(ops);
  mark_stretches(function, profile.predicated_slots, ops);
  return ops;
}

}  // namespace warpgrade::timing
