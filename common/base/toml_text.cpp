// SPDX-License-Identifier: Apache-2.0
#include "common/base/toml_text.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "common/base/diagnostic.h"
#include "common/base/error.h"
#include "common/base/text.h"

namespace warpgrade::base {
namespace {

// toml++ nests a table for each part of a dotted key, and its destructor is recursive: a hundred
// thousand parts overflow the stack.
void refuse_deep_keys(std::string_view text, const std::string& shown) {
  constexpr auto kMostParts = 100;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto key = line.substr(0, line.find('='));
    if (std::count(key.begin(), key.end(), '.') < kMostParts) continue;
    const bool is_key = key.size() < line.size() || key.find('[') != std::string_view::npos;
    if (is_key)
      fail_at({shown, number, 1}, fmt::format("a key has more than {} parts", kMostParts));
  }
}

}  // namespace

TomlError::TomlError(SourceLocation where, std::string why)
    : UsageError(
          fmt::format("{}:{}:{}: {}", escape_controls(where.file), where.line, where.column, why)),
      where_(std::move(where)),
      why_(std::move(why)) {}

void fail_at(const SourceLocation& where, const std::string& why) { throw TomlError(where, why); }

toml::table parse_toml(std::string_view text, const std::string& shown) {
  refuse_deep_keys(text, shown);
  try {
    return toml::parse(text, shown);
  } catch (const toml::parse_error& error) {
    fail_at(place_in(shown, error.source()),
            fmt::format("not valid TOML: {}", escape_controls(error.description())));
  }
}

SourceLocation place_in(const std::string& file, const toml::source_region& region) {
  return {file, region.begin.line, region.begin.column};
}

std::string_view type_name(const toml::node& node) {
  if (node.is_string()) return "a string";
  if (node.is_integer()) return "a whole number";
  if (node.is_floating_point()) return "a number";
  if (node.is_boolean()) return "true or false";
  if (node.is_array()) return "an array";
  if (node.is_table()) return "a table";
  return "a date or time";
}

}  // namespace warpgrade::base
