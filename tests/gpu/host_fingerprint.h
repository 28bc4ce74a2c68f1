// SPDX-License-Identifier: Apache-2.0
// Computes the fingerprint of bytes on the host, for tests of the kernel that computes it on the
// device.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "common/gpu/timed_memory.h"

namespace warpgrade::gpu::testing {

inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

inline Fingerprint fingerprint(std::span<const std::byte> bytes, const FingerprintKey& key) {
  Fingerprint sum;
  for (std::uint64_t i = 0; 8 * i < bytes.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + 8 * i, std::min<std::size_t>(8, bytes.size() - 8 * i));
    sum.low += mixed(word ^ (i * 0x9e3779b97f4a7c15U + key.low));
    sum.high += mixed(~word + (i * 0xd1342543de82ef95U ^ key.high));
  }
  return sum;
}

}  // namespace warpgrade::gpu::testing
