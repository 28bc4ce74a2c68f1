// SPDX-License-Identifier: Apache-2.0
#include "grader/course/launch_metrics.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "common/base/dim3.h"

namespace warpgrade::grader::course {
namespace {

// The largest of the kernels' figures.
template <std::uint32_t compile::Resources::*figure>
std::optional<double> most(const LaunchFigures& figures) {
  std::uint32_t out = 0;
  for (const auto* kernel : figures.kernels) out = std::max(out, kernel->resources.*figure);
  return static_cast<double>(out);
}

// Unknown if no block fits: the machine code for an older device uses other registers.
std::optional<double> waves(const LaunchFigures& figures) {
  const auto held = std::uint64_t{figures.profile.sm.count} * figures.occupancy.blocks_per_sm;
  if (held == 0) return std::nullopt;
  return static_cast<double>(base::volume(figures.launch.grid)) / static_cast<double>(held);
}

constexpr auto kLaunchMetrics = std::to_array<LaunchMetric>({
    {"launch__registers_per_thread", most<&compile::Resources::registers_per_thread>},
    {kStaticSharedBytes, most<&compile::Resources::static_shared_bytes>},
    {kWaves, waves},
});

}  // namespace

std::span<const LaunchMetric> launch_metrics() { return kLaunchMetrics; }

}  // namespace warpgrade::grader::course
