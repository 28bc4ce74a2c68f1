// SPDX-License-Identifier: Apache-2.0
#include "common/run/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "common/base/place.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/run/runner.h"

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

namespace {

// CUDA C++ Programming Guide, "Shared Memory" of each architecture since 7.0.
constexpr std::uint64_t kBytesByDefault = 48 * 1024;

std::uint64_t static_shared_bytes(const compile::Program& program, const std::string& kernel) {
  const auto& all = program.kernels;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const compile::Kernel& one) { return one.name == kernel; });
  return found == all.end() ? 0 : found->resources.static_shared_bytes;
}

}  // namespace

std::string shared_attribute_text(const Sequence& sequence, const compile::Program& program) {
  const Launch* most = nullptr;
  std::uint64_t bytes_of_most = 0;
  for (const auto& launch : sequence.launches) {
    const auto bytes = static_shared_bytes(program, launch.kernel) + launch.dynamic_shared_bytes;
    const bool needs_call = launch.dynamic_shared_bytes > 0 && bytes > kBytesByDefault;
    if (!needs_call || bytes <= bytes_of_most) continue;
    most = &launch;
    bytes_of_most = bytes;
  }
  if (most == nullptr) return {};
  return fmt::format(
      "A launch with more than 48 KB of shared memory a block fails on a card unless the host code "
      "calls cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}) before it.",
      kernel_text(*most), most->dynamic_shared_bytes);
}

}  // namespace warpgrade::run
