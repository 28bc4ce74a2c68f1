// SPDX-License-Identifier: Apache-2.0
#include "common/sim/heap.h"

#include <algorithm>
#include <iterator>

namespace warpgrade::sim {

std::optional<std::uint64_t> Heap::allocate(std::uint64_t bytes) {
  if (bytes > kBytes) return std::nullopt;
  const auto size = kOverhead + ((bytes + 15) & ~std::uint64_t{15});
  const auto found = by_size_.lower_bound({size, 0});
  if (found == by_size_.end()) return std::nullopt;
  const auto [length, offset] = *found;
  remove_gap(gaps_.find(offset));
  if (length > size) add_gap(offset + size, length - size);
  used_.emplace(offset, size);
  std::fill_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), size, std::byte{0xff});
  return offset;
}

bool Heap::release(std::uint64_t offset) {
  const auto piece = used_.find(offset);
  if (piece == used_.end()) return false;
  auto begin = offset;
  auto end = offset + piece->second;
  used_.erase(piece);
  const auto next = gaps_.lower_bound(offset);
  if (next != gaps_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      begin = before->first;
      remove_gap(before);
    }
  }
  if (next != gaps_.end() && next->first == end) {
    end += next->second;
    remove_gap(next);
  }
  add_gap(begin, end - begin);
  return true;
}

void Heap::add_gap(std::uint64_t offset, std::uint64_t size) {
  gaps_.emplace(offset, size);
  by_size_.emplace(size, offset);
}

void Heap::remove_gap(Gap gap) {
  by_size_.erase({gap->second, gap->first});
  gaps_.erase(gap);
}

}  // namespace warpgrade::sim
