// SPDX-License-Identifier: Apache-2.0
// The blocks of one thread-block cluster (PTX ISA 9.0, 2.2.2), which run together, and the
// addresses of each other's shared memory.
//
// An address in the window of a cluster's shared memory (.shared::cluster) is an offset in the
// block's own shared memory; for another block it is kClusterStride times (its rank plus one), plus
// an offset there. mapa computes such an address; a block's own addresses do not change.
#pragma once

#include <cstdint>
#include <vector>

namespace warpgrade::sim {

struct Block;

/// Address range of one block's shared memory; more than any block has.
constexpr std::uint64_t kClusterStride = std::uint64_t{1} << 24;
/// Limit on the blocks of a cluster on any device, and on every device with clusters.
constexpr std::uint32_t kMostClusterBlocks = 16;
constexpr std::uint32_t kPortableClusterBlocks = 8;
/// The number of the cluster's barrier, following those of the block.
constexpr std::uint32_t kClusterBarrier = 16;

struct Cluster {
  std::vector<Block*> blocks;  ///< By rank.
};

/// The rank of the block that contains `offset`, an offset in the window of shared memory, seen
/// from a block of rank `own`.
constexpr std::uint32_t rank_at(std::uint64_t offset, std::uint32_t own) {
  return offset < kClusterStride ? own : static_cast<std::uint32_t>(offset / kClusterStride - 1);
}

/// The offset by which a block of rank `own` reaches the same place in the block of `rank`.
constexpr std::uint64_t mapped(std::uint64_t offset, std::uint32_t rank, std::uint32_t own) {
  const auto place = offset % kClusterStride;
  return rank == own ? place : (rank + std::uint64_t{1}) * kClusterStride + place;
}

}  // namespace warpgrade::sim
