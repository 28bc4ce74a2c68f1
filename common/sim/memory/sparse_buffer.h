// SPDX-License-Identifier: Apache-2.0
// A buffer of gigabytes of which a launch touches little: its content is made piece by piece, where
// the launch first comes to it.
//
// The memory of the host that it takes is that of the pages that were touched. For launches of
// which some blocks are executed (run::Options::blocks).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/run/launch.h"
#include "common/run/pattern.h"

namespace warpgrade::sim {

class SparseBuffer {
 public:
  /// Bytes of a piece: a row of a tile of floats. Any element's size divides it.
  static constexpr std::uint64_t kPiece = 128;

  /// Throws base::ToolError where the host has no addresses for it.
  explicit SparseBuffer(run::Pattern pattern);

  const run::Pattern& pattern() const { return pattern_; }
  /// Of pattern().bytes; a byte has its content once make() was called for it.
  std::byte* data() const { return bytes_.get(); }

  /// Makes the content of [offset, offset + bytes), which lies in the buffer. Several threads may
  /// call it at a time.
  void make(std::uint64_t offset, std::uint64_t bytes) {
    for (auto piece = offset / kPiece; piece <= (offset + bytes - 1) / kPiece; ++piece) {
      if (state(piece).load(std::memory_order_acquire) != kMade) make_piece(piece);
    }
  }

  /// Bytes [begin, begin + bytes) of the buffer.
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
  };
  /// The pieces that were made, ascending.
  std::vector<Piece> made() const;
  /// What a piece held when it was made.
  std::array<std::byte, kPiece> content(const Piece& piece) const;

 private:
  enum State : std::uint8_t { kUntouched, kBeingMade, kMade };
  struct Unmap {
    std::size_t size;
    void operator()(std::byte* bytes) const;
  };

  std::atomic<std::uint8_t>& state(std::uint64_t piece) const {
    return reinterpret_cast<std::atomic<std::uint8_t>*>(states_.get())[piece];
  }
  void make_piece(std::uint64_t number);
  void fill(const Piece& piece, std::byte* to) const;
  Piece piece_at(std::uint64_t number) const;

  run::Pattern pattern_;
  std::unique_ptr<std::byte[], Unmap> bytes_;
  std::uint64_t pieces_ = 0;
  std::unique_ptr<std::byte[], Unmap> states_;  // One std::atomic<std::uint8_t> a piece.
};

/// One a pattern.
std::vector<SparseBuffer> sparse_buffers(const std::vector<run::Pattern>& patterns);

}  // namespace warpgrade::sim
