// SPDX-License-Identifier: Apache-2.0
// Metrics that the compiler or the launch determines before anything runs: registers, static shared
// memory, waves. Their names are Nsight Compute's. Only gates use them.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/run/launch.h"
#include "common/timing/occupancy.h"

namespace warpgrade::grader::course {

/// The facts that determine these metrics.
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
/// Blocks of the grid, divided by the blocks that all multiprocessors hold at a time.
constexpr std::string_view kWaves = "launch__waves_per_multiprocessor";

/// All launch metrics. A new metric needs only a row in this list.
std::span<const LaunchMetric> launch_metrics();

}  // namespace warpgrade::grader::course
