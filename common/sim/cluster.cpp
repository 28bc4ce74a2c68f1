// SPDX-License-Identifier: Apache-2.0
// The size of clusters comes from the launch or from the kernel's __cluster_dims__. The messages
// describe what the driver of an H100 does with the launch.
#include "common/sim/cluster.h"

#include <fmt/format.h>

#include "common/base/counted.h"
#include "common/base/error.h"
#include "common/base/facts.h"

namespace warpgrade::sim {
namespace {

constexpr const char* kCardSays = " (a card returns cudaErrorInvalidClusterSize)";

void check_cluster(const base::Dim3& extent, const base::Dim3& grid) {
  if (extent.x == 0 || extent.y == 0 || extent.z == 0) {
    throw base::UsageError(
        fmt::format("cluster {}: a cluster has at least one block in each "
                    "dimension",
                    base::extent_text(extent)));
  }
  // Extents first, because the product of three 32-bit numbers may not fit in 64 bits.
  const bool is_small = extent.x <= kMostClusterBlocks && extent.y <= kMostClusterBlocks &&
                        extent.z <= kMostClusterBlocks;
  if (!is_small || base::volume(extent) > kPortableClusterBlocks) {
    throw base::UsageError(fmt::format(
        "cluster {}: a cluster has at most {} blocks; an H100 makes clusters of up to {} for a "
        "kernel with the attribute cudaFuncAttributeNonPortableClusterSizeAllowed, which is not "
        "set here{}",
        base::extent_text(extent), kPortableClusterBlocks, kMostClusterBlocks, kCardSays));
  }
  if (grid.x % extent.x != 0 || grid.y % extent.y != 0 || grid.z % extent.z != 0) {
    throw base::UsageError(
        fmt::format("a grid of {} blocks is not a whole number of clusters of {} blocks{}",
                    base::extent_text(grid), base::extent_text(extent), kCardSays));
  }
}

}  // namespace

std::optional<base::Dim3> cluster_of(const ptx::Function& kernel, const run::Launch& launch) {
  if (launch.cluster && kernel.cluster && *launch.cluster != *kernel.cluster) {
    throw base::UsageError(fmt::format(
        "the launch has clusters of {} blocks, and the kernel's __cluster_dims__ of {}{}",
        base::extent_text(*launch.cluster), base::extent_text(*kernel.cluster), kCardSays));
  }
  const auto extent = launch.cluster ? launch.cluster : kernel.cluster;
  if (!extent) {
    if (!kernel.needs_clusters) return std::nullopt;
    throw base::UsageError(
        "the kernel's __cluster_dims__ have no size, so the launch must have one: add --cluster");
  }
  check_cluster(*extent, launch.grid);
  if (launch.cooperative) {
    throw base::ToolError("a cooperative launch with thread block clusters is not simulated");
  }
  return extent;
}

}  // namespace warpgrade::sim
