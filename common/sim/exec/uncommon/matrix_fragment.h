// SPDX-License-Identifier: Apache-2.0
// Fragments of matrices: their layout in a warp's registers, loads, stores, and moves of tiles.
//
// wmma.load and wmma.store make the same accesses as in ptxas 13.0 code for sm_90. ldmatrix,
// stmatrix and movmatrix are for tiles of 8 x 8 elements of two bytes (PTX ISA 9.0, 9.7.14.5.15
// to 17). A whole warp must execute each of them.
#pragma once

#include <cstdint>

#include "common/sim/block.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

// Maps the elements of a matrix to the lanes and registers of a fragment.
//
// A fragment consists of units of 8 x 8 places: a register of a source, or a pair of elements of an
// addend or a result. Lane l of a unit holds elements of row l / 4: as many neighbouring elements
// as a unit has per lane, starting at group l % 4. "Outer" counts rows of a and columns of b;
// "inner" is k, or the columns of c. With m = 8 and n = 32 the roles are exchanged: outer counts
// columns of c.
//
// mma: PTX ISA 9.0, 9.7.14.5, the figures of each shape. wmma: unspecified there; this is the
// layout of an H200 (tests/evidence/golden/h200_mma), and the code of ptxas 13.0 for sm_75 to sm_90
// uses the same registers for the same elements.

struct Fragment {
  std::uint32_t units = 0;     ///< Distinct units; further registers repeat them.
  std::uint32_t elements = 0;  ///< Elements per lane of a unit.
  std::uint32_t outer = 0;     ///< Size in the outer direction.
  std::uint32_t inner_units = 1;
  bool is_tall = false;  ///< Units come in pairs, one below the other.
  bool is_result = false;

  struct Place {
    std::uint32_t outer = 0;
    std::uint32_t inner = 0;
  };
  /// The first place of a unit, in lane 0.
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
    return place(origin(unit), lane, element);
  }
  /// The same for a unit with this origin.
  Place place(const Place& first, std::uint32_t lane, std::uint32_t element) const {
    return {first.outer + lane / 4, first.inner + lane % 4 * elements + element};
  }
};

/// Whether the outer direction is the columns of c.
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

// Parts shared by all matrix instructions: their description, and the check that a whole warp
// executes them.

inline const MatrixOp& matrix_of(const Warp& warp, const MicroOp& op) {
  return warp.block->parts.code.matrices[op.target];
}

/// Whether all 32 lanes execute `op` together; otherwise the warp faults. ".aligned requires that
/// all threads in the warp must execute the same instruction" (PTX ISA 9.0, 9.7.14): a missing lane
/// leaves all results undefined.
bool whole_warp(Warp& warp, const MicroOp& op, std::uint32_t mask);

/// Transposes an 8 x 8 tile of two-byte elements, two per lane.
void transpose_tile(const std::uint32_t (&words)[run::kWarpSize],
                    std::uint32_t (&transposed)[run::kWarpSize]);

}  // namespace warpgrade::sim
