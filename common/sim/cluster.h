// SPDX-License-Identifier: Apache-2.0
// The blocks of one thread-block cluster (PTX ISA 9.0, 2.2.2), which run together, and the
// addresses of each other's shared memory.
//
// An address in the window of a cluster's shared memory (.shared::cluster) is an offset in the
// block's own shared memory; for another block it is kClusterStride times (its rank plus one), plus
// an offset there. mapa computes such an address; a block's own addresses do not change. Like a
// card, mapa accepts a rank that the cluster does not have, and an access to that address fails.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/observer.h"

namespace warpgrade::sim {

struct Block;

using run::kClusterStride;
/// Limit on the blocks of a cluster on any device, and on every device with clusters.
constexpr std::uint32_t kMostClusterBlocks = 16;
constexpr std::uint32_t kPortableClusterBlocks = 8;
/// The number of the cluster's barrier, following those of the block.
constexpr std::uint32_t kClusterBarrier = 16;

/// Limit on the ranks that an address can name; mapped() lowers larger ranks to it.
constexpr std::uint32_t kMostRank = 253;

struct Cluster {
  std::vector<Block*> blocks;  ///< By rank.
  std::uint64_t phases = 0;    ///< How often its barrier has ended.
};

/// The blocks per cluster of `launch` of `kernel`; nullopt: it has no clusters. Throws
/// base::UsageError if no card makes the launch, and base::ToolError if only the simulator cannot.
std::optional<base::Dim3> cluster_of(const ptx::Function& kernel, const run::Launch& launch);

/// The rank of the block that contains `offset`, an offset in the window of shared memory, seen
/// from a block of rank `own`.
constexpr std::uint32_t rank_at(std::uint64_t offset, std::uint32_t own) {
  return offset < kClusterStride ? own : static_cast<std::uint32_t>(offset / kClusterStride - 1);
}

/// The offset by which a block of rank `own` reaches the same place in the block of `rank`.
constexpr std::uint64_t mapped(std::uint64_t offset, std::uint32_t rank, std::uint32_t own) {
  const auto place = offset % kClusterStride;
  const std::uint64_t number = rank < kMostRank ? rank : kMostRank;
  return rank == own ? place : (number + 1) * kClusterStride + place;
}

}  // namespace warpgrade::sim
