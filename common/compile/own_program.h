// SPDX-License-Identifier: Apache-2.0
// Our own kernels in the program: compiled at first use, once per architecture.
#pragma once

#include <string>

#include "common/compile/program.h"

namespace warpgrade::compile {

/// Compiles `source` as `file` for `architecture` and caches the result for the life of the program
/// under both names. Thread-safe. Throws base::ToolError "WHAT does not compile ..." on errors,
/// which mean a broken compiler.
const Program& own_program(const std::string& what, const std::string& file, const char* source,
                           const std::string& architecture);

}  // namespace warpgrade::compile
