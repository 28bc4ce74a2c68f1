// SPDX-License-Identifier: Apache-2.0
#include "common/sim/exec/uncommon/matrix_fragment.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/sim/block.h"
#include "common/sim/exec/handlers.h"
#include "common/sim/memory/access.h"
#include "common/sim/micro_op.h"
#include "common/sim/warp.h"

namespace warpgrade::sim {
namespace {

/// The lanes with the row addresses of 1 to 4 tiles: lane 8 t + r has the address of row r of tile
/// t.
constexpr std::uint32_t rows_mask(std::size_t tiles) {
  return tiles >= 4 ? run::kFullMask : (1U << (8 * tiles)) - 1;
}

}  // namespace

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

/// Reads or writes `bytes` per lane in `mask` at the addresses in MatrixOp::addresses, and notifies
/// observers. `data` has the lanes' bytes side by side. Returns false if the warp has faulted.
static bool move_matrix_part(Warp& warp, const MicroOp& op, std::uint32_t mask, std::uint32_t bytes,
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

namespace {

// ldmatrix, stmatrix and movmatrix: tiles of 8 x 8 elements of two bytes (PTX ISA 9.0, 9.7.14.5.15
// to 17).
//
// Lane 8 t + r supplies the address of row r of tile t, 16 bytes, which are one access of those
// lanes. The row's elements go to four lanes, two per lane, or are transposed. The bank rule treats
// a tile like other 16-byte accesses: as a group of eight lanes.

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

namespace {

// wmma.load and wmma.store with the same accesses as in ptxas 13.0 code for sm_90.
//
// If a lane's elements of a unit (matrix_fragment.h) are adjacent in memory, they are one access.
// Otherwise, two-byte elements are loaded as transposed tiles and exchanged between lanes (MOVM),
// and other elements are loaded one by one. From memory that the instruction declares as shared,
// sources of one and two bytes are loaded like ldmatrix, up to four tiles at once.
//
// Each lane uses its own address; PTX requires that all are equal.
using ptx::Modifier;
using Words = std::uint32_t[run::kWarpSize];

/// The operand that an instruction moves.
class Moved {
 public:
  Moved(Warp& warp, const MicroOp& op)
      : warp_(warp),
        op_(op),
        matrix_(matrix_of(warp, op)),
        is_source_(matrix_.operand == MatrixOp::Operand::kA ||
                   matrix_.operand == MatrixOp::Operand::kB),
        fragment_(is_source_ ? source_fragment(matrix_, matrix_.operand)
                             : result_fragment(matrix_)),
        bytes_(bytes_of(element())) {
    // Neighbours in the inner direction: k for a and b, columns for c, unless exchanged.
    const bool inner_is_columns =
        matrix_.operand == MatrixOp::Operand::kA || (!is_source_ && !is_exchanged(matrix_));
    runs_inner_ = inner_is_columns != matrix_.column_major;
  }

  Element element() const {
    switch (matrix_.operand) {
      case MatrixOp::Operand::kA:
        return matrix_.a;
      case MatrixOp::Operand::kB:
        return matrix_.b;
      case MatrixOp::Operand::kC:
        return matrix_.c;
      case MatrixOp::Operand::kD:
        return matrix_.d;
    }
    return {};
  }

  std::uint32_t units() const { return fragment_.units; }
  std::uint32_t unit_bytes() const { return fragment_.elements * bytes_; }
  bool is_whole() const { return runs_inner_; }
  bool is_turned() const { return !runs_inner_ && bytes_ == 2; }
  bool comes_as_tiles() const {
    return op_.space == ptx::StateSpace::kShared && is_source_ &&
           (bytes_ == 2 || (bytes_ == 1 && runs_inner_));
  }
  std::uint32_t tiles_at_once() const { return bytes_ == 2 ? 4 : 2; }

  /// Whether every lane's stride is permitted by the manual; otherwise the warp faults.
  bool stride_is_right() const {
    if (bytes_ == 1) return true;
    const auto* stride = warp_.lanes<std::uint32_t>(op_.b);
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      if (stride[lane] * bytes_ % 16 == 0) continue;
      warp_.fault(base::DiagnosticKind::kMisaligned, op_, lane,
                  fmt::format("the leading dimension of a matrix operation is {} elements of {} "
                              "bytes; it must be a multiple of 16 bytes, which are {} elements",
                              stride[lane], bytes_, 16 / bytes_));
      return false;
    }
    return true;
  }

  /// Sets one element's address for each lane, at place(lane).
  template <typename PlaceOf>
  void take_addresses(const PlaceOf& place) const {
    const auto* base = warp_.lanes<std::uint64_t>(op_.a);
    const auto* stride = warp_.lanes<std::uint32_t>(op_.b);
    auto* to = warp_.lanes<std::uint64_t>(matrix_.addresses);
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
      const Fragment::Place at = place(lane);
      const auto far = runs_inner_ ? at.outer : at.inner;
      const auto near = runs_inner_ ? at.inner : at.outer;
      to[lane] = base[lane] + static_cast<std::uint64_t>(op_.offset) +
                 (std::uint64_t{far} * stride[lane] + near) * bytes_;
    }
  }
  void whole_unit(std::uint32_t unit) const {
    take_addresses([&](std::uint32_t lane) { return fragment_.place(unit, lane, 0); });
  }
  void turned_unit(std::uint32_t unit) const {
    const auto first = fragment_.origin(unit);
    take_addresses([&](std::uint32_t lane) {
      return Fragment::Place{first.outer + lane % 4 * 2, first.inner + lane / 4};
    });
  }
  void single_element(std::uint32_t unit, std::uint32_t element) const {
    take_addresses([&](std::uint32_t lane) { return fragment_.place(unit, lane, element); });
  }
  void tile_rows(std::uint32_t first_unit) const {
    take_addresses([&](std::uint32_t lane) {
      const auto origin = fragment_.origin(std::min(first_unit + lane / 8, units() - 1));
      return runs_inner_ ? Fragment::Place{origin.outer + lane % 8, origin.inner}
                         : Fragment::Place{origin.outer, origin.inner + lane % 8};
    });
  }

  /// Copies the elements of a unit to or from registers; `data` is 32 lanes of unit_bytes().
  void put(std::uint32_t unit, const std::byte* data) const {
    for_each_register(unit, [&](std::byte* slot, std::uint32_t at, std::uint32_t size) {
      for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
        std::memcpy(slot + lane * size, data + lane * unit_bytes() + at, size);
      }
    });
  }
  void get(std::uint32_t unit, std::byte* data) const {
    for_each_register(unit, [&](const std::byte* slot, std::uint32_t at, std::uint32_t size) {
      for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
        std::memcpy(data + lane * unit_bytes() + at, slot + lane * size, size);
      }
    });
  }
  /// Registers after the units repeat the same elements.
  void repeat() const {
    const auto& slots = matrix_.d_slots;
    if (!is_source_) return;
    for (std::size_t r = units(); r < slots.size(); ++r) {
      std::memcpy(warp_.lanes<std::byte>(slots[r]), warp_.lanes<std::byte>(slots[r % units()]),
                  sizeof(Words));
    }
  }

 private:
  // A unit is one register, or two for a pair of four-byte or eight-byte results.
  template <typename Body>
  void for_each_register(std::uint32_t unit, const Body& body) const {
    const std::uint32_t size = std::max<std::uint32_t>(bytes_, 4);
    const auto count = unit_bytes() / size;
    for (std::uint32_t r = 0; r < count; ++r) {
      body(warp_.lanes<std::byte>(matrix_.d_slots[unit * count + r]), r * size, size);
    }
  }

  Warp& warp_;
  const MicroOp& op_;
  const MatrixOp& matrix_;
  bool is_source_;
  Fragment fragment_;
  std::uint32_t bytes_;
  bool runs_inner_ = false;
};

void load_as_tiles(Warp& warp, const MicroOp& op, const Moved& moved) {
  for (std::uint32_t first = 0; first < moved.units(); first += moved.tiles_at_once()) {
    const auto count = std::min(moved.tiles_at_once(), moved.units() - first);
    moved.tile_rows(first);
    Words words[4] = {};
    if (!move_matrix_part(warp, op, rows_mask(count), 16, reinterpret_cast<std::byte*>(words))) {
      return;
    }
    for (std::uint32_t t = 0; t < count; ++t) {
      Words turned;
      if (moved.is_turned()) transpose_tile(words[t], turned);
      moved.put(first + t,
                reinterpret_cast<const std::byte*>(moved.is_turned() ? turned : words[t]));
    }
  }
}

void load_fragment(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  if (!whole_warp(warp, op, mask)) return;
  const Moved moved(warp, op);
  if (!moved.stride_is_right()) return;
  if (moved.comes_as_tiles()) {
    load_as_tiles(warp, op, moved);
    return moved.repeat();
  }
  for (std::uint32_t unit = 0; unit < moved.units(); ++unit) {
    const auto bytes = moved.unit_bytes();
    alignas(8) std::byte data[run::kWarpSize * 16];
    if (moved.is_whole()) {
      moved.whole_unit(unit);
      if (!move_matrix_part(warp, op, run::kFullMask, bytes, data)) return;
    } else if (moved.is_turned()) {
      Words words;
      moved.turned_unit(unit);
      if (!move_matrix_part(warp, op, run::kFullMask, bytes, reinterpret_cast<std::byte*>(words))) {
        return;
      }
      Words turned;
      transpose_tile(words, turned);
      std::memcpy(data, turned, sizeof turned);
    } else {
      const auto each = bytes_of(moved.element());
      for (std::uint32_t e = 0; e < bytes / each; ++e) {
        std::byte one[run::kWarpSize * 8];
        moved.single_element(unit, e);
        if (!move_matrix_part(warp, op, run::kFullMask, each, one)) return;
        for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
          std::memcpy(data + lane * bytes + e * each, one + lane * each, each);
        }
      }
    }
    moved.put(unit, data);
  }
  moved.repeat();
}

void store_fragment(Warp& warp, const MicroOp& op, std::uint32_t mask) {
  if (!whole_warp(warp, op, mask)) return;
  const Moved moved(warp, op);
  if (!moved.stride_is_right()) return;
  for (std::uint32_t unit = 0; unit < moved.units(); ++unit) {
    const auto bytes = moved.unit_bytes();
    alignas(8) std::byte data[run::kWarpSize * 16];
    moved.get(unit, data);
    if (moved.is_whole()) {
      moved.whole_unit(unit);
      if (!move_matrix_part(warp, op, run::kFullMask, bytes, data)) return;
    } else if (moved.is_turned()) {
      Words words;
      std::memcpy(words, data, sizeof words);
      Words turned;
      transpose_tile(words, turned);
      moved.turned_unit(unit);
      if (!move_matrix_part(warp, op, run::kFullMask, bytes,
                            reinterpret_cast<std::byte*>(turned))) {
        return;
      }
    } else {
      const auto each = bytes_of(moved.element());
      for (std::uint32_t e = 0; e < bytes / each; ++e) {
        std::byte one[run::kWarpSize * 8];
        for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) {
          std::memcpy(one + lane * each, data + lane * bytes + e * each, each);
        }
        moved.single_element(unit, e);
        if (!move_matrix_part(warp, op, run::kFullMask, each, one)) return;
      }
    }
  }
}

}  // namespace

Handler wmma_memory_handler(const Instruction& in) {
  return in.modifiers.has(Modifier::load) ? load_fragment : store_fragment;
}

}  // namespace warpgrade::sim
