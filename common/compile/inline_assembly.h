// SPDX-License-Identifier: Apache-2.0
// Prevents inline assembly from writing directives reserved for the compiler: places, files,
// functions.
//
// The compiler copies the text of an asm statement into the PTX between two comments. A `.loc` in
// it would move findings to another line of the report, and an `.entry` would add a kernel that the
// source does not show. Kernels need neither, so both are compile errors. Text that also forges the
// comments passes: it can then show a wrong line of the file, but never a wrong count.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "common/base/diagnostic.h"

namespace warpgrade::compile {

/// Finds the first error in the inline assembly of `ptx`, which was compiled from `source` with
/// the name `file`; nullopt without an error. Its `.file 1` is "./NAME" if that is another
/// file.
std::optional<base::Diagnostic> check_inline_assembly(std::string_view ptx, const std::string& file,
                                                      std::string_view source);

}  // namespace warpgrade::compile
