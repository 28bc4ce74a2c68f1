// SPDX-License-Identifier: Apache-2.0
// Buffers of gigabytes with few touched bytes: their content is made in pieces on demand.
//
// In: the pattern of a buffer, and addresses. Out: host addresses for the lanes of an access.
// Pieces are stored in the order of their creation, so a launch uses only as much host memory as
// it touches. Pieces of inputs that no thread writes are made again instead of kept. Host memory
// comes from kept address ranges, because the system's clearing of pages would cost more than the
// writes.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/run/launch.h"

namespace warpgrade::sim {

// Host memory for large, short-lived tables: address ranges that use memory only where touched, and
// that are kept for the next table.
//
// The system clears a page on first use. For a table with a few written megabytes, clearing takes
// longer than writing. Therefore a table declares its initial content: zeros, or whatever an
// earlier table left. The amount of kept memory is limited.

/// The initial content of a KeptMemory. With kZeros, its user must zero it again before
/// destruction.
enum class FirstBytes { kZeros, kAny };

class KeptMemory {
 public:
  /// At least `bytes` bytes, page-aligned. Throws base::ToolError, which names `user`, if the host
  /// has no address range left.
  KeptMemory(std::size_t bytes, FirstBytes first, const std::string& user);
  ~KeptMemory();
  KeptMemory(KeptMemory&& other) noexcept;
  KeptMemory& operator=(KeptMemory&&) = delete;

  std::byte* get() const { return bytes_; }
  /// Sets how many leading bytes this user may have touched. Without this call the memory is
  /// released at destruction.
  void set_touched(std::size_t bytes) {
    touched_ = std::max(touched_, bytes);
    is_known_ = true;
  }

  /// Limit on the bytes kept by all destroyed objects.
  static constexpr std::size_t kMostKept = std::size_t{192} << 20;
  /// Bytes kept now.
  static std::size_t kept();

 private:
  std::byte* bytes_ = nullptr;
  std::size_t size_ = 0;  // a power of two, so that tables of similar size can reuse it
  FirstBytes first_ = FirstBytes::kZeros;
  std::size_t touched_ = 0;  // by this user or an earlier one: leading bytes with host memory
  bool is_known_ = false;
};

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

// The pieces of inputs that a thread has read last.
//
// The pattern of an input determines each piece. Pieces of inputs that no thread writes are
// therefore made again on demand instead of kept: a sum over 500 MB would spend half of its time on
// pages that the system clears. A piece stays valid while the thread requests kHeld others, more
// than an access of a warp touches.

class RecentPieces {
 public:
  static constexpr std::uint32_t kSlots = 1U << 13;
  static constexpr std::uint32_t kHeld = 128;

  RecentPieces();

  /// The host address of the piece that begins at byte `begin` of a buffer that is only read.
  std::byte* at(SparseBuffer& buffer, std::uint64_t begin) {
    const auto key = buffer.key_of(begin);
    const auto slot = slots_[hash(key)];
    const bool stays = (slot - next_) % kSlots >= kHeld;
    return owners_[slot] == key && stays ? bytes_of(slot) : make(buffer, begin, key);
  }

 private:
  static constexpr std::uint32_t kTableBits = 14;

  static std::uint64_t hash(std::uint64_t key) {
    return key * 0x9e3779b97f4a7c15U >> (64 - kTableBits);
  }
  std::byte* bytes_of(std::uint32_t slot) const {
    return pieces_.get() + std::uint64_t{slot} * SparseBuffer::kPiece;
  }
  std::byte* make(SparseBuffer& buffer, std::uint64_t begin, std::uint64_t key);

  KeptMemory pieces_;
  std::vector<std::uint64_t> owners_;  // Key of the piece in each slot; 0: none.
  std::vector<std::uint32_t> slots_;   // By hash of the key: the slot in which it may be.
  std::uint32_t next_ = 0;             // The slot to use next, the oldest one.
};

/// Those of the calling thread.
RecentPieces& recent_pieces();

// Host addresses in sparse buffers, for the lanes of one access or elements in order.

/// Accesses in turn mostly share a piece, which is found once.
class SparseLanes {
 public:
  explicit SparseLanes(bool writes) : writes_(writes) {}

  std::byte* at(SparseBuffer& buffer, std::uint64_t offset) {
    const auto begin = offset - offset % SparseBuffer::kPiece;
    if (&buffer != buffer_ || begin != begin_) {
      if (writes_) buffer.mark_written();
      buffer_ = &buffer;
      begin_ = begin;
      piece_ = buffer.is_only_read() ? recent_pieces().at(buffer, begin) : buffer.at(begin);
    }
    return piece_ + (offset - begin);
  }

 private:
  bool writes_ = false;
  const SparseBuffer* buffer_ = nullptr;
  std::uint64_t begin_ = 0;
  std::byte* piece_ = nullptr;
};

}  // namespace warpgrade::sim
