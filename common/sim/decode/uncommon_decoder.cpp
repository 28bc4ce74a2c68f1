// SPDX-License-Identifier: Apache-2.0
// The parts of InstructionDecoder for instructions that few kernels contain.
//
// These are asynchronous copies, barrier objects, set, lop3, and matrix instructions: mma, wmma,
// ldmatrix and similar.
#include <algorithm>
#include <cstdint>

#include "common/ptx/instruction_facts.h"
#include "common/sim/decode/instruction_decoder.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/exec/uncommon/matrix_fragment.h"
#include "common/sim/exec/uncommon/mma.h"
#include "common/sim/micro_op.h"

namespace warpgrade::sim {

// The part of InstructionDecoder that decodes asynchronous copies, barrier objects, set and lop3.

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

// The part of InstructionDecoder that decodes matrix instructions: mma, wmma, ldmatrix and similar.

namespace {

Element element_of(Type type) {
  switch (type) {
    case Type::kF16:
      return Element::kF16;
    case Type::kBf16:
      return Element::kBf16;
    case Type::kTf32:
      return Element::kTf32;
    case Type::kF32:
      return Element::kF32;
    case Type::kF64:
      return Element::kF64;
    case Type::kS8:
      return Element::kS8;
    case Type::kU8:
      return Element::kU8;
    case Type::kS32:
      return Element::kS32;
    default:
      throw UnsupportedForm{"a matrix of this type"};
  }
}

void set_shape(MatrixOp& matrix, const Instruction& in) {
  const auto shape = ptx::matrix_shape(in);
  if (!shape) throw UnsupportedForm{"a matrix of this shape"};
  matrix.m = shape->m;
  matrix.n = shape->n;
  matrix.k = shape->k;
}

// d, a, b, c; or only d and c if a and b are f16.
void set_types(MatrixOp& matrix, const Instruction& in) {
  const auto& t = in.types;
  matrix.d = element_of(t[0]);
  matrix.a = in.type_count == 4 ? element_of(t[1]) : Element::kF16;
  matrix.b = in.type_count == 4 ? element_of(t[2]) : Element::kF16;
  matrix.c = element_of(t[in.type_count == 4 ? 3 : 1]);
  if (in.type_count != 4 && in.type_count != 2) throw UnsupportedForm{"these types"};
}

// k times the source size is 32 bytes, 16, or, for small `m` and `n`, 8; for f64 it is up to 128.
void check_product(const MatrixOp& matrix) {
  const bool is_small = matrix.m == 8 && matrix.n == 8;
  const auto bytes = matrix.k * bytes_of(matrix.a);
  const bool is_double = matrix.a == Element::kF64;
  const bool fits = is_double ? bytes >= 32 : bytes == 16 || (bytes == 32 && !is_small);
  const bool is_volta = is_small && matrix.a == Element::kF16;
  if (!fits || is_volta || bytes_of(matrix.a) != bytes_of(matrix.b)) {
    throw UnsupportedForm{"this shape of these types"};
  }
}

std::uint32_t step_of(const MatrixOp& matrix, bool is_wmma) {
  if (matrix.a != Element::kTf32) return std::min<std::uint32_t>(matrix.k, matrix.rule.half_step);
  // ptxas splits wmma's k = 8 into two products with k = 4.
  return std::min<std::uint32_t>(matrix.k, is_wmma ? 4 : matrix.rule.tf32_step);
}

// Number of 4-byte or 8-byte registers in the fragment of a source or a result.
std::size_t registers_of(const Fragment& fragment, Element element) {
  const auto bytes = std::max<std::uint32_t>(bytes_of(element), 4);
  return fragment.units * fragment.elements * bytes_of(element) / bytes;
}

}  // namespace

// mma and wmma.mma: d, a, b, c.
void InstructionDecoder::fill_product(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  if (o.size() != 4) throw UnsupportedForm{"this number of operands"};
  MatrixOp matrix;
  set_shape(matrix, in);
  set_types(matrix, in);
  check_product(matrix);
  matrix.rule = tensor_rule(module_.target);
  matrix.step = step_of(matrix, in.modifiers.has(Modifier::mma_));
  matrix.saturates = in.modifiers.has(Modifier::satfinite);
  matrix.d_slots = fragment_slots(o[0], matrix.d, true);
  matrix.a_slots = fragment_slots(o[1], matrix.a, false);
  matrix.b_slots = fragment_slots(o[2], matrix.b, false);
  matrix.c_slots = fragment_slots(o[3], matrix.c, false);
  using Part = MatrixOp::Operand;
  const auto result = result_fragment(matrix);
  if (matrix.d_slots.size() != registers_of(result, matrix.d) ||
      matrix.c_slots.size() != registers_of(result, matrix.c) ||
      matrix.a_slots.size() < registers_of(source_fragment(matrix, Part::kA), matrix.a) ||
      matrix.b_slots.size() < registers_of(source_fragment(matrix, Part::kB), matrix.b)) {
    throw UnsupportedForm{"fragments of this size"};
  }
  add_matrix(op, std::move(matrix));
}

// wmma.load: d, [address] [, stride]; wmma.store: [address], d [, stride].
void InstructionDecoder::fill_fragment(MicroOp& op, const Instruction& in) {
  using Part = MatrixOp::Operand;
  const auto& o = in.operands;
  const auto& m = in.modifiers;
  const bool stores = m.has(Modifier::store);
  MatrixOp matrix;
  set_shape(matrix, in);
  matrix.operand = m.has(Modifier::matrix_a)   ? Part::kA
                   : m.has(Modifier::matrix_b) ? Part::kB
                   : stores                    ? Part::kD
                                               : Part::kC;
  matrix.column_major = m.has(Modifier::col);
  const auto element = element_of(in.types[0]);
  matrix.a = matrix.b = matrix.c = matrix.d = element;
  const bool is_source = matrix.operand == Part::kA || matrix.operand == Part::kB;
  matrix.d_slots = fragment_slots(o[stores ? 1 : 0], element, !stores);
  const auto fragment =
      is_source ? source_fragment(matrix, matrix.operand) : result_fragment(matrix);
  const auto needed = registers_of(fragment, element);
  if (needed == 0 || matrix.d_slots.size() < needed) throw UnsupportedForm{"this fragment"};
  matrix.addresses = slots_.new_slot(8);
  address(op, o[stores ? 0 : 1]);
  // Without a stride, rows (or columns) are contiguous.
  const auto rows = matrix.operand == Part::kB ? matrix.k : matrix.m;
  const auto columns = matrix.operand == Part::kA ? matrix.k : matrix.n;
  op.b = o.size() > 2 ? source(o[2], 4) : slots_.constant(matrix.column_major ? rows : columns, 4);
  op.operation = stores ? run::Operation::kStore : run::Operation::kLoad;
  add_matrix(op, std::move(matrix));
}

// ldmatrix: d, [address]; stmatrix: [address], d.
void InstructionDecoder::fill_tiles(MicroOp& op, const Instruction& in) {
  const auto& o = in.operands;
  const auto& m = in.modifiers;
  const bool stores = ptx::facts(in).memory == ptx::MemoryRole::kStore;
  const std::size_t tiles = m.has(Modifier::x4)   ? 4
                            : m.has(Modifier::x2) ? 2
                            : m.has(Modifier::x1) ? 1
                                                  : 0;
  if (tiles == 0 || !m.has(Modifier::m8n8)) throw UnsupportedForm{"tiles of this shape"};
  MatrixOp matrix;
  matrix.transposes = m.has(Modifier::trans);
  matrix.d_slots = fragment_slots(o[stores ? 1 : 0], Element::kF32, !stores);
  if (matrix.d_slots.size() != tiles) throw UnsupportedForm{"a vector of another length"};
  matrix.addresses = slots_.new_slot(8);
  address(op, o[stores ? 0 : 1]);
  op.operation = stores ? run::Operation::kStore : run::Operation::kLoad;
  add_matrix(op, std::move(matrix));
}

std::vector<Slot> InstructionDecoder::fragment_slots(const Operand& operand, Element element,
                                                     bool is_result) {
  const std::uint32_t bytes = element == Element::kF64 ? 8 : 4;
  std::vector<Slot> slots;
  const auto add = [&](const Operand& one) {
    slots.push_back(is_result ? slots_.result(one, bytes) : source(one, bytes));
  };
  if (operand.kind == Operand::Kind::kVector) {
    for (const auto& one : operand.elements) add(one);
  } else {
    add(operand);
  }
  return slots;
}

void InstructionDecoder::add_matrix(MicroOp& op, MatrixOp matrix) {
  op.target = static_cast<std::uint32_t>(code_.matrices.size());
  code_.matrices.push_back(std::move(matrix));
}

}  // namespace warpgrade::sim
