// SPDX-License-Identifier: Apache-2.0
// Makes the text that printf() in a kernel prints: a format string and its arguments -> text.
//
// The compiler puts the arguments behind each other, each at a multiple of its size, with char and
// short widened to int and float to double. Conversions are those of the CUDA C++ Programming
// Guide ("Formatted output"): d i u o x X c s p f F e E g G a A %, with flags, width (perhaps *),
// precision and the sizes h l ll, and hh as in C. Anything else is printed as it stands and takes
// no argument: %zu and %.*f, too, as on an H200 with driver 580. What that card makes of hh where
// the argument does not fit, and which argument the next conversion takes, has not been measured.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::sim {

/// Hands out the arguments; nothing where they cannot be read.
struct PrintSource {
  std::function<std::optional<std::uint64_t>(std::uint32_t bytes)> next;  ///< The next of 4 or 8.
  std::function<std::optional<std::string>(std::uint64_t address)> text;  ///< For %s.
};

struct Printed {
  std::string text;
  std::uint32_t arguments = 0;  ///< The number that printf() returns on a GPU.
};

/// Nothing where `source` had nothing.
std::optional<Printed> format_print(std::string_view format, const PrintSource& source);

}  // namespace warpgrade::sim
