// SPDX-License-Identifier: Apache-2.0
// The part of InstructionDecoder that decodes matrix instructions: mma, wmma, ldmatrix and similar.
#include <algorithm>

#include "common/ptx/instruction_facts.h"
#include "common/ptx/matrix_product.h"
#include "common/sim/decode/instruction_decoder.h"
#include "common/sim/exec/matrix_fragment.h"
#include "common/sim/exec/tensor_sum.h"

namespace warpgrade::sim {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Operand;
using ptx::Type;

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
