// SPDX-License-Identifier: Apache-2.0
// Reads a PTX file, from any compiler, as a Program.
//
// The file's `.target` decides which devices can run it. ptxas, if it is installed, makes the
// machine code and reports registers; without it both are unknown, which Program::not_assembled
// explains. Places come from `.loc` and `.file`. Code without them is at its line of the PTX text.
#pragma once

#include <filesystem>
#include <string>

#include "common/compile/compiler.h"

namespace warpgrade::compile {

/// Whether `file` is PTX, by its name.
bool is_ptx_file(const std::filesystem::path& file);

/// The program in `file` for a device of `architecture` ("sm_90"). Throws base::UsageError if the
/// file is unreadable or for another device. A file that ptxas refuses is a diagnostic.
Result read_ptx_file(const std::filesystem::path& file, const std::string& architecture);

}  // namespace warpgrade::compile
