// SPDX-License-Identifier: Apache-2.0
// The content of an mbarrier object: 64 bits of shared memory, which PTX leaves opaque.
//
// Outstanding arrivals (20 bits), arrivals per phase (20 bits), outstanding bytes of copies (21
// bits, signed, because a copy may complete before its bytes are announced), and the number of the
// phase modulo 8 (3 bits).
#pragma once

#include <cstdint>

namespace warpgrade::sim {

constexpr std::uint64_t kMostArrivals = (std::uint64_t{1} << 20) - 1;
constexpr std::int64_t kMostPendingBytes = (std::int64_t{1} << 20) - 1;

struct BarrierObject {
  std::uint64_t phase = 0;
  std::uint64_t expected = 0;
  std::uint64_t pending = 0;
  std::int64_t bytes_to_come = 0;

  static BarrierObject of(std::uint64_t bits) {
    const auto bytes = static_cast<std::int64_t>(bits << 3) >> 43;
    return {bits >> 61, bits >> 20 & kMostArrivals, bits & kMostArrivals, bytes};
  }
  std::uint64_t bits() const {
    return phase << 61 | (static_cast<std::uint64_t>(bytes_to_come) & 0x1fffff) << 40 |
           expected << 20 | pending;
  }
  /// Returns false if the object cannot count that many.
  bool add_bytes(std::int64_t bytes) {
    bytes_to_come += bytes;
    return bytes_to_come >= -kMostPendingBytes && bytes_to_come <= kMostPendingBytes;
  }
  void end_phase_if_complete() {
    if (pending != 0 || bytes_to_come != 0) return;
    phase = (phase + 1) % 8;
    pending = expected;
  }
};

}  // namespace warpgrade::sim
