// SPDX-License-Identifier: Apache-2.0
// mma and wmma.mma: d = a * b + c of one warp (PTX ISA 9.0, 9.7.14).
//
// Fragments are gathered into matrices, with sources sorted by their outer direction so that dot
// products read adjacent elements. tensor_sum.h adds floats; f64 uses fma in the order of k, like
// an H200; integers are exact, and at the end truncated to 32 bits or, with .satfinite, clamped.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "common/sim/exec/handlers.h"
#include "common/sim/exec/matrix_fragment.h"
#include "common/sim/exec/matrix_warp.h"
#include "common/sim/exec/tensor_sum.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Modifier;

constexpr std::uint32_t kMostOuter = 32;  // rows of a, or columns of b, for any shape
constexpr std::uint32_t kMostInner = 32;  // k for any shape
constexpr std::uint32_t kMostResults = 256;

template <typename T>
using Source = T[kMostOuter][kMostInner];

// Calls body(row, k, bits) for each element of a, or body(column, k, bits) for b.
template <typename Body>
void for_each_source(Warp& warp, const MatrixOp& op, MatrixOp::Operand operand, const Body& body) {
  const bool is_a = operand == MatrixOp::Operand::kA;
  const auto& slots = is_a ? op.a_slots : op.b_slots;
  const auto fragment = source_fragment(op, operand);
  const auto bits = 32 / fragment.elements;
  const auto mask = bits == 32 ? ~0U : (1U << bits) - 1;
  for (std::uint32_t unit = 0; unit < fragment.units; ++unit) {
    const auto* words = warp.lanes<std::uint32_t>(slots[unit]);
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      for (std::uint32_t e = 0; e < fragment.elements; ++e) {
        const auto place = fragment.place(unit, lane, e);
        body(place.outer, place.inner, words[lane] >> (bits * e) & mask);
      }
    }
  }
}

// Calls body(row, column, unit, lane, element) for each element of c or d.
template <typename Body>
void for_each_result(const MatrixOp& op, const Body& body) {
  const auto fragment = result_fragment(op);
  const bool exchanged = is_exchanged(op);
  for (std::uint32_t unit = 0; unit < fragment.units; ++unit) {
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      for (std::uint32_t e = 0; e < fragment.elements; ++e) {
        const auto place = fragment.place(unit, lane, e);
        if (exchanged) {
          body(place.inner, place.outer, unit, lane, e);
        } else {
          body(place.outer, place.inner, unit, lane, e);
        }
      }
    }
  }
}

// d = sum(row, column, bits of c), for results of 32 bits and pairs of 16.
template <typename Sum>
void write_results(Warp& warp, const MatrixOp& op, const Sum& sum) {
  std::uint32_t results[kMostResults];
  std::uint32_t count = 0;
  for_each_result(op, [&](auto row, auto column, auto unit, auto lane, auto e) {
    const auto c = op.c == Element::kF16
                       ? warp.lanes<std::uint32_t>(op.c_slots[unit])[lane] >> (16 * e) & 0xffff
                       : warp.lanes<std::uint32_t>(op.c_slots[2 * unit + e])[lane];
    results[count++] = sum(row, column, c);
  });
  // First reads all of c, because d may share its registers.
  count = 0;
  for_each_result(op, [&](auto, auto, auto unit, auto lane, auto e) {
    const auto value = results[count++];
    if (op.d != Element::kF16) {
      warp.lanes<std::uint32_t>(op.d_slots[2 * unit + e])[lane] = value;
      return;
    }
    auto& word = warp.lanes<std::uint32_t>(op.d_slots[unit])[lane];
    word = e == 0 ? value : word | value << 16;
  });
}

void multiply_floats(Warp& warp, const MicroOp& micro_op, std::uint32_t mask) {
  if (!whole_warp(warp, micro_op, mask)) return;
  const auto& op = matrix_of(warp, micro_op);
  Source<TensorNumber> a;
  Source<TensorNumber> b;
  for_each_source(warp, op, MatrixOp::Operand::kA,
                  [&](auto row, auto k, auto bits) { a[row][k] = tensor_source(op.a, bits); });
  for_each_source(warp, op, MatrixOp::Operand::kB, [&](auto column, auto k, auto bits) {
    b[column][k] = tensor_source(op.b, bits);
  });
  // If c and d differ, sums are f32 and one of the two is converted, as in ptxas code.
  const auto format =
      op.c == Element::kF16 && op.d == Element::kF16 ? Element::kF16 : Element::kF32;
  write_results(warp, op, [&](auto row, auto column, std::uint32_t sum) {
    if (op.c != format) sum = widen_f16(sum);
    for (std::uint32_t k = 0; k < op.k; k += op.step) {
      sum = tensor_step(a[row] + k, b[column] + k, op.step, tensor_addend(format, sum), op.rule,
                        format);
    }
    return op.d == format ? sum : round_to_f16(sum);
  });
}

std::int32_t integer(Element element, std::uint32_t bits) {
  return element == Element::kS8 ? static_cast<std::int8_t>(bits) : static_cast<std::int32_t>(bits);
}

void multiply_integers(Warp& warp, const MicroOp& micro_op, std::uint32_t mask) {
  if (!whole_warp(warp, micro_op, mask)) return;
  const auto& op = matrix_of(warp, micro_op);
  Source<std::int32_t> a;
  Source<std::int32_t> b;
  for_each_source(warp, op, MatrixOp::Operand::kA,
                  [&](auto row, auto k, auto bits) { a[row][k] = integer(op.a, bits); });
  for_each_source(warp, op, MatrixOp::Operand::kB,
                  [&](auto column, auto k, auto bits) { b[column][k] = integer(op.b, bits); });
  using Limits = std::numeric_limits<std::int32_t>;
  write_results(warp, op, [&](auto row, auto column, std::uint32_t c) {
    std::int64_t sum = static_cast<std::int32_t>(c);
    for (std::uint32_t k = 0; k < op.k; ++k) sum += a[row][k] * b[column][k];
    if (op.saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    return static_cast<std::uint32_t>(sum);
  });
}

// a * b + c rounded once; of several NaNs the first of b, c and a is returned, made quiet.
double fused(double a, double b, double c) {
  const auto sum = std::fma(a, b, c);
  if (!std::isnan(sum)) return sum;
  constexpr auto kQuiet = std::uint64_t{1} << 51;
  for (const auto source : {b, c, a}) {
    if (std::isnan(source)) {
      return std::bit_cast<double>(std::bit_cast<std::uint64_t>(source) | kQuiet);
    }
  }
  return sum;
}

void multiply_doubles(Warp& warp, const MicroOp& micro_op, std::uint32_t mask) {
  if (!whole_warp(warp, micro_op, mask)) return;
  const auto& op = matrix_of(warp, micro_op);
  Source<double> a;
  Source<double> b;
  const auto gather = [&](MatrixOp::Operand operand, const auto& slots, auto& to) {
    const auto fragment = source_fragment(op, operand);
    for (std::uint32_t unit = 0; unit < fragment.units; ++unit) {
      for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
        const auto place = fragment.place(unit, lane, 0);
        to[place.outer][place.inner] = warp.lanes<double>(slots[unit])[lane];
      }
    }
  };
  gather(MatrixOp::Operand::kA, op.a_slots, a);
  gather(MatrixOp::Operand::kB, op.b_slots, b);
  double results[kMostResults];
  std::uint32_t count = 0;
  for_each_result(op, [&](auto row, auto column, auto unit, auto lane, auto e) {
    double sum = warp.lanes<double>(op.c_slots[2 * unit + e])[lane];
    for (std::uint32_t k = 0; k < op.k; ++k) sum = fused(a[row][k], b[column][k], sum);
    results[count++] = sum;
  });
  // First reads all of c, because d may share its registers.
  count = 0;
  for_each_result(op, [&](auto, auto, auto unit, auto lane, auto e) {
    warp.lanes<double>(op.d_slots[2 * unit + e])[lane] = results[count++];
  });
}

}  // namespace

Handler mma_handler(const Instruction& in) {
  switch (in.types[0]) {
    case ptx::Type::kS32:
      return multiply_integers;
    case ptx::Type::kF64:
      return multiply_doubles;
    default:
      return multiply_floats;
  }
}

}  // namespace warpgrade::sim
