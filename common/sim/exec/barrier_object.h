// SPDX-License-Identifier: Apache-2.0
// What an mbarrier object holds: 64 bits of shared memory, which PTX leaves opaque.
//
// Arrivals still to come (20 bits), arrivals of a phase (20 bits), bytes of copies still to come
// (21 bits, signed: a copy may complete before its bytes are announced), the number of the phase
// modulo 8 (3 bits).
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
  /// False: there are more than an object can count.
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
