// SPDX-License-Identifier: Apache-2.0
// Counts for people: "4,063,232", and with a noun "1 block", "4,810 blocks".
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::base {

/// Decimal digits with thousands separators.
inline std::string grouped(std::uint64_t count) {
  auto out = fmt::format("{}", count);
  for (auto at = out.size(); at > 3; at -= 3) out.insert(at - 3, 1, ',');
  return out;
}

/// For nouns with a plural in s.
inline std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

}  // namespace warpgrade::base
