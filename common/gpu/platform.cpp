// SPDX-License-Identifier: Apache-2.0
#include "common/gpu/platform.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "common/base/text.h"

namespace warpgrade::gpu {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double patience_for(const Platform& platform, double kernel_seconds) {
  return platform.patience < 0 ? -1 : platform.patience + kernel_seconds;
}

namespace {

int asked_ordinal() {
  const char* const text = std::getenv(kGpuVariable);
  if (text == nullptr) return 0;
  const std::string_view digits = text;
  int out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error == std::errc() && end == digits.data() + digits.size() && out >= 0) return out;
  throw base::UsageError(fmt::format("{}={}: must be the number of a GPU, from 0 on", kGpuVariable,
                                     base::escape_controls(text)));
}

}  // namespace

Platform load_platform(std::optional<int> gpu) {
  const int ordinal = gpu ? *gpu : asked_ordinal();
  const auto driver = load_driver();
  if (const auto* reason = std::get_if<std::string>(&driver)) throw base::ToolError(*reason);
  Platform out;
  out.driver = std::get<Driver>(driver);
  out.nvml = load_nvml();
  out.ordinal = ordinal;
  return out;
}

}  // namespace warpgrade::gpu
