// SPDX-License-Identifier: Apache-2.0
// Counts for people: "4,063,232", and with a noun "1 block", "4,810 blocks".
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::base {

/// `number`, in decimal digits, with thousands separators before its point.
inline std::string with_separators(std::string number) {
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  for (auto at = std::min(number.find('.'), number.size()); at > first + 3; at -= 3) {
    number.insert(at - 3, 1, ',');
  }
  return number;
}

inline std::string grouped(std::uint64_t count) {
  return with_separators(fmt::format("{}", count));
}

/// For nouns with a plural in s.
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

}  // namespace warpgrade::base
