// SPDX-License-Identifier: Apache-2.0
// ldmatrix, stmatrix and movmatrix: tiles of 8 x 8 elements of two bytes (PTX ISA 9.0, 9.7.14.5.15
// to 17).
//
// Lane 8 t + r supplies the address of row r of tile t, 16 bytes, which are one access of those
// lanes. The row's elements go to four lanes, two per lane, or are transposed. The bank rule treats
// a tile like other 16-byte accesses: as a group of eight lanes.
#include <cstdint>
#include <cstring>

#include "common/sim/exec/handlers.h"
#include "common/sim/exec/matrix_warp.h"

namespace warpgrade::sim {
namespace {

using ptx::Instruction;
using ptx::Opcode;

constexpr std::uint32_t kRowBytes = 16;
constexpr std::uint32_t kWordsPerTile = run::kWarpSize;

void take_addresses(Warp& warp, const MicroOp& op, const MatrixOp& matrix) {
  const auto* base = warp.lanes<std::uint64_t>(op.a);
  auto* to = warp.lanes<std::uint64_t>(matrix.addresses);
  for (std::uint32_t i = 0; i < run::kWarpSize; ++i) {
    to[i] = base[i] + static_cast<std::uint64_t>(op.offset);
  }
}

void load_tiles(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  if (!whole_warp(warp, op, mask)) return;
  const auto& matrix = matrix_of(warp, op);
  take_addresses(warp, op, matrix);
  // Row r of tile t is the 16 bytes of lane 8 t + r, so a tile is 32 words in the order of lanes.
  std::uint32_t words[4][kWordsPerTile] = {};
  const auto tiles = matrix.d_slots.size();
  if (!move_matrix_part(warp, op, rows_mask(tiles), kRowBytes,
                        reinterpret_cast<std::byte*>(words))) {
    return;
  }
  for (std::size_t t = 0; t < tiles; ++t) {
    std::uint32_t turned[kWordsPerTile];
    if (matrix.transposes) transpose_tile(words[t], turned);
    std::memcpy(warp.lanes<std::uint32_t>(matrix.d_slots[t]), matrix.transposes ? turned : words[t],
                sizeof turned);
  }
}

void store_tiles(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  if (!whole_warp(warp, op, mask)) return;
  const auto& matrix = matrix_of(warp, op);
  take_addresses(warp, op, matrix);
  std::uint32_t words[4][kWordsPerTile] = {};
  const auto tiles = matrix.d_slots.size();
  for (std::size_t t = 0; t < tiles; ++t) {
    std::uint32_t own[kWordsPerTile];
    std::memcpy(own, warp.lanes<std::uint32_t>(matrix.d_slots[t]), sizeof own);
    if (matrix.transposes) {
      transpose_tile(own, words[t]);
    } else {
      std::memcpy(words[t], own, sizeof own);
    }
  }
  move_matrix_part(warp, op, rows_mask(tiles), kRowBytes, reinterpret_cast<std::byte*>(words));
}

void transpose(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  if (!whole_warp(warp, op, mask)) return;
  std::uint32_t words[kWordsPerTile];
  std::memcpy(words, warp.lanes<std::uint32_t>(op.a), sizeof words);
  std::uint32_t turned[kWordsPerTile];
  transpose_tile(words, turned);
  std::memcpy(warp.lanes<std::uint32_t>(op.d), turned, sizeof turned);
}

}  // namespace

Handler matrix_tiles_handler(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::ldmatrix:
      return load_tiles;
    case Opcode::stmatrix:
      return store_tiles;
    case Opcode::movmatrix:
      return transpose;
    default:
      return nullptr;
  }
}

}  // namespace warpgrade::sim
