// SPDX-License-Identifier: Apache-2.0
// A buffer of gigabytes of which a launch touches little: its content is made piece by piece, where
// the launch first comes to it.
//
// Pieces stand side by side on the host in the order in which they were made, so the launch takes
// as much of its memory as it touches. (In their own places, a column of a matrix would take a page
// of the host's for each row.) For launches of which some blocks are executed
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
  /// Bytes of a piece: a row of a tile of floats. Any element's size divides it.
  static constexpr std::uint64_t kPiece = 128;

  /// Throws base::ToolError where the host has no addresses for it.
  explicit SparseBuffer(run::Pattern pattern);
  SparseBuffer(SparseBuffer&&) = default;
  SparseBuffer& operator=(SparseBuffer&&) = delete;
  ~SparseBuffer();

  const run::Pattern& pattern() const { return pattern_; }

  /// The host's address of byte `offset` of the buffer. The bytes behind it follow up to the end of
  /// its piece. Several threads may ask at a time.
  std::byte* at(std::uint64_t offset) {
    return pieces_.get() + slot_of(offset / kPiece) * kPiece + offset % kPiece;
  }

  /// Says that the launch writes to it. Several threads may say so at a time.
  void mark_written() {
    if (!is_written()) used_->is_written.store(true, std::memory_order_relaxed);
  }
  bool is_written() const { return used_->is_written.load(std::memory_order_relaxed); }

  /// Bytes [begin, begin + bytes) of the buffer.
  struct Piece {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    const std::byte* content = nullptr;  ///< Its bytes now.
  };
  /// The pieces that were made, in the order in which that was.
  std::vector<Piece> made() const;
  /// The bytes that a piece held when it was made.
  std::array<std::byte, kPiece> first_content(const Piece& piece) const;

 private:
  // A piece's slot is found by way of its group's, since a table of all pieces would take a page of
  // the host's for each row of a matrix again.
  static constexpr std::uint64_t kGroup = 32;  // Neighbouring pieces.
  // An entry of a table: nothing yet, a mark that its slot is being filled, or the slot's number +
  // kFirstSlot.
  using Entry = std::atomic<std::uint32_t>;
  enum : std::uint32_t { kUntouched, kBeingMade, kFirstSlot };

  // The slot of a piece; the piece is made if it is not there.
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
  std::uint64_t* owners() const { return reinterpret_cast<std::uint64_t*>(owners_.get()); }
  // Enters the number that `make` returns, once for all threads that come to `entry` at a time.
  template <typename Make>
  static std::uint32_t enter(Entry& entry, Make make);
  std::uint32_t make_group(Entry& group);
  std::uint32_t make_piece(Entry& entry, std::uint64_t number);
  void fill(std::uint64_t begin, std::uint64_t bytes, std::byte* to) const;
  std::uint64_t bytes_at(std::uint64_t begin) const;

  static std::uint64_t groups_of(const run::Pattern& pattern);

  // Bytes of a table that are cleared for the next one at most.
  static constexpr std::size_t kMostCleared = std::size_t{4} << 20;

  struct Used {
    Entry groups{0};
    Entry slots{0};
    std::atomic<bool> is_written{false};
  };

  run::Pattern pattern_;
  KeptMemory pieces_;   // In the order in which they were made.
  KeptMemory groups_;   // An Entry for kGroup pieces.
  KeptMemory entries_;  // Of the pieces of a group side by side.
  KeptMemory owners_;   // Which pieces stand in slots 0, 1, ...
  std::unique_ptr<Used> used_;
};

/// One a pattern.
std::vector<SparseBuffer> sparse_buffers(const std::vector<run::Pattern>& patterns);

}  // namespace warpgrade::sim
