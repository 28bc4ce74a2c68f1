// SPDX-License-Identifier: Apache-2.0
#include "grader/course/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "common/base/error.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {

bool Exercise::is_sequence() const {
  return steps.size() > 1 || rounds.text != "1" ||
         std::any_of(steps.begin(), steps.end(),
                     [](const Step& one) { return one.times.text != "1"; });
}

std::string Exercise::signatures() const {
  std::vector<std::string> all;
  for (const auto& step : steps) {
    if (std::find(all.begin(), all.end(), step.signature) == all.end()) {
      all.push_back(step.signature);
    }
  }
  return joined(std::span<const std::string>(all));
}

std::uint32_t Exercise::max_points() const {
  auto sum = correctness_points;
  for (const auto& gate : gates) sum += gate.points;
  for (const auto& question : questions) sum += question.points;
  return sum;
}

std::string Exercise::shown_hint(std::size_t index) const {
  return fmt::format("hint {} of {}: {}", index + 1, hints.size(), hints[index]);
}

std::string Exercise::file_name() const { return id + (questions.empty() ? ".cu" : ".toml"); }

std::vector<std::string> Exercise::devices() const {
  std::vector<std::string> out;
  const auto add = [&](const std::string& device) {
    if (std::find(out.begin(), out.end(), device) == out.end()) out.push_back(device);
  };
  for (const auto& gate : gates) add(gate.device);
  for (const auto& question : questions) add(question.device);
  return out;
}

Variables Case::speed_variables(std::uint32_t draw) const {
  if (!timed_variables) return variables;
  Variables out;
  for (const auto& [variable, expression] : *timed_variables) {
    out.emplace(variable, evaluate(expression, {{"draw", draw}}));
  }
  return out;
}

const Case& Exercise::case_called(std::string_view name) const {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case& item) { return item.name == name; });
  if (found == cases.end()) throw base::UsageError(fmt::format("unknown case `{}`", name));
  return *found;
}

}  // namespace warpgrade::grader
