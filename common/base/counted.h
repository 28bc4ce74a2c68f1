// SPDX-License-Identifier: Apache-2.0
// A number with its noun: "1 block", "481 blocks". For nouns with a plural in s.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::base {

inline std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace warpgrade::base
