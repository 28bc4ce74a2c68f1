// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/platform.h"

#include <chrono>

namespace warpgrade::gpu {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Platform load_platform() {
  const auto driver = load_driver();
  if (const auto* reason = std::get_if<std::string>(&driver)) throw base::ToolError(*reason);
  Platform out;
  out.driver = std::get<Driver>(driver);
  out.nvml = load_nvml();
  return out;
}

}  // namespace warpgrade::gpu
