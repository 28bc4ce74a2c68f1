// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/matrix_warp.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "common/sim/memory/access.h"

namespace warpgrade::sim {

bool whole_warp(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  if (mask == run::kFullMask) return true;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
  const bool ended = (~mask & ~warp.live) != 0;
  warp.fault(
      base::DiagnosticKind::kDivergentBarrier, op, lane,
      fmt::format("only {} of the 32 lanes execute this together (mask {:#010x}), which makes "
                  "the result undefined; {}",
                  std::popcount(mask), mask,
                  ended ? "give the block a multiple of 32 threads, and let none return "
                          "before a matrix operation of its warp"
                        : "let whole warps take a branch that leads to a matrix operation"));
  return false;
}

void transpose_tile(const std::uint32_t (&words)[run::kWarpSize],
                    std::uint32_t (&transposed)[run::kWarpSize]) {
  const auto at = [&](std::uint32_t row, std::uint32_t column) {
    return words[4 * row + column / 2] >> (16 * (column % 2)) & 0xffff;
  };
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
    const auto row = 2 * (lane % 4);
    transposed[lane] = at(row, lane / 4) | at(row + 1, lane / 4) << 16;
  }
}

bool move_matrix_part(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
                      std::byte* data) {
  MicroOp part = op;
  part.a = matrix_of(warp, op).addresses;
  part.offset = 0;
  const bool stores = op.operation == run::Operation::kStore;
  Access access;
  while (mask != 0) {
    if (!translate(warp, part, mask, bytes, access)) return false;
    warp.block->tell(warp, part, access.space, access.mask, bytes, access.stride,
                     stores ? data : nullptr);
    for (auto rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      auto* own = data + std::size_t{lane} * bytes;
      if (stores) {
        std::memcpy(access.host(lane), own, bytes);
      } else {
        std::memcpy(own, access.host(lane), bytes);
      }
    }
    mask &= ~access.mask;
  }
  return true;
}

}  // namespace warpgrade::sim
