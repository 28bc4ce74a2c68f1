// SPDX-License-Identifier: Apache-2.0
// Distinct keys among the few of one request: a hash table on the stack, without allocation.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace warpgrade::memory {

/// Most keys of one request: 32 lanes of 32 bytes in 4-byte words, each across a boundary.
constexpr std::uint32_t kMaxKeys = 512;

/// Open addressing over the keys that the caller keeps in an array; at most `expected` of them.
class KeyTable {
 public:
  explicit KeyTable(std::uint32_t expected) : bits_(std::bit_width(expected) + 1) {
    std::fill_n(slots_.begin(), std::size_t{1} << bits_, kEmpty);
  }

  /// The position of `key` in keys[0 .. next); `next` where it is new: then it is remembered as
  /// being there, and the caller stores it.
  std::uint32_t position(std::uint64_t key, const std::uint64_t* keys, std::uint32_t next) {
    const std::size_t last = (std::size_t{1} << bits_) - 1;
    // Fibonacci hashing: strides that are powers of two spread well.
    std::size_t slot = (key * 0x9e3779b97f4a7c15U) >> (64 - bits_);
    for (; slots_[slot] != kEmpty; slot = (slot + 1) & last) {
      if (keys[slots_[slot]] == key) return slots_[slot];
    }
    slots_[slot] = static_cast<std::uint16_t>(next);
    return next;
  }

 private:
  static constexpr std::uint16_t kEmpty = 0xffff;
  int bits_;
  std::array<std::uint16_t, 4 * kMaxKeys> slots_;
};

/// Moves the distinct ones of `keys` to the front, in order of first appearance; returns how many.
inline std::uint32_t make_distinct(std::uint64_t* keys, std::uint32_t count) {
  bool ascending = true;
  bool descending = true;
  for (std::uint32_t i = 1; i < count; ++i) {
    ascending &= keys[i - 1] < keys[i];
    descending &= keys[i - 1] > keys[i];
  }
  if (ascending || descending) return count;
  KeyTable table(count);
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t key = keys[i];
    if (kept != 0 && keys[kept - 1] == key) continue;
    if (table.position(key, keys, kept) == kept) keys[kept++] = key;
  }
  return kept;
}

}  // namespace warpgrade::memory
