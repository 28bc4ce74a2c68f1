// SPDX-License-Identifier: Apache-2.0
// A triple of extents or indices: a grid, a block, a block index, a thread index.
#pragma once

#include <cstdint>

namespace warpgrade::base {

struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  friend bool operator==(const Dim3&, const Dim3&) = default;
};

/// Number of points in an extent; does not overflow for extents that CUDA accepts.
constexpr std::uint64_t volume(const Dim3& extent) {
  return std::uint64_t{extent.x} * extent.y * extent.z;
}

/// The index with the linear number `linear` (x fastest, then y, then z) in `extent`.
constexpr Dim3 index_at(std::uint64_t linear, const Dim3& extent) {
  return {static_cast<std::uint32_t>(linear % extent.x),
          static_cast<std::uint32_t>(linear / extent.x % extent.y),
          static_cast<std::uint32_t>(linear / extent.x / extent.y)};
}

/// The linear number of the index `at` in `extent`; the inverse of index_at().
constexpr std::uint64_t linear_at(const Dim3& at, const Dim3& extent) {
  return at.x + std::uint64_t{extent.x} * (at.y + std::uint64_t{extent.y} * at.z);
}

/// The quotients of the three numbers, rounded down.
constexpr Dim3 divided(const Dim3& a, const Dim3& b) { return {a.x / b.x, a.y / b.y, a.z / b.z}; }

}  // namespace warpgrade::base
