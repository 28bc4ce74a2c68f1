// SPDX-License-Identifier: Apache-2.0
#include "grader/text/suggestions.h"

#include <fmt/format.h>

#include <vector>

#include "common/base/text.h"

namespace warpgrade::grader::text {

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const auto near = base::nearest(word, candidates);
  return near.empty() ? std::string{} : fmt::format(", did you mean `{}`?", near);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  return did_you_mean(word, std::span<const std::string_view>(views));
}

std::string joined(std::span<const std::string_view> names, std::string_view separator) {
  std::string out;
  for (const auto name : names) {
    if (!out.empty()) out += separator;
    out += name;
  }
  return out;
}

std::string joined(std::span<const std::string> names, std::string_view separator) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return joined(std::span<const std::string_view>(views), separator);
}

std::string not_one_of(std::string_view given, std::span<const std::string_view> choices) {
  return fmt::format("there is no `{}`{}; it is one of: {}", base::escape_controls(given),
                     did_you_mean(given, choices), joined(choices));
}

}  // namespace warpgrade::grader::text
