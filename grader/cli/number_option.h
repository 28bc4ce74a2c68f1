// SPDX-License-Identifier: Apache-2.0
// Options whose value is a whole number.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <string>

#include "common/base/text.h"
#include "grader/text/scalars.h"

namespace warpgrade::grader::cli {

/// A whole number from `least` on, as parse_count() reads it: CLI11 reads a leading zero as octal,
/// and wraps negative or too large numbers.
template <typename T>
CLI::Option* add_number(CLI::App& command, const std::string& name, T& value,
                        const std::string& description, T least = 0) {
  const auto read = [name, least, &value](const CLI::results_t& given) {
    constexpr auto kMost = std::numeric_limits<T>::max();
    const auto number = text::parse_count(given.front());
    if (!number || *number < least || *number > kMost) {
      throw CLI::ValidationError(name,
                                 fmt::format("{}: must be a whole number from {} to {}",
                                             base::escape_controls(given.front()), least, kMost));
    }
    value = static_cast<T>(*number);
    return true;
  };
  return command.add_option(name, read, description)->type_name("N");
}

}  // namespace warpgrade::grader::cli
