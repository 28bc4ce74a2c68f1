// SPDX-License-Identifier: Apache-2.0
// One memory access of one warp, as the rules of coalescing and of banks see it.
#pragma once

#include <cstdint>

namespace warpgrade::memory {

constexpr std::uint32_t kLanes = 32;

/// Addresses are multiples of `bytes` up to 16, as hardware demands; global memory's rules also take
/// others.
struct Request {
  const std::uint64_t* address = nullptr;  ///< First byte of each lane; 32 entries.
  std::uint32_t mask = 0;                  ///< Lanes that take part.
  std::uint32_t bytes = 0;                 ///< Bytes each of them moves: 1 to 32.
};

}  // namespace warpgrade::memory
