// SPDX-License-Identifier: Apache-2.0
#include "common/compile/compiler_options.h"

#include <algorithm>
#include <array>

namespace warpgrade::compile {
namespace {

struct Permitted {
  std::string_view name;  // Ends with = if a value follows.
  std::string_view other;
};

constexpr std::array<Permitted, 11> kPermitted = {{
    {"--use_fast_math", "-use_fast_math"},
    {"--generate-line-info", "-lineinfo"},
    {"--device-as-default-execution-space", "-default-device"},
    {"--disable-warnings", "-w"},
    {"--extra-device-vectorization", "-extra-device-vectorization"},
    {"--restrict", "-restrict"},
    {"--ftz=", "-ftz="},
    {"--prec-sqrt=", "-prec-sqrt="},
    {"--prec-div=", "-prec-div="},
    {"--fmad=", "-fmad="},
    {"--maxrregcount=", "-maxrregcount="},
}};

// The value of `option` if it begins with one of the names.
std::optional<std::string_view> value_of(std::string_view option,
                                         std::initializer_list<std::string_view> names) {
  for (const auto name : names) {
    if (option.starts_with(name) && option.size() > name.size()) return option.substr(name.size());
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> permitted_option(std::string_view option) {
  if (const auto standard = value_of(option, {"--std=", "-std="})) {
    constexpr std::array<std::string_view, 4> kOlder = {"c++03", "c++11", "c++14", "c++17"};
    if (*standard == "c++20") return "-std=c++20";
    const bool is_older = std::find(kOlder.begin(), kOlder.end(), *standard) != kOlder.end();
    return is_older ? std::optional<std::string>("-std=c++17") : std::nullopt;
  }
  if (const auto macro = value_of(option, {"--define-macro=", "-D"})) {
    return "-D" + std::string(*macro);
  }
  if (const auto macro = value_of(option, {"--undefine-macro=", "-U"})) {
    return "-U" + std::string(*macro);
  }
  for (const auto& [name, other] : kPermitted) {
    if (!name.ends_with('=')) {
      if (option == name || option == other) return std::string(name);
    } else if (const auto value = value_of(option, {name, other})) {
      return std::string(name) + std::string(*value);
    }
  }
  return std::nullopt;
}

}  // namespace warpgrade::compile
