// SPDX-License-Identifier: Apache-2.0
// What the gpu path takes from outside: the driver, the management library and a clock. Tests give
// their own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

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

/// This machine's, or in words for the user why there is none.
std::variant<Platform, std::string> load_platform();

}  // namespace warpgrade::gpu
