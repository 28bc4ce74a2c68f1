// SPDX-License-Identifier: Apache-2.0
// The part of InstructionDecoder that decodes loads, stores, atomics and moves.
#include <algorithm>
#include <cstring>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/instruction_registers.h"
#include "common/sim/decode/instruction_decoder.h"
#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;
using ptx::StateSpace;

template <typename ToSlot>
void InstructionDecoder::vector(MicroOp& op, const Operand& operand, std::size_t count,
                                const ToSlot& to_slot) {
  if (operand.elements.size() != count) throw UnsupportedForm{"a vector of another length"};
  std::vector<Slot> slots;
  for (const auto& element : operand.elements) slots.push_back(to_slot(element));
  op.target = static_cast<std::uint32_t>(code_.vectors.size());
  code_.vectors.insert(code_.vectors.end(), slots.begin(), slots.end());
}

void InstructionDecoder::fill_load(MicroOp& op, const Instruction& in) {
  if (fill_argument(op, in)) return;
  const auto& from = in.operands[1];
  const auto& base = from.elements.at(0);
  const bool fixed_parameter =
      in.space == StateSpace::kParam && base.kind == Operand::Kind::kParameter;
  if (fixed_parameter) {
    load_parameter(op, in, memory_.parameter_offset(base.index) + from.offset);
    return;
  }
  address(op, from);
  if (in.operands[0].kind == Operand::Kind::kVector) {
    vector(op, in.operands[0], in.vector,
           [&](const Operand& e) { return resized_result(e, in.types[0]); });
  } else {
    op.d = resized_result(in.operands[0], in.types[0]);
  }
}

// Parameters are constant during a launch, so loading one is a copy from a constant slot.
void InstructionDecoder::load_parameter(MicroOp& op, const Instruction& in, std::int64_t offset) {
  const auto type = in.types[0];
  const auto size = ptx::size_of(type);
  const auto& bytes = memory_.parameters();
  const auto load = [&](const Operand& to, std::int64_t at) {
    if (at < 0 || static_cast<std::uint64_t>(at) + size > bytes.size()) {
      throw UnsupportedForm{"a parameter past the last"};
    }
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + at, size);
    MicroOp copy = op;
    copy.handler = copy_handler(lane_bytes(type));
    copy.a = slots_.constant(value, lane_bytes(type));
    copy.d = resized_result(to, type);
    return copy;
  };
  if (in.operands[0].kind != Operand::Kind::kVector) {
    op = load(in.operands[0], offset);
    return;
  }
  std::vector<MicroOp> copies;
  for (const auto& element : in.operands[0].elements) {
    copies.push_back(load(element, offset));
    offset += size;
  }
  op = copies.back();
  for (std::size_t i = 0; i + 1 < copies.size(); ++i) {
    copies[i].instruction = kNoInstruction;
    before_.push_back(copies[i]);
  }
}

void InstructionDecoder::fill_store(MicroOp& op, const Instruction& in) {
  op.operation = run::Operation::kStore;
  if (fill_argument(op, in)) return;
  fill_counted(op, in);
  address(op, in.operands[0]);
  if (in.operands[1].kind == Operand::Kind::kVector) {
    vector(op, in.operands[1], in.vector,
           [&](const Operand& e) { return resized_source(e, in.types[0]); });
  } else {
    op.b = resized_source(in.operands[1], in.types[0]);
  }
}

void InstructionDecoder::fill_atomic(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto bytes = lane_bytes(in.types[0]);
  const bool returns = ptx::facts(in).memory == ptx::MemoryRole::kAtomic;
  op.operation = returns ? run::Operation::kAtomic : run::Operation::kReduction;
  const std::size_t first = returns ? 1 : 0;
  if (in.space != StateSpace::kShared) code_.has_global_atomics = true;
  if (in.vector > 1) return fill_atomic_vector(op, in);
  if (returns) op.d = slots_.result(o[0], bytes);
  if (!returns) fill_counted(op, in);
  address(op, o[first]);
  op.b = source(o[first + 1], bytes);
  if (returns && o.size() > first + 2) op.c = source(o[first + 2], bytes);
}

// st.async and red.async: the last operand is the barrier object that counts the bytes.
void InstructionDecoder::fill_counted(MicroOp& op, const Instruction& in) {
  const auto& m = in.modifiers;
  const bool is_counted = m.has(Modifier::async) || m.has(Modifier::complete_tx_bytes);
  if (is_counted != (in.operands.size() == 3)) throw UnsupportedForm{"this number of operands"};
  if (!is_counted) return;
  if (!m.has(Modifier::async) || in.operands[2].kind != Operand::Kind::kAddress) {
    throw UnsupportedForm{"this form"};
  }
  op.e = address_slot(in.operands[2]);
  op.handler = counted_access_handler(in);
  if (op.handler == nullptr) throw UnsupportedForm{"this form"};
}

// [{d, ...},] [address], {b, ...}: Code::vectors contains the slots of the sources, then of the
// results.
void InstructionDecoder::fill_atomic_vector(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto bytes = lane_bytes(in.types[0]);
  const std::size_t first = ptx::results(in);
  address(op, o[first]);
  Operand all = o[first + 1];
  if (all.elements.size() != in.vector) throw UnsupportedForm{"a vector of another length"};
  if (first == 1) {
    if (o[0].elements.size() != in.vector) throw UnsupportedForm{"a vector of another length"};
    all.elements.insert(all.elements.end(), o[0].elements.begin(), o[0].elements.end());
  }
  std::size_t index = 0;
  vector(op, all, all.elements.size(), [&](const Operand& e) {
    return index++ < in.vector ? source(e, bytes) : slots_.result(e, bytes);
  });
}

void InstructionDecoder::fill_move(MicroOp& op, const Instruction& in) {
  if (fill_clock(op, in)) return;
  const auto& to = in.operands[0];
  const auto& from = in.operands[1];
  const auto bytes = lane_bytes(in.types[0]);
  const auto parts = std::max<std::size_t>({to.elements.size(), from.elements.size(), 1});
  const auto part = bytes / static_cast<std::uint32_t>(parts);
  const auto held = std::max(part, 2U);  // a byte is held in 16 bits
  if (to.kind == Operand::Kind::kVector) {
    vector(op, to, to.elements.size(), [&](const Operand& e) { return slots_.result(e, held); });
    op.a = source(from, bytes);
    op.handler = unpack_handler(part, static_cast<std::uint32_t>(to.elements.size()));
  } else if (from.kind == Operand::Kind::kVector) {
    vector(op, from, from.elements.size(), [&](const Operand& e) { return source(e, held); });
    op.d = slots_.result(to, bytes);
    op.handler = pack_handler(part, static_cast<std::uint32_t>(from.elements.size()));
  } else {
    op.d = slots_.result(to, bytes);
    op.a = source(from, bytes);
    op.handler = copy_handler(bytes);
  }
  if (op.handler == nullptr) throw UnsupportedForm{"this vector"};
}

// A counting register has a new value at every read.
bool InstructionDecoder::fill_clock(MicroOp& op, const Instruction& in) {
  using enum ptx::SpecialRegister;
  if (in.operands[1].kind != Operand::Kind::kSpecial) return false;
  const auto which = static_cast<ptx::SpecialRegister>(in.operands[1].index);
  const bool is_low = which == clock || which == globaltimer_lo;
  const bool is_high = which == clock_hi || which == globaltimer_hi;
  if (!is_low && !is_high && which != clock64 && which != globaltimer) return false;
  const std::uint32_t bytes = is_low || is_high ? 4 : 8;
  op.d = slots_.result(in.operands[0], bytes);
  op.handler = clock_handler(bytes, is_high);
  return true;
}

}  // namespace warpgrade::sim
