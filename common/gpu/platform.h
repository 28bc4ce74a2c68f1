// SPDX-License-Identifier: Apache-2.0
// External services of the gpu path: the driver, the management library, a clock, and a limit on
// the silence of worker processes. Tests supply their own.
#pragma once

#include <functional>
#include <optional>

#include "common/gpu/driver.h"
#include "common/gpu/nvml.h"

namespace warpgrade::gpu {

/// Seconds of a monotonic clock.
double steady_seconds();

struct Platform {
  Driver driver;
  std::optional<Nvml> nvml;
  int ordinal = 0;  ///< The driver's number of the GPU.
  std::function<double()> now = steady_seconds;
  /// Longest silence of a worker in seconds, without the time of its kernels: it opens a device or
  /// moves gigabytes. Negative: no limit.
  double patience = 60;
};

/// Longest silence in seconds of a worker of `platform` whose kernels may need `kernel_seconds`;
/// negative: no limit.
double patience_for(const Platform& platform, double kernel_seconds);

/// The environment variable with the driver's number of the GPU.
inline constexpr const char* kGpuVariable = "WARPGRADE_GPU";

/// The services of this machine. `gpu` is the driver's number of the GPU; by default the variable
/// has it, or it is 0. Throws base::UsageError if the variable is not a number, and base::ToolError
/// with a reason for the user if they are unavailable.
Platform load_platform(std::optional<int> gpu = {});

}  // namespace warpgrade::gpu
