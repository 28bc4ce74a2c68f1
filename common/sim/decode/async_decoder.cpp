// SPDX-License-Identifier: Apache-2.0
// The part of InstructionDecoder that decodes asynchronous copies, barrier objects, set and lop3.
#include <algorithm>

#include "common/sim/decode/instruction_decoder.h"
#include "common/sim/decode/set_join.h"
#include "common/sim/exec/handlers.h"

namespace warpgrade::sim {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;
using ptx::StateSpace;
using ptx::Type;

namespace {

std::uint32_t join_of(const ptx::ModifierSet& m) {
  return static_cast<std::uint32_t>(m.has(Modifier::and_)   ? Join::kAnd
                                    : m.has(Modifier::or_)  ? Join::kOr
                                    : m.has(Modifier::xor_) ? Join::kXor
                                                            : Join::kNone);
}

// The bits that set writes for true, by result type.
std::int64_t true_bits(Type type) {
  switch (type) {
    case Type::kF32:
      return 0x3f800000;
    case Type::kF16:
    case Type::kF16x2:
      return 0x3c00;
    case Type::kBf16:
    case Type::kBf16x2:
      return 0x3f80;
    default:
      return -1;
  }
}

}  // namespace

// d, a, b [, c]: the second type is the type of the sources.
void InstructionDecoder::fill_set(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto bytes = lane_bytes(in.types[1]);
  op.d = slots_.result(o[0], lane_bytes(in.types[0]));
  op.a = source(o[1], bytes);
  op.b = source(o[2], bytes);
  op.target = join_of(in.modifiers);
  op.offset = true_bits(in.types[0]);
  const bool joins = op.target != static_cast<std::uint32_t>(Join::kNone);
  if (joins != (o.size() > 3)) throw UnsupportedForm{"this number of operands"};
  if (joins) op.c = source(o[3], 1);
}

// d, a, b, c, table; or d|p, a, b, c, table, q.
void InstructionDecoder::fill_lookup(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const std::size_t first = in.has_second_result ? 2 : 1;
  const std::size_t count = in.has_second_result ? 7 : 5;
  if (o.size() != count) throw UnsupportedForm{"this number of operands"};
  const auto& table = o[first + 3];
  if (table.kind != Operand::Kind::kImmediate) throw UnsupportedForm{"a table in a register"};
  op.offset = static_cast<std::int64_t>(table.bits & 0xff);
  op.d = slots_.result(o[0], 4);
  op.a = source(o[first], 4);
  op.b = source(o[first + 1], 4);
  op.c = source(o[first + 2], 4);
  if (in.has_second_result) test_lookup(op, in);
}

// p = (d != 0) op q, after lop3.
void InstructionDecoder::test_lookup(const MicroOp& op, const Instruction& in) {
  Instruction compare;
  compare.opcode = ptx::Opcode::setp;
  compare.modifiers.add(Modifier::ne);
  compare.modifiers.add(in.modifiers.has(Modifier::and_) ? Modifier::and_ : Modifier::or_);
  compare.types[0] = Type::kU32;
  MicroOp test = guard_;
  test.instruction = kNoInstruction;
  test.handler = setp_handler(compare);
  test.d = slots_.result(in.operands[1], 1);
  test.a = op.d;
  test.b = slots_.constant(0, 4);
  test.c = source(in.operands[6], 1);
  after_.push_back(test);
}

// cp.async: [shared], [global], bytes [, bytes to read]; or an arrival; or a wait.
void InstructionDecoder::fill_copy(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto& m = in.modifiers;
  if (m.has(Modifier::mbarrier_)) {
    if (o.size() != 1 || o[0].kind != Operand::Kind::kAddress) throw UnsupportedForm{"this"};
    op.operation = run::Operation::kAtomic;
    address(op, o[0]);
    op.b = slots_.constant(1, 4);
    return;
  }
  if (m.has(Modifier::wait_group)) {
    if (o.size() != 1 || o[0].kind != Operand::Kind::kImmediate) throw UnsupportedForm{"this"};
    op.target = static_cast<std::uint32_t>(std::min<std::uint64_t>(o[0].bits, 0xffffffffU));
    return;
  }
  if (!m.has(Modifier::ca) && !m.has(Modifier::cg)) return;
  if (o.size() < 3 || o[0].kind != Operand::Kind::kAddress ||
      o[1].kind != Operand::Kind::kAddress || o[2].kind != Operand::Kind::kImmediate) {
    throw UnsupportedForm{"these operands"};
  }
  MicroOp from;
  address(from, o[1]);
  if (from.offset != static_cast<std::int32_t>(from.offset)) throw UnsupportedForm{"this offset"};
  op.b = from.a;
  op.target = static_cast<std::uint32_t>(static_cast<std::int32_t>(from.offset));
  address(op, o[0]);
  op.space = StateSpace::kShared;
  op.operation = run::Operation::kStore;
  if (o.size() > 3) op.c = source(o[3], 4);
}

// cp.async.bulk: [to], [from], size [, [object]] [, blocks].
void InstructionDecoder::fill_bulk_copy(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto& m = in.modifiers;
  const bool has_object = m.has(Modifier::complete_tx_bytes);
  const bool has_blocks = m.has(Modifier::multicast);
  if (o.size() != 3U + (has_object ? 1 : 0) + (has_blocks ? 1 : 0) ||
      o[1].kind != Operand::Kind::kAddress ||
      (has_object && o[3].kind != Operand::Kind::kAddress)) {
    throw UnsupportedForm{"these operands"};
  }
  op.is_bulk = true;
  op.a = address_slot(o[0]);
  op.b = address_slot(o[1]);
  op.c = source(o[2], 4);
  if (has_object) op.e = address_slot(o[3]);
  if (has_blocks) op.d = source(o[4], 2);
  if (m.has(Modifier::reduce_)) code_.has_global_atomics = true;
}

// mbarrier: [object], count; token, [object] [, count]; p, [object], token or parity.
void InstructionDecoder::fill_barrier_object(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto& m = in.modifiers;
  const auto need = [&](std::size_t count, std::size_t place) {
    if (o.size() < count || o[place].kind != Operand::Kind::kAddress) {
      throw UnsupportedForm{"these operands"};
    }
    address(op, o[place]);
  };
  if (m.has(Modifier::inval)) return;
  if (m.has(Modifier::pending_count)) {
    if (o.size() < 2) throw UnsupportedForm{"this number of operands"};
    op.d = slots_.result(o[0], 4);
    op.a = source(o[1], 8);
    return;
  }
  op.operation = run::Operation::kAtomic;
  if (m.has(Modifier::init)) {
    need(2, 0);
    op.operation = run::Operation::kStore;
    op.b = source(o[1], 4);
  } else if (m.has(Modifier::arrive) || m.has(Modifier::arrive_drop)) {
    need(2, 1);
    if (o[0].kind != Operand::Kind::kSink) op.d = slots_.result(o[0], 8);
    // .expect_tx: [object], bytes, with one arrival.
    const bool expects = m.has(Modifier::expect_tx);
    if (expects && o.size() != 3) throw UnsupportedForm{"this number of operands"};
    op.b = o.size() > 2 && !expects ? source(o[2], 4) : slots_.constant(1, 4);
    if (expects) op.c = source(o[2], 4);
  } else if (m.has(Modifier::expect_tx) || m.has(Modifier::complete_tx)) {
    need(2, 0);
    op.b = source(o[1], 4);
  } else {
    need(3, 1);
    op.d = slots_.result(o[0], 1);
    op.b = source(o[2], m.has(Modifier::parity) ? 4 : 8);
  }
}

}  // namespace warpgrade::sim
