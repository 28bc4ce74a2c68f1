// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/instruction_decoder.h"

#include "common/ptx/instruction_facts.h"
#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::StateSpace;
using ptx::Type;

bool is_signed(Type type) {
  return type == Type::kS8 || type == Type::kS16 || type == Type::kS32 || type == Type::kS64;
}

Handler choose(const Instruction& instruction) {
  for (const auto chooser :
       {integer_handler,     bits_handler,         packed_handler,       float_handler,
        half_handler,        logic_handler,        compare_handler,      set_handler,
        convert_handler,     half_convert_handler, small_format_handler, memory_handler,
        async_handler,       bulk_handler,         atomic_handler,       cluster_handler,
        control_handler,     warp_handler,         mma_handler,          matrix_tiles_handler,
        wmma_memory_handler, call_handler}) {
    if (const auto handler = chooser(instruction)) return handler;
  }
  return nullptr;
}

// Bytes per lane of the operands in the manual's order; 0 for operands that are missing or have no
// slot.
struct OperandBytes {
  std::uint32_t d = 0;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t c = 0;
  std::uint32_t e = 0;
};

OperandBytes operand_bytes(const Instruction& in) {
  const auto own = lane_bytes(in.types[0]);
  const bool is_wide = in.modifiers.has(Modifier::wide);
  switch (in.opcode) {
    case Opcode::isspacep:
      return {1, 8};
    case Opcode::testp:
      return {1, own};
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind:
    case Opcode::getctarank:
      return {4, own};
    case Opcode::mapa:
      return {own, own, 4};
    case Opcode::cvt:
      return {own, 4, 4};
    case Opcode::mul:
    case Opcode::mad:
      return is_wide ? OperandBytes{2 * own, own, own, 2 * own} : OperandBytes{own, own, own, own};
    case Opcode::selp:
      return {own, own, own, 1};
    case Opcode::slct:
      return {own, own, own, lane_bytes(in.types[1])};
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::bfe:
    case Opcode::fns:
    case Opcode::dp2a:
    case Opcode::vabsdiff2:
    case Opcode::vabsdiff4:
      return {own, own, 4, 4};
    case Opcode::bfi:
      return {own, own, own, 4, 4};
    default:
      return {own, own, own, own};
  }
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
  if (op.handler == nullptr) op.handler = choose(instruction);
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
  const auto& o = in.operands;
  switch (in.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
      return fill_load(op, in);
    case Opcode::st:
      return fill_store(op, in);
    case Opcode::atom:
    case Opcode::red:
      return fill_atomic(op, in);
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::applypriority:
    case Opcode::discard:
      return address(op, o[0]);
    case Opcode::createpolicy:
      op.d = slots_.result(o[0], 8);  // opaque and never used
      op.a = slots_.constant(0, 8);
      op.handler = copy_handler(8);
      return;
    case Opcode::nanosleep:
    case Opcode::pmevent:
      return;
    case Opcode::bra:
    case Opcode::brx:
      return fill_branch(op, in);
    case Opcode::call:
      return fill_call(op, in);
    case Opcode::bar:
    case Opcode::barrier:
      return fill_barrier(op, in);
    case Opcode::mov:
      return fill_mov(op, in);
    case Opcode::cvt:
      if (o.size() > 2) return fill_in_order(op, in);  // two values for a pair
      op.a = resized_source(o[1], in.types[1]);
      op.d = resized_result(o[0], in.types[0]);
      return;
    case Opcode::setp:
      return fill_setp(op, in);
    case Opcode::set:
      return fill_set(op, in);
    case Opcode::cp:
      return fill_copy(op, in);
    case Opcode::mbarrier:
      return fill_barrier_object(op, in);
    case Opcode::lop3:
      return fill_lop3(op, in);
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::elect:
    case Opcode::redux:
      return fill_warp(op, in);
    case Opcode::mma:
      return fill_product(op, in);
    case Opcode::wmma:
      return ptx::facts(in).address ? fill_fragment(op, in) : fill_product(op, in);
    case Opcode::ldmatrix:
    case Opcode::stmatrix:
      return fill_tiles(op, in);
    case Opcode::movmatrix:
      op.d = slots_.result(o[0], 4);
      op.a = source(o[1], 4);
      return;
    default:
      return fill_in_order(op, in);
  }
}

// Puts the operands into slots in the order d, a, b, c, e.
void InstructionDecoder::fill_in_order(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto bytes = operand_bytes(in);
  if (o.empty()) return;
  op.d = slots_.result(o[0], bytes.d);
  if (o.size() > 1) op.a = source(o[1], bytes.a);
  if (o.size() > 2) op.b = source(o[2], bytes.b);
  if (o.size() > 3) op.c = source(o[3], bytes.c);
  if (o.size() > 4 && bytes.e != 0) op.e = source(o[4], bytes.e);
}

// A label, or an index and its table of labels.
void InstructionDecoder::fill_branch(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  if (in.opcode == Opcode::bra) {
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
  op.handler = choose(add);
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
  op.handler = choose(add);
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
void InstructionDecoder::fill_setp(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const std::size_t shift = in.has_second_result ? 1 : 0;
  const auto bytes = lane_bytes(in.types[0]);
  if (o.size() < 3 + shift) throw UnsupportedForm{"this number of operands"};
  op.d = slots_.result(o[0], 1);
  if (in.has_second_result) op.p = slots_.result(o[1], 1);
  op.a = source(o[1 + shift], bytes);
  op.b = source(o[2 + shift], bytes);
  if (o.size() > 3 + shift) op.c = source(o[3 + shift], 1);
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
    change.handler = choose(neg);
    change.a = slot;
    change.d = slots_.new_slot(bytes);
    before_.push_back(change);
    return change.d;
  };
  op.d = slots_.result(sum.operands[0], bytes);
  op.a = source(product.operands[1], bytes);
  op.b = source(product.operands[2], bytes);
  op.c = source(sum.operands[first ? 2 : 1], bytes);
  if (sum.opcode == Opcode::sub && first) op.c = changed_sign(op.c);
  if ((sum.opcode == Opcode::sub && !first) != taken.negated) op.a = changed_sign(op.a);
  Instruction fma = sum;
  fma.opcode = Opcode::fma;
  fma.modifiers.add(Modifier::rn);
  op.handler = choose(fma);
}

}  // namespace warpgrade::sim
