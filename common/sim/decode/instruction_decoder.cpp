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
       {integer_handler, bits_handler, packed_handler, float_handler, half_handler, logic_handler,
        compare_handler, set_handler, convert_handler, half_convert_handler, small_format_handler,
        memory_handler, async_handler, atomic_handler, control_handler, warp_handler,
        call_handler}) {
    if (const auto handler = chooser(instruction)) return handler;
  }
  return nullptr;
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
    code_.has_global_atomics = true;  // it may wait for what another block writes
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

// Puts each operand into its slot, opcode by opcode where the manual's order is not d, a, b, c.
void InstructionDecoder::fill(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto type = in.types[0];
  switch (in.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
      fill_load(op, in);
      return;
    case Opcode::st:
      op.operation = run::Operation::kStore;
      fill_store(op, in);
      return;
    case Opcode::atom:
    case Opcode::red:
      fill_atomic(op, in);
      return;
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::applypriority:
    case Opcode::discard:
      address(op, o[0]);
      return;
    case Opcode::createpolicy:
      op.d = slots_.result(o[0], 8);  // opaque, and nothing asks for it
      op.a = slots_.constant(0, 8);
      op.handler = copy_handler(8);
      return;
    case Opcode::nanosleep:
    case Opcode::pmevent:
      return;
    case Opcode::bra:
      op.guard = kNoSlot;  // the branch looks at it itself
      if (in.guard) op.a = slots_.register_slot(*in.guard);
      op.target = o[0].index;
      return;
    case Opcode::brx: {
      const auto& labels = function_.branch_targets[o[1].index].labels;
      op.a = source(o[0], 4);
      op.target = static_cast<std::uint32_t>(code_.jumps.size());
      op.offset = static_cast<std::int64_t>(labels.size());
      code_.jumps.insert(code_.jumps.end(), labels.begin(), labels.end());
      return;
    }
    case Opcode::call:
      fill_call(op, in);
      return;
    case Opcode::bar:
    case Opcode::barrier:
      fill_barrier(op, in);
      return;
    case Opcode::mov:
      fill_mov(op, in);
      return;
    case Opcode::cvt:
      if (o.size() > 2) return fill_sources(op, in, lane_bytes(type), 4, 4);  // d, a, b: a pair
      op.a = resized_source(o[1], in.types[1]);
      op.d = resized_result(o[0], type);
      return;
    case Opcode::isspacep:
      op.d = slots_.result(o[0], 1);
      op.a = source(o[1], 8);
      return;
    case Opcode::setp:
      fill_setp(op, in);
      return;
    case Opcode::set:
      fill_set(op, in);
      return;
    case Opcode::cp:
      fill_copy(op, in);
      return;
    case Opcode::mbarrier:
      fill_barrier_object(op, in);
      return;
    case Opcode::selp:
      op.d = slots_.result(o[0], lane_bytes(type));
      op.a = source(o[1], lane_bytes(type));
      op.b = source(o[2], lane_bytes(type));
      op.c = source(o[3], 1);
      return;
    case Opcode::slct:
      op.d = slots_.result(o[0], lane_bytes(type));
      op.a = source(o[1], lane_bytes(type));
      op.b = source(o[2], lane_bytes(type));
      op.c = source(o[3], lane_bytes(in.types[1]));
      return;
    case Opcode::lop3:
      if (o.size() != 5) return fill_lop3(op, in);
      if (o[4].kind != Operand::Kind::kImmediate) throw UnsupportedForm{"a table in a register"};
      op.offset = static_cast<std::int64_t>(o[4].bits & 0xff);
      fill_sources(op, in, 4, 4, 4);
      return;
    case Opcode::shl:
    case Opcode::shr:
    case Opcode::fns:
    case Opcode::dp2a:
    case Opcode::vabsdiff2:
    case Opcode::vabsdiff4:
      fill_sources(op, in, lane_bytes(type), lane_bytes(type), 4);
      return;
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind:
      fill_sources(op, in, 4, lane_bytes(type), 0);
      return;
    case Opcode::testp:
      fill_sources(op, in, 1, lane_bytes(type), 0);
      return;
    case Opcode::bfe:
      op.d = slots_.result(o[0], lane_bytes(type));
      op.a = source(o[1], lane_bytes(type));
      op.b = source(o[2], 4);
      op.c = source(o[3], 4);
      return;
    case Opcode::bfi:
      op.d = slots_.result(o[0], lane_bytes(type));
      op.a = source(o[1], lane_bytes(type));
      op.b = source(o[2], lane_bytes(type));
      op.c = source(o[3], 4);
      op.e = source(o[4], 4);
      return;
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::elect:
    case Opcode::redux:
      fill_warp(op, in);
      return;
    case Opcode::mul:
    case Opcode::mad:
      if (in.modifiers.has(Modifier::wide)) {
        const auto wide = 2 * lane_bytes(type);
        op.d = slots_.result(o[0], wide);
        op.a = source(o[1], lane_bytes(type));
        op.b = source(o[2], lane_bytes(type));
        if (o.size() > 3) op.c = source(o[3], wide);
        return;
      }
      [[fallthrough]];
    default:
      fill_sources(op, in, lane_bytes(type), lane_bytes(type), lane_bytes(type));
  }
}

// A source; one that is negated, a predicate, is negated into a slot of its own first.
Slot InstructionDecoder::source(const Operand& operand, std::uint32_t bytes) {
  if (bytes == 8 && slots_.in_frame(operand)) return frame_address(operand);
  const auto slot = slots_.source(operand, bytes);
  return operand.negated ? negated(slot) : slot;
}

// d, a, b, c in the manual's order: the result and first source of given sizes, then the rest.
void InstructionDecoder::fill_sources(MicroOp& op, const Instruction& in, std::uint32_t d_bytes,
                                      std::uint32_t a_bytes, std::uint32_t rest_bytes) {
  const auto& o = in.operands;
  if (o.empty()) return;
  op.d = slots_.result(o[0], d_bytes);
  if (o.size() > 1) op.a = source(o[1], a_bytes);
  if (o.size() > 2) op.b = source(o[2], rest_bytes);
  if (o.size() > 3) op.c = source(o[3], rest_bytes);
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

// [base + offset]: the base slot is always 64 bits wide.
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

// Address of a variable in a device function's frame: not the same for every call.
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

// The manual lets the registers of ld, st and cvt be wider than the type.
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
  // Written at its own size, then extended as the type says.
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

// d = product + c, product - c or c - product as one fma. A source is negated before it; that is
// exact.
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
