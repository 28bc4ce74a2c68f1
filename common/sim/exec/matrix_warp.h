// SPDX-License-Identifier: Apache-2.0
// What all matrix instructions share: their description, and that a whole warp executes them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/sim/block.h"
#include "common/sim/matrix_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {

inline const MatrixOp& matrix_of(const Warp& warp, const MicroOp& op) {
  return warp.block->code->matrices[op.target];
}

/// Whether all 32 lanes execute `op` together; if not, that is the warp's fault. ".aligned requires
/// that all threads in the warp must execute the same instruction" (PTX ISA 9.0, 9.7.14): a lane
/// that is missing leaves all results undefined.
bool whole_warp(Warp& warp, const MicroOp& op, std::uint32_t mask);

/// The lanes that name the rows of so many tiles, 1 to 4: lane 8 t + r that of row r of tile t.
constexpr std::uint32_t rows_mask(std::size_t tiles) {
  return tiles >= 4 ? run::kFullMask : (1U << (8 * tiles)) - 1;
}

/// An 8 x 8 tile of two-byte elements, two a lane, transposed.
void transpose_tile(const std::uint32_t (&words)[run::kWarpSize],
                    std::uint32_t (&transposed)[run::kWarpSize]);

/// Reads or writes `bytes` of each lane in `mask` at the addresses in MatrixOp::addresses, and
/// tells observers. `data` has each lane's bytes side by side. False: the warp has faulted.
bool move_matrix_part(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
                      std::byte* data);

}  // namespace warpgrade::sim
