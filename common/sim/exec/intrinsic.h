// SPDX-License-Identifier: Apache-2.0
// Formats the output of printf() in a kernel: a format string and its arguments -> text.
//
// The compiler stores the arguments one after another, each aligned to its size, with char and
// short widened to int and float to double. Conversions are those of the CUDA C++ Programming
// Guide ("Formatted output"). Anything else is printed unchanged and uses no argument, including
// %zu and %.*f, as on an H200 with driver 580.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpgrade::sim {

// Conversions are those of the CUDA C++ Programming Guide ("Formatted output"): d i u o x X c s p f
// F e E g G a A %, with flags, width (including *), precision and the sizes h l ll, and hh as in C.
// How that card handles hh with an argument that does not fit, and the argument of the next
// conversion then, has not been measured.

/// Reads the arguments; nullopt if they are unreadable.
struct PrintSource {
  std::function<std::optional<std::uint64_t>(std::uint32_t bytes)> next;  ///< `bytes` is 4 or 8.
  std::function<std::optional<std::string>(std::uint64_t address)> text;  ///< For %s.
};

struct Printed {
  std::string text;
  std::uint32_t arguments = 0;  ///< The return value of printf() on a GPU.
};

/// Returns nullopt if `source` does.
std::optional<Printed> format_print(std::string_view format, const PrintSource& source);

}  // namespace warpgrade::sim
