// SPDX-License-Identifier: Apache-2.0
// What the compile stage reads in PTX: the kernels with the layout of their parameters, and
// inline assembly that writes directives reserved for the compiler.
//
// Both are cheap for programs that are never simulated, and no text makes them fail. Whoever
// executes a program parses it fully (Program::ptx).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"

namespace warpgrade::compile {

struct PtxEntry {
  std::string name;
  std::vector<Parameter> parameters;
};

/// Every `.entry` of `ptx`, in order.
std::vector<PtxEntry> parse_ptx_entries(std::string_view ptx);

/// Resolves the escapes in a PTX string: a quote, a backslash, and octal bytes.
std::string unescape_ptx(std::string_view text);

// Prevents inline assembly from writing directives reserved for the compiler: places, files,
// functions.
//
// The compiler copies the text of an asm statement into the PTX between two comments. A `.loc` in
// it would move findings to another line of the report, and an `.entry` would add a kernel that the
// source does not show. Kernels need neither, so both are compile errors. Text that also forges the
// comments passes: it can then show a wrong line of the file, but never a wrong count.

/// Finds the first error in the inline assembly of `ptx`, which was compiled from `source` with
/// the name `file`; nullopt without an error. Its `.file 1` is "./NAME" if that is another
/// file.
std::optional<base::Diagnostic> check_inline_assembly(std::string_view ptx, const std::string& file,
                                                      std::string_view source);

}  // namespace warpgrade::compile
