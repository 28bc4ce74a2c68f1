// SPDX-License-Identifier: Apache-2.0
// Slips of the keyboard behind a compiler's error, and what to write instead.
//
// The compiler names what it met (`expected a ";"`, `identifier "threadidx" is undefined`). The
// text around the place often shows the cause: a name that is one letter off, a brace that is
// missing above, a quotation mark from a text editor, a keyword used as a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::compile {

/// "; did you mean 'threadIdx'?" and its like for the compiler's `message` at `line` and `column`
/// (from 1) of `source`; empty if no slip is recognized.
std::string hint_for_slip(std::string_view message, std::string_view source, std::uint32_t line,
                          std::uint32_t column);

/// The line of `source` in front of an #include that lacks its end, for a syntax error that the
/// compiler reports in the header; 0 if there is none. `struct A { int x; }` without `;` is one.
std::uint32_t line_before_include(std::string_view source);

}  // namespace warpgrade::compile
