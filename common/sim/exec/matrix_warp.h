// SPDX-License-Identifier: Apache-2.0
// Parts shared by all matrix instructions: their description, and the check that a whole warp
// executes them.
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

/// Whether all 32 lanes execute `op` together; otherwise the warp faults. ".aligned requires that
/// all threads in the warp must execute the same instruction" (PTX ISA 9.0, 9.7.14): a missing lane
/// leaves all results undefined.
bool whole_warp(Warp& warp, const MicroOp& op, std::uint32_t mask);

/// The lanes with the row addresses of 1 to 4 tiles: lane 8 t + r has the address of row r of tile
/// t.
constexpr std::uint32_t rows_mask(std::size_t tiles) {
  return tiles >= 4 ? run::kFullMask : (1U << (8 * tiles)) - 1;
}

/// Transposes an 8 x 8 tile of two-byte elements, two per lane.
void transpose_tile(const std::uint32_t (&words)[run::kWarpSize],
                    std::uint32_t (&transposed)[run::kWarpSize]);

/// Reads or writes `bytes` per lane in `mask` at the addresses in MatrixOp::addresses, and notifies
/// observers. `data` has the lanes' bytes side by side. Returns false if the warp has faulted.
bool move_matrix_part(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
                      std::byte* data);

}  // namespace warpgrade::sim
