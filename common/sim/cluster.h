// SPDX-License-Identifier: Apache-2.0
// Thread-block clusters: their size, and their barrier (PTX ISA 9.0, 2.2.2 and 9.7.13.4).
//
// The size comes from the launch or from the kernel's __cluster_dims__. The messages describe
// what the driver of an H100 does with the launch. A thread arrives at the barrier, continues,
// and waits later.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/observer.h"

namespace warpgrade::sim {

class Block;

using run::kClusterStride;
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
