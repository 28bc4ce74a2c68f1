// SPDX-License-Identifier: Apache-2.0
#include "common/run/shared_attribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace warpgrade::run {
namespace {

// CUDA C++ Programming Guide, "Shared Memory" of each architecture since 7.0.
constexpr std::uint64_t kBytesByDefault = 48 * 1024;

std::uint64_t static_shared_bytes(const compile::Program& program, const std::string& kernel) {
  const auto& all = program.kernels;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const compile::Kernel& one) { return one.name == kernel; });
  return found == all.end() ? 0 : found->resources.static_shared_bytes;
}

}  // namespace

std::string shared_attribute_text(const Sequence& sequence, const compile::Program& program) {
  const Launch* most = nullptr;
  std::uint64_t bytes_of_most = 0;
  for (const auto& launch : sequence.launches) {
    const auto bytes = static_shared_bytes(program, launch.kernel) + launch.dynamic_shared_bytes;
    const bool needs_call = launch.dynamic_shared_bytes > 0 && bytes > kBytesByDefault;
    if (!needs_call || bytes <= bytes_of_most) continue;
    most = &launch;
    bytes_of_most = bytes;
  }
  if (most == nullptr) return {};
  return fmt::format(
      "A launch with more than 48 KB of shared memory a block fails on a card unless the host code "
      "calls cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, {}) before it.",
      kernel_text(*most), most->dynamic_shared_bytes);
}

}  // namespace warpgrade::run
