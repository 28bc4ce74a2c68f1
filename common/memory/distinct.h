// SPDX-License-Identifier: Apache-2.0
// Finds distinct keys among the few keys of one request, with a hash table that clears at no cost.
//
// An entry contains the number of the request that made it, so entries of earlier requests count as
// free. Requests need no clearing and no allocation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpgrade::memory {

/// Most keys of one request: 32 lanes of 32 bytes in 4-byte words, each across a boundary.
constexpr std::uint32_t kMaxKeys = 512;

/// Open addressing over the keys that the caller keeps in an array; at most kMaxKeys of them.
class KeyTable {
 public:
  /// Starts a request without keys.
  void clear() {
    if ((++request_ & kLastRequest) != 0) return;
    slots_.fill(0);  // numbers wrap
    request_ = 1;
  }

  /// The position of `key` in keys[0, next). If the key is new, returns `next` and remembers the
  /// key there; the caller must store it.
  std::uint32_t position(std::uint64_t key, const std::uint64_t* keys, std::uint32_t next) {
    // Fibonacci hashing spreads strides that are powers of two.
    std::size_t slot = (key * 0x9e3779b97f4a7c15U) >> (64 - kBits);
    for (; slots_[slot] / kMaxKeys == request_; slot = (slot + 1) % slots_.size()) {
      const std::uint32_t at = slots_[slot] % kMaxKeys;
      if (keys[at] == key) return at;
    }
    slots_[slot] = request_ * kMaxKeys + next;
    return next;
  }

 private:
  static constexpr int kBits = 10;
  static constexpr std::uint32_t kLastRequest = ~std::uint32_t{0} / kMaxKeys;
  std::uint32_t request_ = 0;
  std::array<std::uint32_t, std::size_t{1} << kBits> slots_{};  ///< request * kMaxKeys + position.
};

/// A fast test for distinct keys. Only "distinct" is certain.
class KeyFilter {
 public:
  /// Starts a request without keys.
  void clear() {
    if (++request_ != 0) return;
    seen_in_.fill(0);  // numbers wrap
    request_ = 1;
  }

  /// Remembers `key`. Returns true if the key may be a repeat (1 in 4,096 by chance).
  bool may_repeat(std::uint64_t key) {
    std::uint16_t& seen_in = seen_in_[(key * 0x9e3779b97f4a7c15U) >> (64 - kBits)];
    const bool repeats = seen_in == request_;
    seen_in = request_;
    return repeats;
  }

 private:
  static constexpr int kBits = 12;
  std::uint16_t request_ = 0;
  std::array<std::uint16_t, std::size_t{1} << kBits> seen_in_{};
};

}  // namespace warpgrade::memory
