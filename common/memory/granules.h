// SPDX-License-Identifier: Apache-2.0
// The bytes that one request touches, as a list of 64-byte granules with a bit a byte.
//
// A granule is two sectors of 32 bytes and half a line of 128, and it is what Hopper's L2 fetches
// from DRAM. One list therefore serves the coalescing rules, the L1 model and the footprint.
#pragma once

#include <array>
#include <cstdint>

#include "common/memory/distinct.h"
#include "common/memory/request.h"

namespace warpgrade::memory {

struct Granules {
  std::uint32_t count = 0;
  bool sorted = true;                         ///< Indices strictly ascend or strictly descend.
  std::array<std::uint64_t, kMaxKeys> index;  ///< Address / 64, each once; [count] are set.
  std::array<std::uint64_t, kMaxKeys> bytes;  ///< Bit b: byte b of the granule is touched.
};

/// The granules of a request to addresses as they stand; lanes that cross a granule are cut.
void gather(const Request& request, Granules& out);

/// The granules of the contiguous bytes [address, address + bytes): a request of unit stride.
void gather_range(std::uint64_t address, std::uint32_t bytes, Granules& out);

/// The granules of a request to local memory, where hardware interleaves the lanes: word w of lane
/// l lies at 128 * w + 4 * l, so that lanes at the same offset share a line.
void gather_local(const Request& request, Granules& out);

}  // namespace warpgrade::memory
