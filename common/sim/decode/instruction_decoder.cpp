// SPDX-License-Identifier: Apache-2.0
#include "common/sim/decode/instruction_decoder.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/module.h"
#include "common/sim/decode/fma_contraction.h"
#include "common/sim/decode/operand_slots.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/rare_operands.h"
#include "common/sim/memory/address_space.h"
#include "common/sim/micro_op.h"

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
  op.teller = teller_of_rare_operands(instruction);
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

// The part of InstructionDecoder that decodes loads, stores, atomics and moves.

template <typename ToSlot>
void InstructionDecoder::vector(MicroOp& op, const Operand& operand, std::size_t count,
                                const ToSlot& to_slot) {
  if (operand.elements.size() != count) throw UnsupportedForm{"a vector of another length"};
  std::vector<Slot> slots;
  for (const auto& element : operand.elements) slots.push_back(to_slot(element));
  op.target = static_cast<std::uint32_t>(code_.vectors.size());
  code_.vectors.insert(code_.vectors.end(), slots.begin(), slots.end());
}

// The value that a load or a store moves: `operand`, or its only element, as Triton writes {%r1}.
static const Operand& moved_value(const Operand& operand, const Instruction& in) {
  const bool is_vector = operand.kind == Operand::Kind::kVector;
  if (is_vector && in.vector == 1 && operand.elements.size() == 1) return operand.elements[0];
  if (is_vector != (in.vector > 1)) throw UnsupportedForm{"a vector of another length"};
  return operand;
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
  const auto& to = moved_value(in.operands[0], in);
  if (in.vector > 1) {
    vector(op, to, in.vector, [&](const Operand& e) { return resized_result(e, in.types[0]); });
  } else {
    op.d = resized_result(to, in.types[0]);
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
  const auto& value = moved_value(in.operands[1], in);
  if (in.vector > 1) {
    vector(op, value, in.vector, [&](const Operand& e) { return resized_source(e, in.types[0]); });
  } else {
    op.b = resized_source(value, in.types[0]);
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

// The part of InstructionDecoder that decodes joint instructions of a warp's or a block's threads:
// barriers, shuffles, votes, matches, reductions.

namespace {

// Required number of operands of `in`: the row's maximum, minus an absent second result.
std::size_t operand_count(const Instruction& in) {
  const std::size_t most = ptx::row_of(in.opcode).most_operands;
  const bool may_have_two = ptx::facts(in).results == ptx::Results::kOneOrTwo;
  return may_have_two && !in.has_second_result ? most - 1 : most;
}

}  // namespace

void InstructionDecoder::fill_barrier(MicroOp& op, const Instruction& in) {
  const auto& m = in.modifiers;
  const auto& o = in.operands;
  if (m.has(Modifier::cluster)) {
    if (!o.empty()) throw UnsupportedForm{"this number of operands"};
    return;
  }
  if (o.empty()) throw UnsupportedForm{"this number of operands"};
  if (m.has(Modifier::warp)) {
    op.a = source(o[0], 4);
    op.orders_memory = true;
    return;
  }
  if (!m.has(Modifier::red)) {
    op.a = source(o[0], 4);
    if (o.size() > 1) op.b = source(o[1], 4);
    return;
  }
  // d, a [, b], c: the last is the predicate, the second the barrier.
  if (o.size() < 3) throw UnsupportedForm{"this number of operands"};
  const bool counts = m.has(Modifier::popc);
  op.reduction = counts                  ? BarrierReduction::kPopc
                 : m.has(Modifier::and_) ? BarrierReduction::kAnd
                                         : BarrierReduction::kOr;
  op.d = slots_.result(o[0], counts ? 4 : 1);
  op.a = source(o[1], 4);
  if (o.size() > 3) op.b = source(o[2], 4);
  op.c = source(o.back(), 1);
}

// d[|p], sources, member mask: the mask is the last operand.
void InstructionDecoder::fill_lanes(MicroOp& op, const Instruction& in) {
  // "These intrinsics do not imply a memory barrier. They do not guarantee any memory ordering."
  // (CUDA C++ Programming Guide on shuffles, votes, matches and reductions.) However, the toolkit's
  // own code relies on them: for tiles of several warps in cooperative_groups.h,
  // collectives_scheme() reads and writes a word again with only a vote in between, and
  // sync_warps_last_releases() acquires in one lane and notifies the others by a shuffle. Students
  // cannot change that, so all such calls in the toolkit's headers order memory here.
  op.orders_memory = in.is_of_toolkit;
  if (in.operands.size() != operand_count(in)) throw UnsupportedForm{"this number of operands"};
  fill_in_order(op, in);
}

}  // namespace warpgrade::sim
