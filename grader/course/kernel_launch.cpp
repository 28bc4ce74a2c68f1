// SPDX-License-Identifier: Apache-2.0
#include "grader/course/kernel_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/error.h"

namespace warpgrade::grader {
namespace {

constexpr std::uint32_t kAddressBytes = 8;

std::uint32_t rounded_up(std::uint32_t bytes, std::uint32_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

std::vector<const Parameter*> buffers_of(const std::vector<Parameter>& parameters) {
  std::vector<const Parameter*> out;
  for (const auto& parameter : parameters) {
    if (parameter.is_buffer()) out.push_back(&parameter);
    for (const auto* field : buffers_of(parameter.fields)) out.push_back(field);
  }
  return out;
}

std::size_t buffer_called(const std::vector<const Parameter*>& buffers, const std::string& name) {
  const auto found = std::find_if(buffers.begin(), buffers.end(),
                                  [&](const Parameter* one) { return one->name == name; });
  return static_cast<std::size_t>(found - buffers.begin());
}

StructLayout layout_of(const Parameter& structure) {
  StructLayout out;
  std::uint32_t largest = 1;
  for (const auto& field : structure.fields) {
    const auto bytes = parameter_bytes(field);
    out.offsets.push_back(rounded_up(out.bytes, bytes));
    out.bytes = out.offsets.back() + bytes;
    largest = std::max(largest, bytes);
  }
  out.bytes = rounded_up(out.bytes, largest);
  return out;
}

std::uint32_t parameter_bytes(const Parameter& parameter) {
  if (parameter.role == Role::kStruct) return layout_of(parameter).bytes;
  return parameter.role == Role::kValue ? verify::size_of(parameter.type) : kAddressBytes;
}

std::string kernel_name(const std::string& kernel, const Variables& variables) {
  std::string out;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    if (kernel[i] != '{') {
      out += kernel[i];
      continue;
    }
    const auto end = kernel.find('}', i);
    const auto name = kernel.substr(i + 1, end == std::string::npos ? end : end - i - 1);
    const auto found = variables.find(name);
    if (end == std::string::npos || found == variables.end()) {
      throw base::UsageError(fmt::format("{{{}}} is not a variable of the cases", name));
    }
    out += fmt::format("{}", found->second);
    i = end;
  }
  return out;
}

}  // namespace warpgrade::grader
