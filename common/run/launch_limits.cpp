// SPDX-License-Identifier: Apache-2.0
#include "common/run/launch_limits.h"

#include <fmt/format.h>

namespace warpgrade::run {
namespace {

bool is_empty(const base::Dim3& extent) { return extent.x == 0 || extent.y == 0 || extent.z == 0; }

bool is_within(const base::Dim3& extent, const base::Dim3& most) {
  return extent.x <= most.x && extent.y <= most.y && extent.z <= most.z;
}

std::string on_device(const LaunchLimits& limits) {
  return limits.device.empty() ? "" : " on " + limits.device;
}

}  // namespace

LaunchLimits limits_of(const device::Profile& profile) {
  LaunchLimits limits;
  limits.threads_per_block = profile.sm.limits.threads_per_block;
  limits.shared_bytes_per_block = profile.shared.max_bytes_per_block;
  limits.device = profile.name;
  return limits;
}

std::string wrong_grid(const base::Dim3& grid, const LaunchLimits& limits) {
  const auto& most = limits.grid;
  if (is_empty(grid)) return "a grid has at least one block in each dimension";
  if (is_within(grid, most)) return {};
  return fmt::format("a grid is at most {} x {} x {} blocks{}", most.x, most.y, most.z,
                     on_device(limits));
}

std::string wrong_block(const base::Dim3& block, const LaunchLimits& limits) {
  if (is_empty(block)) return "a block has at least one thread in each dimension";
  // Extents first, because the product of three 32-bit numbers may not fit in 64 bits.
  if (is_within(block, limits.block) && base::volume(block) <= limits.threads_per_block) return {};
  return fmt::format("a block has at most {} threads{}, and {} in z", limits.threads_per_block,
                     on_device(limits), limits.block.z);
}

std::string wrong_shared_bytes(std::uint64_t bytes, const LaunchLimits& limits) {
  if (bytes <= limits.shared_bytes_per_block) return {};
  return fmt::format("a block has at most {} bytes of shared memory{}",
                     limits.shared_bytes_per_block, on_device(limits));
}

std::string wrong_launch(const base::Dim3& grid, const base::Dim3& block,
                         std::uint64_t shared_bytes, const LaunchLimits& limits) {
  if (const auto wrong = wrong_grid(grid, limits); !wrong.empty()) {
    return fmt::format("grid {} x {} x {}: {}", grid.x, grid.y, grid.z, wrong);
  }
  if (const auto wrong = wrong_block(block, limits); !wrong.empty()) {
    return fmt::format("block {} x {} x {}: {}", block.x, block.y, block.z, wrong);
  }
  if (const auto wrong = wrong_shared_bytes(shared_bytes, limits); !wrong.empty()) {
    return fmt::format("{} bytes of shared memory: {}", shared_bytes, wrong);
  }
  return {};
}

}  // namespace warpgrade::run
