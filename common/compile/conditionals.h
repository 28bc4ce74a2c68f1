// SPDX-License-Identifier: Apache-2.0
// Explains which #if, #ifdef or #else of a source leaves out one of its lines, and how to bring the
// line back.
//
// It reads directives, not expressions: a condition is known to be true or false if it is a number,
// or asks for a name that the source defines above or nowhere. The caller knows from the compiler
// that the line was left out, so that a single condition is the cause in any case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpgrade::compile {

/// "line 3, `#ifdef FAST`, leaves it out, because FAST is not defined: pass -DFAST ..."; empty if
/// the line is in no conditional part. `has_options`: the reader chooses the compiler's options.
std::string left_out_by(std::string_view source, std::uint32_t line, bool has_options);

}  // namespace warpgrade::compile
