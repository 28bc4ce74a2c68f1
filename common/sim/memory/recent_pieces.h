// SPDX-License-Identifier: Apache-2.0
// The pieces of inputs that a thread has read last.
//
// The pattern of an input determines each piece. Pieces of inputs that no thread writes are
// therefore made again on demand instead of kept: a sum over 500 MB would spend half of its time on
// pages that the system clears. A piece stays valid while the thread requests kHeld others, more
// than an access of a warp touches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/sim/memory/kept_memory.h"
#include "common/sim/memory/sparse_buffer.h"

namespace warpgrade::sim {

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

}  // namespace warpgrade::sim
