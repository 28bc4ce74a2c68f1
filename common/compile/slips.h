// SPDX-License-Identifier: Apache-2.0
// Recognises typing mistakes behind compiler errors and suggests corrections.
//
// The compiler reports the token that it met (`expected a ";"`, `identifier "threadidx" is
// undefined`). The text around it often shows the cause: a name with one wrong letter, a missing
// brace above, a quotation mark from a text editor, a keyword used as a name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::compile {

/// "; did you mean 'threadIdx'?" and similar hints for the compiler's `message` at `line` and
/// `column` (from 1) of `source`; empty if no mistake is recognised.
std::string hint_for_slip(std::string_view message, std::string_view source, std::uint32_t line,
                          std::uint32_t column);

/// The line of `source` before an #include that lacks its end, for a syntax error that the compiler
/// reports in the header, such as `struct A { int x; }` without `;`; 0 if no line lacks one.
std::uint32_t line_before_include(std::string_view source);

}  // namespace warpgrade::compile
