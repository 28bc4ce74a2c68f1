// SPDX-License-Identifier: Apache-2.0
// The services that the gpu path takes from outside: the driver, the management library, a clock
// and how long a worker process may be silent. Tests give their own.
#pragma once

#include <functional>
#include <optional>

#include "common/gpu/driver.h"
#include "common/gpu/nvml.h"

namespace warpgrade::gpu {

/// Seconds of a clock that never goes back.
double steady_seconds();

struct Platform {
  Driver driver;
  std::optional<Nvml> nvml;
  int ordinal = 0;  ///< The driver's number of the GPU to use.
  std::function<double()> now = steady_seconds;
  /// Longest silence of a worker, in seconds, beyond what its kernels may take: it opens a device,
  /// it moves gigabytes. Below 0: for ever.
  double patience = 60;
};

/// Longest silence, in seconds, of a worker of `platform` whose kernels may take `kernel_seconds`;
/// below 0: for ever.
double patience_for(const Platform& platform, double kernel_seconds);

/// The variable that names the GPU to use, by the driver's number. A child, such as a profiler's,
/// inherits it.
inline constexpr const char* kGpuVariable = "WARPGRADE_GPU";

/// This machine's. Throws base::UsageError where the variable holds no number. Throws
/// base::ToolError with the reason, in words for the user, where there is none.
Platform load_platform();

}  // namespace warpgrade::gpu
