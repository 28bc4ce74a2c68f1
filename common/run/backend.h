// SPDX-License-Identifier: Apache-2.0
// The two ways to run a kernel, with their names for reports and command lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpgrade::run {

enum class Backend : std::uint8_t { kSim, kGpu };

/// "sim" or "gpu".
constexpr std::string_view name(Backend backend) {
  return backend == Backend::kSim ? "sim" : "gpu";
}

/// The backend with this name; nullopt if unknown.
constexpr std::optional<Backend> backend_called(std::string_view text) {
  for (const auto backend : {Backend::kSim, Backend::kGpu}) {
    if (name(backend) == text) return backend;
  }
  return std::nullopt;
}

}  // namespace warpgrade::run
