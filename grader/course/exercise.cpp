// SPDX-License-Identifier: Apache-2.0
// A lab, its exercises, their cases, gates and kernels as plain structs: the checked and typed
// content of a manifest (manifest.h).
// Numbers of a launch, a shape or a bound are expressions of a case's variables (text/numbers.h).
// They are evaluated for each case. Nothing here reads TOML.
#include "grader/course/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/device/profile.h"
#include "common/verify/element.h"
#include "grader/text/messages.h"
#include "grader/text/numbers.h"

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

namespace {

// The points of all gates or questions.
template <typename Item>
std::uint32_t points_of(const std::vector<Item>& items) {
  std::uint32_t sum = 0;
  for (const auto& item : items) sum += item.points;
  return sum;
}

// The devices of gates or questions, each once, in their order.
template <typename Item>
std::vector<std::string> devices_of(const std::vector<Item>& items) {
  std::vector<std::string> out;
  for (const auto& item : items) {
    if (std::ranges::find(out, item.device) == out.end()) out.push_back(item.device);
  }
  return out;
}

}  // namespace

bool KernelExercise::is_sequence() const {
  return steps.size() > 1 || rounds.text() != "1" ||
         std::any_of(steps.begin(), steps.end(),
                     [](const Step& one) { return one.times.text() != "1"; });
}

std::string KernelExercise::signatures() const {
  std::vector<std::string> all;
  for (const auto& step : steps) {
    if (std::find(all.begin(), all.end(), step.signature) == all.end()) {
      all.push_back(step.signature);
    }
  }
  return text::joined(std::span<const std::string>(all));
}

std::uint32_t KernelExercise::max_points() const { return correctness_points + points_of(gates); }

std::vector<std::string> KernelExercise::devices() const { return devices_of(gates); }

const AskedLaunch& QuestionsExercise::launch_of(std::string_view kernel) const {
  const auto found = std::ranges::find(launches, kernel, &AskedLaunch::kernel);
  if (found == launches.end()) throw std::out_of_range("no launch of " + std::string(kernel));
  return *found;
}

std::uint32_t QuestionsExercise::max_points() const { return points_of(questions); }

std::vector<std::string> QuestionsExercise::devices() const { return devices_of(questions); }

std::uint32_t Exercise::max_points() const {
  return std::visit([](const auto& one) { return one.max_points(); }, form);
}

std::vector<std::string> Exercise::devices() const {
  return std::visit([](const auto& one) { return one.devices(); }, form);
}

std::string Exercise::shown_hint(std::size_t index) const {
  return fmt::format("hint {} of {}: {}", index + 1, hints.size(), hints[index]);
}

std::string Exercise::file_name() const { return id + (kernel() != nullptr ? ".cu" : ".toml"); }

text::Variables Case::speed_variables(std::uint32_t draw) const {
  if (!timed_variables) return variables;
  text::Variables out;
  for (const auto& [variable, expression] : *timed_variables) {
    out.emplace(variable, evaluate(expression, {{"draw", draw}}));
  }
  return out;
}

const Case& KernelExercise::case_called(std::string_view name) const {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case& item) { return item.name == name; });
  if (found == cases.end()) throw base::UsageError(fmt::format("unknown case `{}`", name));
  return *found;
}

}  // namespace warpgrade::grader::course
