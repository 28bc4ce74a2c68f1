// SPDX-License-Identifier: Apache-2.0
#include "common/sim/memory/recent_pieces.h"

namespace warpgrade::sim {

RecentPieces::RecentPieces()
    : pieces_(std::size_t{kSlots} * SparseBuffer::kPiece, FirstBytes::kAny, "recent pieces"),
      owners_(kSlots),
      slots_(std::size_t{1} << kTableBits) {
  pieces_.set_touched(std::size_t{kSlots} * SparseBuffer::kPiece);
}

std::byte* RecentPieces::make(SparseBuffer& buffer, std::uint64_t begin, std::uint64_t key) {
  const auto slot = next_;
  next_ = (next_ + 1) % kSlots;
  owners_[slot] = key;
  slots_[hash(key)] = slot;
  buffer.read_piece(begin, bytes_of(slot));
  return bytes_of(slot);
}

RecentPieces& recent_pieces() {
  thread_local RecentPieces one;
  return one;
}

}  // namespace warpgrade::sim
