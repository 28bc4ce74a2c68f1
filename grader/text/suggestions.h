// SPDX-License-Identifier: Apache-2.0
// Names in messages: suggestions and lists.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader::text {

/// ", did you mean `x`?" if one of `candidates` is near to `word`; otherwise empty.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// "a, b, c".
std::string joined(std::span<const std::string_view> names, std::string_view separator = ", ");
std::string joined(std::span<const std::string> names, std::string_view separator = ", ");

/// The keys of a map, for the functions above.
template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
  std::vector<std::string> out;
  for (const auto& [key, value] : map) out.emplace_back(key);
  return out;
}

/// "there is no `fro`, did you mean `from`?; it is one of: from, to". Control characters of `given`
/// are escaped.
std::string not_one_of(std::string_view given, std::span<const std::string_view> choices);

}  // namespace warpgrade::grader::text
