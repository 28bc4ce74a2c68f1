// SPDX-License-Identifier: Apache-2.0
// Which element of a matrix lies in which lane and register of a fragment.
//
// A fragment is made of units of 8 x 8 places: a register of a source, a pair of elements of an
// addend or a result. Lane l of a unit holds row l / 4 of it, and of that row as many neighbouring
// elements as a unit has a lane, from number l % 4 on. "Outer" counts rows of a and columns of b;
// "inner" is k, or the columns of c. With m = 8 and n = 32 the roles are exchanged: outer counts
// columns of c.
//
// mma: PTX ISA 9.0, 9.7.14.5, the figures of each shape. wmma: left open there; these are an H200's
// (tests/evidence/golden/h200_mma), and what ptxas 13.0 writes for sm_75 to sm_90 uses the same
// registers for the same elements.
#pragma once

#include <cstdint>

#include "common/sim/matrix_op.h"

namespace warpgrade::sim {

struct Fragment {
  std::uint32_t units = 0;     ///< Different ones: the registers behind them repeat these.
  std::uint32_t elements = 0;  ///< Elements that a lane holds of a unit.
  std::uint32_t outer = 0;     ///< Size in outer direction.
  std::uint32_t inner_units = 1;
  bool is_tall = false;  ///< Units come in pairs, one below the other.
  bool is_result = false;

  struct Place {
    std::uint32_t outer = 0;
    std::uint32_t inner = 0;
  };
  /// The first place of a unit, lane 0's.
  Place origin(std::uint32_t unit) const {
    if (is_result) {
      const auto tile = unit / 2;
      return outer == 32 ? Place{16 * tile + 8 * (unit % 2), 0}
                         : Place{outer == 8 ? 0 : 8 * (unit % 2), 8 * tile};
    }
    const auto width = 4 * elements;
    if (!is_tall) return {8 * (unit / inner_units), width * (unit % inner_units)};
    const auto pair = unit / 2;
    return {8 * (unit % 2) + 16 * (pair / inner_units), width * (pair % inner_units)};
  }
  /// The place of `element` of a unit in `lane`.
  Place place(std::uint32_t unit, std::uint32_t lane, std::uint32_t element) const {
    const auto first = origin(unit);
    return {first.outer + lane / 4, first.inner + lane % 4 * elements + element};
  }
};

/// Whether columns of c are what fragments count as outer.
constexpr bool is_exchanged(const MatrixOp& op) { return op.m == 8 && op.n == 32; }

inline Fragment source_fragment(const MatrixOp& op, MatrixOp::Operand operand) {
  const bool is_a = operand == MatrixOp::Operand::kA;
  Fragment fragment;
  const auto bytes = bytes_of(is_a ? op.a : op.b);
  fragment.elements = bytes >= 4 ? 1 : 4 / bytes;
  fragment.outer = is_a ? op.m : op.n;
  fragment.inner_units = op.k / (4 * fragment.elements);
  fragment.is_tall = is_a ? op.m >= 16 : is_exchanged(op);
  fragment.units = fragment.outer / 8 * fragment.inner_units;
  return fragment;
}

inline Fragment result_fragment(const MatrixOp& op) {
  Fragment fragment;
  fragment.is_result = true;
  fragment.elements = 2;
  fragment.outer = is_exchanged(op) ? op.n : op.m;
  fragment.units = op.m * op.n / 64;
  return fragment;
}

}  // namespace warpgrade::sim
