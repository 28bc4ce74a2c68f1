// SPDX-License-Identifier: Apache-2.0
#include "common/timing/machine_code.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/timing/loops.h"
#include "common/timing/machine_costs.h"

namespace warpgrade::timing {
namespace {

using ptx::Algebra;
using ptx::Flow;
using ptx::Instruction;
using ptx::MemoryRole;
using ptx::Modifier;
using ptx::Operand;
using ptx::StateSpace;
using ptx::Timing;
using ptx::Type;

bool is_wide(Type type) { return ptx::size_of(type) == 8; }
bool is_float(Type type) { return type == Type::kF32 || type == Type::kF64; }

/// Registers that the instruction reads and writes, including the carry flag.
void collect(const Instruction& instruction, std::uint32_t carry, MachineOp& op) {
  ptx::for_each_read(instruction, [&](std::uint32_t r) { op.reads.push_back(r); });
  ptx::for_each_written(instruction, [&](std::uint32_t r) { op.writes.push_back(r); });
  if (instruction.modifiers.has(Modifier::cc)) op.writes.push_back(carry);
  if (ptx::facts(instruction).timing == Timing::kWithCarry) op.reads.push_back(carry);
}

// Issue slots per machine instruction, if machine code gives their number. Measured on an H200
// (tests/evidence/golden/h200_issue, fma_own): 1.11 clocks for instructions that read three
// registers, with all warps of a scheduler busy.
constexpr double kSlotsOfInstruction = 1.11;

/// Issue slots of a division or remainder: a reciprocal with a correction.
std::uint32_t division_slots(const Instruction& instruction, const device::Profile& profile) {
  const Type type = instruction.types[0];
  if (type == Type::kF32) return instruction.modifiers.has(Modifier::approx) ? 2 : 9;
  if (type == Type::kF64) return 20;
  return profile.sm.pipes.division_slots * (is_wide(type) ? 4 : 1);
}

/// Clocks during which a matrix product occupies its scheduler's tensor core.
std::uint32_t tensor_clocks(const Instruction& instruction, const device::Profile& profile) {
  const auto product =
      ptx::matrix_product(instruction, 10 * profile.compute.major + profile.compute.minor);
  if (!product) return 1;
  const bool is_double = product->source_bits == 64;
  const auto products =
      is_double ? profile.tensor.double_products_per_clock : profile.tensor.products_per_clock;
  if (!products) return product->instructions;
  const double rate =
      is_double ? *products : *products * 16 / static_cast<double>(product->source_bits);
  // DMMA needs as long for 8 x 8 results as for 16 x 8.
  const auto multiplications = std::max(product->multiplications, is_double ? 512U : 0U);
  const auto clocks = std::lround(multiplications * profile.sm.schedulers / rate);
  return product->instructions *
         std::max(profile.tensor.least_clocks, static_cast<std::uint32_t>(clocks));
}

/// Whether a multiplication becomes a shift.
bool by_power_of_two(const Instruction& instruction) {
  for (const Operand& operand : instruction.operands) {
    if (operand.kind == Operand::Kind::kImmediate && std::has_single_bit(operand.bits)) return true;
  }
  return false;
}

std::uint32_t slots_of(const Instruction& instruction, const device::Profile& profile) {
  const Type type = instruction.types[0];
  // 64-bit integers are usually addresses, which have 32 bits on cc 1.x.
  const std::uint32_t halves =
      is_wide(type) && type != Type::kF64 ? profile.sm.pipes.address_slots : 1;
  const auto& facts = ptx::facts(instruction);
  if (facts.memory == MemoryRole::kLoad && instruction.space == StateSpace::kParam) return 0;
  switch (facts.timing) {
    case Timing::kOneSlot:
    case Timing::kWithCarry:
    case Timing::kExchange:
    case Timing::kShuffle:
    case Timing::kMatch:
      return 1;
    case Timing::kMatrix:
      // Instructions that other warps of the scheduler issue meanwhile are not modelled.
      return static_cast<std::uint32_t>(
          std::lround(tensor_clocks(instruction, profile) * profile.sm.warp_instructions_per_clock /
                      profile.sm.schedulers));
    case Timing::kInteger:
      return halves;
    case Timing::kLogic:
      return type == Type::kPred ? 0 : halves;
    case Timing::kMove:
      return instruction.operands.at(1).kind == Operand::Kind::kSpecial ? 1 : 0;
    case Timing::kConversion:  // a wider integer is the same register plus a sign
      return is_wide(type) && !is_float(type) && !is_float(instruction.types[1]) ? 0 : 1;
    case Timing::kFree:
      return 0;
    case Timing::kMultiplication:
      if (is_float(type) || by_power_of_two(instruction)) return 1;
      return profile.sm.pipes.multiply_slots * (is_wide(type) ? 3 : 1);
    case Timing::kDivision:
      return division_slots(instruction, profile);
    case Timing::kRoot:
    case Timing::kReciprocal:
      return instruction.modifiers.has(Modifier::approx) ? 1 : 8;
  }
  return 1;
}

/// Instructions on the XU pipe: one per table function, and conversions between integers and floats
/// (a division uses both).
std::uint32_t xu_instructions(const Instruction& instruction) {
  const Type type = instruction.types[0];
  const auto& facts = ptx::facts(instruction);
  if (facts.pipe == ptx::Pipe::kXu || ptx::is_root_or_reciprocal(facts.timing)) return 1;
  if (facts.timing == Timing::kDivision) return is_float(type) ? 1 : 3;
  if (facts.timing != Timing::kConversion) return 0;
  const Type from = instruction.types[1];
  const bool changes_kind = is_float(type) != is_float(from);
  const bool changes_width = is_float(type) && is_float(from) && is_wide(type) != is_wide(from);
  return changes_kind || changes_width ? 1 : 0;
}

PipeClocks pipes_of(const Instruction& instruction, const MachineOp& op,
                    const device::Profile& profile) {
  PipeClocks out{};
  if (op.slots == 0 || op.kind != MachineOp::Kind::kPlain) return out;
  const Type type = instruction.types[0];
  const auto& facts = ptx::facts(instruction);
  const UnitClocks units = unit_clocks(profile);
  out[kXuPipe] = xu_instructions(instruction) * units.xu;
  if (type == Type::kF64) {
    out[kFp64Pipe] = op.slots * units.fp64;
  } else if (facts.pipe == ptx::Pipe::kAlu) {
    out[kAluPipe] = op.slots * units.alu;
  } else if (type == Type::kF32 && facts.pipe == ptx::Pipe::kFma &&
             !ptx::is_root_or_reciprocal(facts.timing) && facts.timing != Timing::kConversion &&
             facts.timing != Timing::kMove) {
    out[kFmaHeavyPipe] = op.slots * units.fp32;
  } else if (facts.timing == Timing::kMultiplication && !is_float(type)) {
    out[kFmaHeavyPipe] = op.slots * units.fma_heavy;
  }
  return out;
}

bool is_logic(const Instruction& instruction) {
  return ptx::facts(instruction).timing == Timing::kLogic;
}

bool is_load(const Instruction& instruction) {
  return ptx::facts(instruction).memory == MemoryRole::kLoad;
}

/// Operations that merge into the instruction that uses them.
class Merging {
 public:
  Merging(const ptx::Function& function, const device::Profile& profile,
          const std::vector<MachineOp>& ops)
      : function_(function),
        shared_operands_(profile.compute.major == 1),
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
        const bool is_sum = ptx::facts(user).algebra == Algebra::kSum;
        const auto summand = ptx::facts(source).algebra;
        if (is_sum && summand == Algebra::kProduct && source.modifiers.has(Modifier::wide)) {
          ops[i].slots = 0;  // a * b + c
        }
        if (is_sum && summand == Algebra::kShift) {
          ops[definition_[r]].slots = 0;  // (a << n) + b
        }
        const bool from_shared = is_load(source) && source.space == StateSpace::kShared;
        if (from_shared && !is_load(user) && ops[i].kind == MachineOp::Kind::kPlain &&
            shared_operands_) {
          ops[definition_[r]].slots = 0;  // read directly by its user
        }
        if (is_logic(user) && is_logic(source)) ops[definition_[r]].slots = 0;
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::uint32_t kSeveral = kNone - 1;
  const ptx::Function& function_;
  bool shared_operands_;  ///< cc 1.x: arithmetic reads operands from shared memory.
  std::vector<std::uint32_t> definition_;  ///< By register: the instruction that defines it.
  std::vector<std::uint32_t> uses_;
};

/// Whether the whole block meets here; a barrier with a number of threads is for some of them.
bool is_block_barrier(const Instruction& instruction) {
  if (ptx::facts(instruction).memory != MemoryRole::kBarrier) return false;
  return instruction.modifiers.has(Modifier::red) || instruction.operands.size() == 1;
}

/// The scope in which the instruction publishes earlier accesses of its thread.
FenceScope fence_of(const Instruction& instruction) {
  const auto& m = instruction.modifiers;
  const bool is_fence = ptx::facts(instruction).memory == MemoryRole::kFence;
  const bool is_object = ptx::facts(instruction).memory == MemoryRole::kBarrierObject;
  const bool publishes = is_fence || m.has(Modifier::release) || m.has(Modifier::acq_rel);
  // Proxies are not modelled.
  if (!publishes || is_object || m.has(Modifier::proxy) || m.has(Modifier::mbarrier_init) ||
      instruction.space == StateSpace::kShared)
    return FenceScope::kNone;
  if (m.has(Modifier::sys)) return FenceScope::kSystem;
  return m.has(Modifier::cta) ? FenceScope::kBlock : FenceScope::kDevice;
}

/// Whether later accesses of the warp wait for the result of this one.
bool acquires(const Instruction& instruction) {
  const auto& m = instruction.modifiers;
  const auto role = ptx::facts(instruction).memory;
  const bool is_access = role == MemoryRole::kLoad || role == MemoryRole::kAtomic;
  return is_access && (m.has(Modifier::acquire) || m.has(Modifier::acq_rel));
}

MachineOp::Kind kind_of(const Instruction& instruction) {
  using Kind = MachineOp::Kind;
  const bool in_memory =
      instruction.space != StateSpace::kParam && instruction.space != StateSpace::kConstant;
  const bool is_volatile = instruction.modifiers.has(Modifier::volatile_) ||
                           instruction.modifiers.has(Modifier::acquire) ||
                           instruction.modifiers.has(Modifier::release);
  if (ptx::facts(instruction).layout == ptx::Layout::kDuration) return Kind::kFence;
  switch (ptx::facts(instruction).memory) {
    case MemoryRole::kNoMemory:
    case MemoryRole::kHint:
      return Kind::kPlain;
    case MemoryRole::kLoad:
      return !in_memory ? Kind::kPlain : is_volatile ? Kind::kFence : Kind::kLoad;
    case MemoryRole::kStore:
      return !in_memory ? Kind::kPlain : is_volatile ? Kind::kFence : Kind::kStore;
    case MemoryRole::kBarrier:
      return is_block_barrier(instruction) ? Kind::kBarrier : Kind::kFence;
    case MemoryRole::kAtomic:
    case MemoryRole::kReduction:
    case MemoryRole::kFence:
    case MemoryRole::kArrival:
    case MemoryRole::kWarpBarrier:
    case MemoryRole::kClusterBarrier:
    case MemoryRole::kCopy:
    case MemoryRole::kBulkCopy:
    case MemoryRole::kCopyGroup:
    case MemoryRole::kBarrierObject:
      return Kind::kFence;
  }
  return Kind::kPlain;
}

std::uint16_t latency_of(const Instruction& instruction, const device::Profile& profile) {
  const auto& facts = ptx::facts(instruction);
  const auto clocks = static_cast<std::uint16_t>(profile.sm.pipes.alu_latency_clocks);
  if (facts.flow == Flow::kBranch) return static_cast<std::uint16_t>(2 * clocks);
  if (facts.timing == Timing::kDivision)
    return static_cast<std::uint16_t>(profile.sm.pipes.division_clocks);
  if (facts.timing == Timing::kMatrix) {
    const auto busy = tensor_clocks(instruction, profile);
    return static_cast<std::uint16_t>(busy + profile.tensor.latency_clocks);
  }
  if (!ptx::is_exchange(facts.timing)) return clocks;
  return static_cast<std::uint16_t>(profile.shared.latency_seconds * profile.sm.clock_hz);
}

/// On the H200 predicated-off accesses and shuffles count as wavefronts of shared memory
/// (tests/evidence/launches/h200_counters.csv).
std::uint16_t passes_of(const Instruction& instruction, MachineOp::Kind kind,
                        const device::Profile& profile) {
  if (profile.rules.shared_banks != device::SharedBanks::kThirtyTwo) return 0;
  const bool is_access = kind == MachineOp::Kind::kLoad || kind == MachineOp::Kind::kStore;
  return is_access || ptx::facts(instruction).timing == Timing::kShuffle ? 1 : 0;
}

/// Whether the branch at `at` becomes predicates: it skips at most `most` issue slots without a
/// barrier, call or other branch. Then the code after it can be scheduled with the code before it.
bool is_predicated(const ptx::Function& function, const std::vector<MachineOp>& ops,
                   std::uint32_t most, std::uint32_t at) {
  const std::uint32_t target = function.instructions[at].operands.at(0).index;
  if (target <= at) return false;
  std::uint32_t slots = 0;
  for (std::uint32_t i = at + 1; i < target; ++i) {
    const Instruction& inside = function.instructions[i];
    const auto flow = ptx::facts(inside).flow;
    slots += std::max<std::uint32_t>(static_cast<std::uint32_t>(ops[i].slots), 1);
    if (slots > most || flow == Flow::kCall || flow == Flow::kJumpTable || flow == Flow::kBranch ||
        is_block_barrier(inside)) {
      return false;
    }
  }
  return true;
}

void mark_stretches(const ptx::Function& function, std::uint32_t most,
                    std::vector<MachineOp>& ops) {
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    const Instruction& instruction = function.instructions[i];
    switch (ptx::facts(instruction).flow) {
      case Flow::kBranch: {
        ops[i].is_branch = true;
        ops[i].is_conditional = instruction.guard.has_value();
        const std::uint32_t target = instruction.operands.at(0).index;
        if (target <= i && target < ops.size()) ops[target].begins_stretch = true;
        if (is_predicated(function, ops, most, i)) {
          ops[i].slots = 0;
        } else {
          ops[i].ends_stretch = true;
        }
        break;
      }
      case Flow::kJumpTable:
      case Flow::kCall:
      case Flow::kReturn:
      case Flow::kExit:
        ops[i].ends_stretch = true;
        break;
      case Flow::kNext:
      case Flow::kTrap:
        ops[i].ends_stretch = ops[i].kind == MachineOp::Kind::kBarrier;
        break;
    }
  }
}

}  // namespace

void apply(const std::vector<UnrolledLoop>& loops, const std::vector<MachineCost>& costs,
           const memory::MachineAccesses& accesses, const device::Profile& profile,
           std::vector<MachineOp>& ops) {
  const UnitClocks units = unit_clocks(profile);
  bool is_predicated = false;  // after the last conditional branch
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    ops[i].access = accesses[i];
    if (accesses[i].shared_bytes == memory::MachineAccess::kMerged) ops[i].passes = 0;
  }
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const MachineCost& cost = costs[i];
    ops[i].slots = kSlotsOfInstruction * cost.instructions;
    ops[i].clocks = cost.clocks;
    ops[i].pipes[kAluPipe] = cost.alu * units.alu;
    ops[i].pipes[kXuPipe] = cost.xu * units.xu;
    ops[i].pipes[kFp64Pipe] = cost.fp64 * units.fp64;
    ops[i].pipes[kFmaHeavyPipe] = cost.fma_heavy * units.fma_heavy + cost.fp32 * units.fp32;
    ops[i].pipes[kLockstep] = cost.in_step;
    ops[i].pipes[kHeld] = cost.held;
    ops[i].ends_stretch |= cost.splits;
    ops[i].places = cost.places;
    if (!ops[i].is_branch) continue;
    if (ops[i].is_conditional) is_predicated = !cost.branches;
    // A branch that machine code removes skips instructions that are not issued, unless predicated.
    ops[i].ends_stretch = cost.branches || (!ops[i].is_conditional && !is_predicated);
    ops[i].latency = static_cast<std::uint16_t>(cost.branches ? profile.sm.pipes.branch_clocks : 0);
  }
  for (const UnrolledLoop& loop : loops) {
    ops[loop.branch].joined_passes = static_cast<std::uint16_t>(loop.times);
    ops[loop.branch].joins = loop.head;
    ops[loop.branch].loads_ahead = loop.loads_ahead;
    // The branch issues only with the last pass.
    ops[loop.branch].slots *= loop.times;
    ops[loop.branch].pipes[kLockstep] *= loop.times;
    if (ops[loop.branch].clocks > 0) ops[loop.branch].clocks *= loop.times;
  }
}

// Measured on an H200 (divisions.csv in tests/evidence/golden/h200_issue).
SubroutineClocks subroutine_clocks(const Instruction& instruction) {
  const bool is_float = instruction.types[0] == Type::kF32;
  switch (ptx::facts(instruction).timing) {  // far, special, subnormal
    case Timing::kDivision:
      return is_float ? SubroutineClocks{0, 290, 230, 450} : SubroutineClocks{0, 310, 310, 320};
    case Timing::kReciprocal:
      return is_float ? SubroutineClocks{0, 190, 175, 190} : SubroutineClocks{0, 250, 150, 250};
    case Timing::kRoot:
      return is_float ? SubroutineClocks{0, 200, 150, 200} : SubroutineClocks{0, 165, 170, 275};
    default:
      return {};
  }
}

std::vector<MachineOp> machine_code(const ptx::Function& function, const device::Profile& profile) {
  std::vector<MachineOp> ops(function.instructions.size());
  const auto carry = static_cast<std::uint32_t>(function.registers.size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const Instruction& instruction = function.instructions[i];
    ops[i].kind = kind_of(instruction);
    ops[i].space = instruction.space;
    ops[i].is_shared_atomic = ptx::is_update(instruction) &&
                              instruction.space == StateSpace::kShared && !acquires(instruction);
    ops[i].bytes =
        static_cast<std::uint8_t>(ptx::size_of(instruction.types[0]) * instruction.vector);
    ops[i].read_only = instruction.modifiers.has(Modifier::nc);
    // The fences of earlier cards were not measured.
    if (profile.compute.major >= 7) ops[i].fence = fence_of(instruction);
    ops[i].acquires = acquires(instruction);
    ops[i].is_object = ptx::facts(instruction).memory == MemoryRole::kBarrierObject;
    ops[i].is_copy = ptx::facts(instruction).memory == MemoryRole::kCopy;
    ops[i].slots = slots_of(instruction, profile);
    ops[i].latency = latency_of(instruction, profile);
    ops[i].passes = passes_of(instruction, ops[i].kind, profile);
    ops[i].subroutine_clocks = subroutine_clocks(instruction);
    // A match is a request to the stage of shared memory, whose answer its warp awaits.
    if (ptx::facts(instruction).timing == Timing::kMatch && profile.sm.pipes.match_clocks) {
      ops[i].kind = MachineOp::Kind::kLoad;
      ops[i].read_only = true;
    }
    collect(instruction, carry, ops[i]);
  }
  Merging(function, profile, ops).apply(ops);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    ops[i].pipes = pipes_of(function.instructions[i], ops[i], profile);
  }
  mark_stretches(function, profile.sm.pipes.predicated_slots, ops);
  return ops;
}

std::vector<MachineOp> machine_code(const ptx::Function& function, const device::Profile& profile,
                                    std::span<const char> cubin) {
  auto ops = machine_code(function, profile);
  const MachineFacts facts = machine_facts(function, profile, cubin);
  apply(facts.loops, facts.costs, machine_accesses(function, facts.costs), profile, ops);
  return ops;
}

}  // namespace warpgrade::timing
