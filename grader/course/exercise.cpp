// SPDX-License-Identifier: Apache-2.0
#include "grader/course/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "common/base/error.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::course {
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
  return steps.size() > 1 || rounds.text != "1" ||
         std::any_of(steps.begin(), steps.end(),
                     [](const Step& one) { return one.times.text != "1"; });
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
