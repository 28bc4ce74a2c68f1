// SPDX-License-Identifier: Apache-2.0
// The only kind of diagnostic that this stage creates.
#pragma once

#include <string>

#include "common/base/diagnostic.h"

namespace warpgrade::compile {

/// A diagnostic of kind kCompileError; line and column 0 mean the whole file.
inline base::Diagnostic compile_error(const std::string& file, std::uint32_t line,
                                      std::uint32_t column, const std::string& message) {
  base::Diagnostic diagnostic;
  diagnostic.kind = base::DiagnosticKind::kCompileError;
  diagnostic.where.file = file;
  diagnostic.where.line = line;
  diagnostic.where.column = column;
  diagnostic.message = message;
  return diagnostic;
}

}  // namespace warpgrade::compile
