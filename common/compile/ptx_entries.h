// SPDX-License-Identifier: Apache-2.0
// What the compile stage reads in PTX: the kernels with the layout of their parameters, and
// inline assembly that writes directives reserved for the compiler.
//
// The parameters distinguish kernels if the name does not contain them (extern "C"). A later
// stage parses PTX fully.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::compile {

struct PtxParameter {
  std::uint32_t size_bytes = 0;
  bool is_float = false;  ///< .f32 or .f64

  friend bool operator==(const PtxParameter&, const PtxParameter&) = default;
};

struct PtxEntry {
  std::string name;
  std::vector<PtxParameter> parameters;
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
