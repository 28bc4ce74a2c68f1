// SPDX-License-Identifier: Apache-2.0
// Inputs and hash of the golden data, shared by the program that ran on the H200 (golden.cu) and
// the test that runs the same kernels on the simulator.
//
// Word i of every input buffer holds the bits of value(i): a float with a random sign, 24 random
// bits and one of 8 scales, so that a sum depends on the order of its terms. All steps are exact in
// IEEE arithmetic, so every host computes the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpgrade::golden {

/// A hash of 32 bits with good avalanche (the finaliser "lowbias32" of Chris Wellons).
constexpr std::uint32_t hash(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

/// Word `index` of an input, m / 2^(24 + k) with m from -2^23 to 2^23 - 1, k from 0 to 7; no -0, no
/// NaN.
constexpr float value(std::uint32_t index) {
  const std::uint32_t h = hash(index + 1);
  const auto mantissa = static_cast<std::int32_t>(h >> 8) - 0x800000;
  const auto scale = static_cast<float>(0x1000000U << (hash(h) & 7U));  // At most 2^31.
  return static_cast<float>(mantissa) / scale;
}

/// FNV-1a, 64 bits, of `bytes` bytes at `data`.
inline std::uint64_t fnv1a64(const void* data, std::size_t bytes) {
  const auto* byte = static_cast<const unsigned char*>(data);
  std::uint64_t h = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < bytes; ++i) h = (h ^ byte[i]) * 0x100000001b3U;
  return h;
}

}  // namespace warpgrade::golden
