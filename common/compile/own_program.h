// SPDX-License-Identifier: Apache-2.0
// Kernels of ours that come with the program: compiled at first use, for each architecture once.
#pragma once

#include <string>

#include "common/compile/program.h"

namespace warpgrade::compile {

/// `source` compiled as `file` for `architecture`, kept for the life of the program under both
/// names; may be called by several threads. Throws base::ToolError "WHAT does not compile ..."
/// where it does not, which only a broken compiler causes.
const Program& own_program(const std::string& what, const std::string& file, const char* source,
                           const std::string& architecture);

}  // namespace warpgrade::compile
