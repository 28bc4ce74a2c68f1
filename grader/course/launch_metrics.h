// SPDX-License-Identifier: Apache-2.0
// Metrics that are no counters: figures of the compiler and of the launch, under Nsight Compute's
// names. Only gates use them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/run/launch.h"
#include "common/timing/occupancy.h"

namespace warpgrade::grader {

/// What these metrics are computed from.
struct LaunchFigures {
  const std::vector<const compile::Kernel*>& kernels;  ///< All kernels of the exercise.
  const run::Launch& launch;                           ///< The first one.
  const timing::Occupancy& occupancy;                  ///< At the first launch.
  const device::Profile& profile;
};

struct LaunchMetric {
  std::string_view name;
  /// nullopt: not measured.
  std::optional<double> (*value)(const LaunchFigures& figures);
};

constexpr std::string_view kStaticSharedBytes = "launch__shared_mem_per_block_static";
/// Blocks of the grid for each block that all multiprocessors hold at a time.
constexpr std::string_view kWaves = "launch__waves_per_multiprocessor";

/// The one list of them.
std::span<const LaunchMetric> launch_metrics();

}  // namespace warpgrade::grader
