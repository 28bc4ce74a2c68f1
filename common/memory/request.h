// SPDX-License-Identifier: Apache-2.0
// One memory access of one warp, the input of the coalescing and bank rules.
#pragma once

#include <bit>
#include <cstdint>

namespace warpgrade::memory {

constexpr std::uint32_t kLanes = 32;

/// Addresses are multiples of `bytes` up to 16, as hardware requires; the rules of global memory
/// also accept others.
struct Request {
  const std::uint64_t* address = nullptr;  ///< First byte of each lane; 32 entries.
  std::uint32_t mask = 0;                  ///< Active lanes.
  std::uint32_t bytes = 0;                 ///< Bytes per lane: 1 to 32.
};

/// Calls `use` with the address of each of `lanes` in order; a plain loop if all are active.
template <typename Use>
void for_each_address(const Request& request, std::uint32_t lanes, Use use) {
  const std::uint64_t* const address = request.address;
  if (lanes == ~std::uint32_t{0}) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) use(address[lane]);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) use(address[std::countr_zero(lanes)]);
  }
}

}  // namespace warpgrade::memory
