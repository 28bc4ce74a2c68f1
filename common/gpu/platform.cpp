// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/platform.h"

#include <chrono>

namespace warpgrade::gpu {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double patience_for(const Platform& platform, double kernel_seconds) {
  return platform.patience < 0 ? -1 : platform.patience + kernel_seconds;
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
