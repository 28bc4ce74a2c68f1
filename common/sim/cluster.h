// SPDX-License-Identifier: Apache-2.0
// The blocks of one thread-block cluster (PTX ISA 9.0, 2.2.2), which run together, and the
// addresses by which each reaches the shared memory of all.
//
// An address in the window of a cluster's shared memory (.shared::cluster) is an offset into the
// block's own shared memory, or kClusterStride times the rank plus one of another block, plus an
// offset there. mapa makes such an address; a block's own addresses stay as they are.
#pragma once

#include <cstdint>
#include <vector>

namespace warpgrade::sim {

struct Block;

/// Addresses of one block's shared memory: more than any block has.
constexpr std::uint64_t kClusterStride = std::uint64_t{1} << 24;
/// The most blocks that a cluster has on any device, and on every device that has clusters.
constexpr std::uint32_t kMostClusterBlocks = 16;
constexpr std::uint32_t kPortableClusterBlocks = 8;
/// The number of the cluster's barrier, behind those of the block.
constexpr std::uint32_t kClusterBarrier = 16;

struct Cluster {
  std::vector<Block*> blocks;  ///< By rank.
};

/// The rank of the block that `offset`, in the window of shared memory, lies in, for a block of
/// rank `own`.
constexpr std::uint32_t rank_at(std::uint64_t offset, std::uint32_t own) {
  return offset < kClusterStride ? own : static_cast<std::uint32_t>(offset / kClusterStride - 1);
}

/// The offset that leads a block of rank `own` to the same place in the block of `rank`.
constexpr std::uint64_t mapped(std::uint64_t offset, std::uint32_t rank, std::uint32_t own) {
  const auto place = offset % kClusterStride;
  return rank == own ? place : (rank + std::uint64_t{1}) * kClusterStride + place;
}

}  // namespace warpgrade::sim
