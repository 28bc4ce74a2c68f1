// SPDX-License-Identifier: Apache-2.0
// PTX text -> Module.
#pragma once

#include <string>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// Parses `text`. `file` is the name of the CUDA C++ file that the PTX was compiled from:
/// the .loc lines of its text carry that name. What the table of instructions lacks is noted in
/// Function::unsupported; text that is no PTX throws base::ToolError with the line.
Module parse(const std::string& text, const std::string& file);

}  // namespace warpgrade::ptx
