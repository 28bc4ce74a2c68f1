// SPDX-License-Identifier: Apache-2.0
// Host addresses in sparse buffers, for the lanes of one access or elements in order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/sim/memory/recent_pieces.h"
#include "common/sim/memory/sparse_buffer.h"

namespace warpgrade::sim {

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
