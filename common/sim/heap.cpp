// SPDX-License-Identifier: Apache-2.0
#include "common/sim/heap.h"

#include <algorithm>
#include <iterator>

namespace warpgrade::sim {

std::optional<std::uint64_t> Heap::allocate(std::uint64_t bytes) {
  if (bytes > kBytes) return std::nullopt;
  const auto size = kOverhead + ((bytes + 15) & ~std::uint64_t{15});
  const auto gap =
      std::find_if(gaps_.begin(), gaps_.end(), [&](const auto& g) { return g.second >= size; });
  if (gap == gaps_.end()) return std::nullopt;
  const auto [offset, length] = *gap;
  gaps_.erase(gap);
  if (length > size) gaps_.emplace(offset + size, length - size);
  used_.emplace(offset, size);
  std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), size, std::byte{0xff});
  return offset;
}

bool Heap::release(std::uint64_t offset) {
  const auto piece = used_.find(offset);
  if (piece == used_.end()) return false;
  auto gap = gaps_.emplace(offset, piece->second).first;
  used_.erase(piece);
  const auto next = std::next(gap);
  if (next != gaps_.end() && gap->first + gap->second == next->first) {
    gap->second += next->second;
    gaps_.erase(next);
  }
  if (gap != gaps_.begin()) {
    const auto before = std::prev(gap);
    if (before->first + before->second == gap->first) {
      before->second += gap->second;
      gaps_.erase(gap);
    }
  }
  return true;
}

}  // namespace warpgrade::sim
