// SPDX-License-Identifier: Apache-2.0
#include "grader/course/kernel_launch.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/error.h"

namespace warpgrade::grader::course {
namespace {

constexpr std::uint32_t kAddressBytes = 8;

std::uint32_t rounded_up(std::uint32_t bytes, std::uint32_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

verify::Tolerance BufferParameter::tolerance(const text::Variables& variables) const {
  verify::Tolerance out;
  const auto* within = std::get_if<WithinUlps>(&comparison);
  if (within == nullptr) return out;
  out.ulps = static_cast<std::uint64_t>(evaluate(within->most, variables));
  if (within->magnitude) out.magnitude = evaluate(*within->magnitude, variables);
  return out;
}

std::vector<const BufferParameter*> buffers_of(std::span<const Parameter> parameters) {
  return all_of_kind<BufferParameter>(parameters);
}

std::size_t buffer_called(const std::vector<const BufferParameter*>& buffers,
                          const std::string& name) {
  const auto found = std::ranges::find(buffers, name, &BufferParameter::name);
  return static_cast<std::size_t>(found - buffers.begin());
}

std::uint32_t field_bytes(const Field& field) {
  const auto* value = std::get_if<ValueParameter>(&field);
  return value == nullptr ? kAddressBytes : verify::size_of(value->type);
}

StructLayout layout_of(const StructParameter& structure) {
  StructLayout out;
  std::uint32_t largest = 1;
  for (const auto& field : structure.fields) {
    const auto bytes = field_bytes(field);
    out.offsets.push_back(rounded_up(out.bytes, bytes));
    out.bytes = out.offsets.back() + bytes;
    largest = std::max(largest, bytes);
  }
  out.bytes = rounded_up(out.bytes, largest);
  return out;
}

std::string kernel_name(const std::string& kernel, const text::Variables& variables) {
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

}  // namespace warpgrade::grader::course
