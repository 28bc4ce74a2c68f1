// SPDX-License-Identifier: Apache-2.0
// Keeps inline assembly from writing what only the compiler may: places, files and functions.
//
// The compiler copies the text of an asm statement into the PTX, between two comments of its own.
// A `.loc` in it would put a finding on another line of the report, an `.entry` would add a kernel
// that the source does not show. Neither is any use to a kernel, so both are a compile error. Text
// that also forges the comments gets past this: it can then name a wrong line, though only one that
// the file has, and never a wrong count.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/base/diagnostic.h"

namespace warpgrade::compile {

/// Finds the first mistake in the inline assembly in `ptx`, which the compiler made of `source`,
/// shown as `file`; nothing where all is well. Its `.file 1` is "./NAME" where that is another
/// file.
std::optional<base::Diagnostic> check_inline_assembly(std::string_view ptx, const std::string& file,
                                                      std::string_view source);

}  // namespace warpgrade::compile
