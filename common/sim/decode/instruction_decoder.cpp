// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/instruction_decoder.h"

#include "common/ptx/instruction_facts.h"
#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Layout;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::StateSpace;
using ptx::Type;
using ptx::Width;

bool is_signed(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64;
}

// Bytes per lane of an operand.
std::uint32_t width_of(Width width, const Instruction& in) {
  switch (width) {
    case Width::kOwnType:
      return lane_bytes(in.types[0]);
    case Width::kOwnOrWide:
      return lane_bytes(in.types[0]) * (in.modifiers.has(Modifier::wide) ? 2 : 1);
    case Width::kSecondType:
      return lane_bytes(in.types[1]);
    case Width::kFlag:
      return 1;
    case Width::kBytes4:
      return 4;
    case Width::kBytes8:
      return 8;
  }
  return 0;
}

}  // namespace

InstructionDecoder::InstructionDecoder(const ptx::Module& module, const ptx::Function& function,
                                       const AddressSpace& memory, Code& code)
    : module_(module),
      function_(function),
      memory_(memory),
      code_(code),
      slots_(module, function, memory, code),
      contraction_(function) {}

std::vector<MicroOp> InstructionDecoder::decode(std::uint32_t index) {
  const auto& instruction = function_.instructions[index];
  before_.clear();
  after_.clear();
  MicroOp op;
  op.instruction = index;
  op.space = instruction.space;
  op.is_volatile = instruction.modifiers.has(Modifier::volatile_);
  const auto& m = instruction.modifiers;
  if (ptx::facts(instruction).memory == ptx::MemoryRole::kLoad &&
      instruction.space != StateSpace::kShared &&
      (op.is_volatile || m.has(Modifier::relaxed) || m.has(Modifier::acquire))) {
    code_.has_global_atomics = true;  // it may wait for a store by another block
  }
  if (instruction.guard) {
    op.guard = slots_.register_slot(*instruction.guard);
    op.guard_negated = instruction.guard_negated;
  }
  guard_ = op;
  if (const auto& taken = contraction_.taken_by(index); taken.mul != Taken::kApart) {
    fill_contracted(op, instruction, taken);
  } else {
    fill(op, instruction);
  }
  if (op.handler == nullptr) op.handler = handler_of(instruction);
  if (op.handler == nullptr) throw UnsupportedForm{"this form"};
  before_.push_back(op);
  before_.insert(before_.end(), after_.begin(), after_.end());
  return before_;
}

MicroOp InstructionDecoder::refused(std::uint32_t index) {
  const auto& instruction = function_.instructions[index];
  MicroOp op;
  op.instruction = index;
  op.handler = refused_handler();
  if (instruction.guard) {
    op.guard = slots_.register_slot(*instruction.guard);
    op.guard_negated = instruction.guard_negated;
  }
  return op;
}

// Puts each operand into its slot.
void InstructionDecoder::fill(MicroOp& op, const Instruction& in) {
  switch (ptx::facts(in).layout) {
    case Layout::kInOrder:
      return fill_in_order(op, in);
    case Layout::kComparison:
      return fill_comparison(op, in);
    case Layout::kLanes:
      return fill_lanes(op, in);
    case Layout::kSet:
      return fill_set(op, in);
    case Layout::kConversion:
      return fill_conversion(op, in);
    case Layout::kLookup:
      return fill_lookup(op, in);
    case Layout::kMove:
      return fill_move(op, in);
    case Layout::kPolicy:
      return fill_policy(op, in);
    case Layout::kIgnored:
      return;
    case Layout::kDuration:
      op.a = source(in.operands[0], 4);
      return;
    case Layout::kLoad:
      return fill_load(op, in);
    case Layout::kStore:
      return fill_store(op, in);
    case Layout::kAtomic:
      return fill_atomic(op, in);
    case Layout::kAddress:
      return address(op, in.operands[0]);
    case Layout::kTarget:
      return fill_target(op, in);
    case Layout::kCall:
      return fill_call(op, in);
    case Layout::kBarrier:
      return fill_barrier(op, in);
    case Layout::kCopy:
      return fill_copy(op, in);
    case Layout::kBulkCopy:
      return fill_bulk_copy(op, in);
    case Layout::kBarrierObject:
      return fill_barrier_object(op, in);
    case Layout::kProduct:
      return fill_product(op, in);
    case Layout::kFragment:
      return fill_fragment(op, in);
    case Layout::kTiles:
      return fill_tiles(op, in);
  }
}

// Puts the operands into slots in the order d [, p], a, b, c, e.
void InstructionDecoder::fill_in_order(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto& widths = ptx::facts(in).widths;
  if (o.empty()) return;
  op.d = slots_.result(o[0], width_of(widths.d, in));
  if (in.has_second_result) op.p = slots_.result(o.at(1), 1);
  std::size_t next = in.has_second_result ? 2 : 1;
  const auto fill_next = [&](Slot& slot, Width width) {
    if (next < o.size()) slot = source(o[next], width_of(width, in));
    ++next;
  };
  fill_next(op.a, widths.a);
  fill_next(op.b, widths.b);
  fill_next(op.c, widths.c);
  fill_next(op.e, widths.e);
}

void InstructionDecoder::fill_conversion(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  if (o.size() > 2) return fill_in_order(op, in);  // two values for a pair
  op.a = resized_source(o[1], in.types[1]);
  op.d = resized_result(o[0], in.types[0]);
}

// The policy is opaque and never used.
void InstructionDecoder::fill_policy(MicroOp& op, const Instruction& in) {
  op.d = slots_.result(in.operands[0], 8);
  op.a = slots_.constant(0, 8);
  op.handler = copy_handler(8);
}

// A label, or an index and its table of labels.
void InstructionDecoder::fill_target(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  if (ptx::facts(in).flow == ptx::Flow::kBranch) {
    op.guard = kNoSlot;  // the branch handles it itself
    if (in.guard) op.a = slots_.register_slot(*in.guard);
    op.target = o[0].index;
    return;
  }
  const auto& labels = function_.branch_targets[o[1].index].labels;
  op.a = source(o[0], 4);
  op.target = static_cast<std::uint32_t>(code_.jumps.size());
  op.offset = static_cast<std::int64_t>(labels.size());
  code_.jumps.insert(code_.jumps.end(), labels.begin(), labels.end());
}

// The slot of a source; a negated predicate is first negated into a slot of its own.
Slot InstructionDecoder::source(const Operand& operand, std::uint32_t bytes) {
  if (bytes == 8 && slots_.in_frame(operand)) return frame_address(operand);
  const auto slot = slots_.source(operand, bytes);
  return operand.negated ? negated(slot) : slot;
}

Slot InstructionDecoder::negated(Slot predicate) {
  MicroOp op = guard_;
  op.instruction = kNoInstruction;
  op.handler = negate_predicate_handler();
  op.a = predicate;
  op.d = slots_.new_slot(1);
  before_.push_back(op);
  return op.d;
}

// [base + offset]: the base slot always has 64 bits.
void InstructionDecoder::address(MicroOp& op, const Operand& operand) {
  const auto& base = operand.elements.at(0);
  op.offset = operand.offset;
  if (base.kind == Operand::Kind::kRegister) {
    const auto bytes = slots_.register_bytes(base);
    op.a = bytes == 8 ? slots_.register_slot(base)
                      : resized(slots_.register_slot(base), 8, bytes, false);
  } else if (base.kind == Operand::Kind::kImmediate) {
    op.a = slots_.constant(base.bits, 8);
  } else if (slots_.in_frame(base)) {
    op.a = frame_address(base);
  } else {
    op.a = slots_.constant(slots_.address_of(base), 8);
  }
}

// The slot of base + offset.
Slot InstructionDecoder::address_slot(const Operand& operand) {
  MicroOp at;
  address(at, operand);
  if (at.offset == 0) return at.a;
  Instruction add;
  add.opcode = Opcode::add;
  add.types[0] = Type::kU64;
  MicroOp op = guard_;
  op.instruction = kNoInstruction;
  op.handler = handler_of(add);
  op.a = at.a;
  op.b = slots_.constant(static_cast<std::uint64_t>(at.offset), 8);
  op.d = slots_.new_slot(8);
  before_.push_back(op);
  return op.d;
}

// Address of a variable in a device function's frame, which differs between calls.
Slot InstructionDecoder::frame_address(const Operand& operand) {
  Instruction add;
  add.opcode = Opcode::add;
  add.types[0] = Type::kU64;
  MicroOp op = guard_;
  op.instruction = kNoInstruction;
  op.handler = handler_of(add);
  op.a = code_.local_base;
  op.b = slots_.constant(slots_.address_of(operand), 8);
  op.d = slots_.new_slot(8);
  before_.push_back(op);
  return op.d;
}

Slot InstructionDecoder::resized(Slot from, std::uint32_t to_bytes, std::uint32_t from_bytes,
                                 bool sign) {
  MicroOp op = guard_;
  op.instruction = kNoInstruction;
  op.handler = resize_handler(to_bytes, from_bytes, sign);
  op.a = from;
  op.d = slots_.new_slot(std::max<std::uint32_t>(to_bytes, 2));
  before_.push_back(op);
  return op.d;
}

// The manual permits registers of ld, st and cvt that are wider than the type.
Slot InstructionDecoder::resized_source(const Operand& operand, Type type) {
  const auto bytes = lane_bytes(type);
  if (operand.kind != Operand::Kind::kRegister || slots_.register_bytes(operand) == bytes) {
    return source(operand, bytes);
  }
  if (slots_.register_bytes(operand) < bytes) throw UnsupportedForm{"a register too narrow"};
  return resized(slots_.register_slot(operand), bytes, slots_.register_bytes(operand), false);
}

Slot InstructionDecoder::resized_result(const Operand& operand, Type type) {
  const auto bytes = lane_bytes(type);
  if (operand.kind != Operand::Kind::kRegister) return slots_.result(operand, bytes);
  const auto held = slots_.register_bytes(operand);
  if (held == bytes && ptx::size_of(type) != 1) return slots_.register_slot(operand);
  if (held < bytes) throw UnsupportedForm{"a register too narrow"};
  // Written with its own size, then extended according to the type.
  MicroOp op = guard_;
  op.instruction = kNoInstruction;
  op.handler = resize_handler(held, ptx::size_of(type), is_signed(type));
  op.a = slots_.new_slot(bytes);
  op.d = slots_.register_slot(operand);
  after_.push_back(op);
  return op.a;
}

// p[|q], a, b [, c]
void InstructionDecoder::fill_comparison(MicroOp& op, const Instruction& in) {
  const std::size_t results = in.has_second_result ? 2 : 1;
  if (in.operands.size() < results + 2) throw UnsupportedForm{"this number of operands"};
  fill_in_order(op, in);
}

// d = product + c, product - c or c - product as one fma. Negating a source before it is exact.
void InstructionDecoder::fill_contracted(MicroOp& op, const Instruction& sum, const Taken& taken) {
  const auto bytes = lane_bytes(sum.types[0]);
  const auto& product = function_.instructions[taken.mul];
  const bool first = taken.operand == 1;
  const auto changed_sign = [&](Slot slot) {
    Instruction neg;
    neg.opcode = Opcode::neg;
    neg.types = sum.types;
    MicroOp change = guard_;
    change.instruction = kNoInstruction;
    change.handler = handler_of(neg);
    change.a = slot;
    change.d = slots_.new_slot(bytes);
    before_.push_back(change);
    return change.d;
  };
  op.d = slots_.result(sum.operands[0], bytes);
  op.a = source(product.operands[1], bytes);
  op.b = source(product.operands[2], bytes);
  op.c = source(sum.operands[first ? 2 : 1], bytes);
  const bool subtracts = ptx::facts(sum).algebra == ptx::Algebra::kDifference;
  if (subtracts && first) op.c = changed_sign(op.c);
  if ((subtracts && !first) != taken.negated) op.a = changed_sign(op.a);
  Instruction fma = sum;
  fma.opcode = Opcode::fma;
  fma.modifiers.add(Modifier::rn);
  op.handler = handler_of(fma);
}

}  // namespace warpgrade::sim
