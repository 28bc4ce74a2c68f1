// SPDX-License-Identifier: Apache-2.0
// What the gpu path takes from outside: the driver, the management library and a clock. Tests give
// their own.
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
  std::function<double()> now = steady_seconds;
};

/// This machine's. Throws base::ToolError with the reason, in words for the user, where there is
/// none.
Platform load_platform();

}  // namespace warpgrade::gpu
