// SPDX-License-Identifier: Apache-2.0
// Sequences of launches: how their buffers move, and how messages name a launch of the sequence.
#include "common/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/run/launch.h"

namespace warpgrade::run {

std::string kernel_text(const Launch& launch) {
  auto name = base::source_name(launch.kernel);
  constexpr std::string_view kVoid = "void ";
  if (name.starts_with(kVoid)) name.erase(0, kVoid.size());
  return name.substr(0, name.rfind('('));
}

std::string launch_text(const Sequence& sequence, std::size_t index) {
  return fmt::format("launch {} of {}, {}", index + 1, sequence.launches.size(),
                     kernel_text(sequence.launches.at(index)));
}

std::optional<base::InLaunch> place_of(const Sequence& sequence, std::size_t index) {
  if (sequence.is_one_launch()) return std::nullopt;
  return base::InLaunch{index + 1, sequence.launches.size(),
                        kernel_text(sequence.launches.at(index))};
}

std::string in_launch(const Sequence& sequence, std::size_t index, const std::string& message) {
  const auto place = place_of(sequence, index);
  return place ? base::in_launch(message, *place) : message;
}

std::string kernels_text(const Sequence& sequence) {
  if (sequence.is_one_launch()) return sequence.first().kernel;
  std::vector<std::string> names;
  for (const auto& launch : sequence.launches) {
    auto name = kernel_text(launch);
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  }
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return fmt::format("{} ({} launches)", out, sequence.launches.size());
}

void put_in_place(const Sequence& sequence, std::vector<Buffer>& buffers) {
  std::vector<std::vector<std::byte>> contents;
  for (auto& buffer : buffers) contents.push_back(std::move(buffer.bytes));
  put_in_place(sequence, contents);
  for (std::size_t i = 0; i < buffers.size(); ++i) buffers[i].bytes = std::move(contents[i]);
}

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
