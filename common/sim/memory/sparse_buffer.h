// SPDX-License-Identifier: Apache-2.0
// A buffer of gigabytes with few touched bytes: its content is made in pieces
// on demand.
//
// Pieces are stored in the order of their creation, so a launch uses only as much host
// memory as it touches. (At their own positions, a matrix column would use a page of
// the host for each row.) For launches that execute only some blocks
// (run::Options::blocks).
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/run/launch.h"
#include "common/run/pattern.h"
#include "common/sim/memory/kept_memory.h"

namespace warpgrade::sim {

class SparseBuffer {
 public:
  /// Bytes per piece: a row of a tile of floats; a multiple of every element size.
  static constexpr std::uint64_t kPiece = 128;

  /// Throws base::ToolError if the host has no address range left.
  explicit SparseBuffer(run::Pattern pattern);
  SparseBuffer(SparseBuffer&&) = default;
  SparseBuffer& operator=(SparseBuffer&&) = delete;
  ~SparseBuffer();

  const run::Pattern& pattern() const { return pattern_; }

  /// The host address of byte `offset` of the buffer, followed by the rest of its piece.
  /// Thread-safe.
  std::byte* at(std::uint64_t offset) {
    return pieces_.get() + slot_of(offset / kPiece) * kPiece + offset % kPiece;
  }

  /// Records that the launch writes to it. Thread-safe.
  void mark_written() {
    if (!is_written()) used_->is_written.store(true, std::memory_order_relaxed);
  }
  bool is_written() const { return used_->is_written.load(std::memory_order_relaxed); }

  /// Whether all of its content still follows from its pattern, so that RecentPieces can make it
  /// again.
  bool is_only_read() const { return pattern_.read_only && !is_written(); }
  /// Identifies the piece at byte `begin` among those of all buffers of this process; never 0.
  std::uint64_t key_of(std::uint64_t begin) const { return number_ << 40 | begin / kPiece; }
  /// Writes the first content of the piece at byte `begin` to `to`, and notes that it is used.
  /// Thread-safe.
  void read_piece(std::uint64_t begin, std::byte* to);
  /// Bytes in the pieces of an input that were used.
  std::uint64_t bytes_read() const;

  /// Bytes [begin, begin + bytes) of the buffer.
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    const std::byte* content = nullptr;  ///< Current bytes.
  };
  /// The pieces that at() has made, ascending.
  std::vector<Piece> made() const;
  /// The bytes of a piece at its creation.
  std::array<std::byte, kPiece> first_content(const Piece& piece) const;

 private:
  // A piece's slot is found through its group's slot, because a table of all pieces would again use
  // a page of the host for each row of a matrix.
  static constexpr std::uint64_t kGroup = 32;  // neighbouring pieces
  // An entry of a table: untouched, a mark that its slot is being filled, or the slot's number +
  // kFirstSlot.
  using Entry = std::atomic<std::uint32_t>;
  enum : std::uint32_t { kUntouched, kBeingMade, kFirstSlot };

  // The slot of a piece; creates the piece if necessary.
  std::uint64_t slot_of(std::uint64_t piece) {
    auto& group = reinterpret_cast<Entry*>(groups_.get())[piece / kGroup];
    auto number = group.load(std::memory_order_acquire);
    if (number < kFirstSlot) number = make_group(group);
    auto& entry = entry_of(number, piece);
    const auto slot = entry.load(std::memory_order_acquire);
    return (slot < kFirstSlot ? make_piece(entry, piece) : slot) - kFirstSlot;
  }
  Entry& entry_of(std::uint64_t group, std::uint64_t piece) const {
    const auto place = (group - kFirstSlot) * kGroup + piece % kGroup;
    return reinterpret_cast<Entry*>(entries_.get())[place];
  }
  // Enters the result of `make`, called once even if several threads reach `entry` at a time.
  template <typename Make>
  static std::uint32_t enter(Entry& entry, Make make);
  std::uint32_t make_group(Entry& group);
  std::uint32_t make_piece(Entry& entry, std::uint64_t number);
  void fill(std::uint64_t begin, std::uint64_t bytes, std::byte* to) const;
  std::uint64_t bytes_at(std::uint64_t begin) const;

  void note_use(std::uint64_t piece);

  static std::uint64_t groups_of(const run::Pattern& pattern);

  // Limit on the bytes of a table that are cleared for reuse.
  static constexpr std::size_t kMostCleared = std::size_t{4} << 20;

  struct Used {
    Entry groups{0};
    Entry slots{0};
    std::atomic<bool> is_written{false};
    std::vector<std::atomic<std::uint64_t>> read;  // A bit per piece of an input.
  };

  run::Pattern pattern_;
  std::uint64_t number_ = 0;  // Differs from every other buffer's.
  KeptMemory pieces_;         // in the order of creation
  KeptMemory groups_;         // an Entry per kGroup pieces
  KeptMemory entries_;        // groups of adjacent entries, one per piece
  std::unique_ptr<Used> used_;
};

/// One buffer per pattern.
std::vector<SparseBuffer> sparse_buffers(const std::vector<run::Pattern>& patterns);

}  // namespace warpgrade::sim
