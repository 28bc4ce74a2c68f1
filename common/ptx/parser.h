// SPDX-License-Identifier: Apache-2.0
// Parses PTX text into a Module.
//
// This is the outer level of the text: version, target, variables with their initial values,
// functions and files. FunctionParser parses the bodies of functions.
#pragma once

#include <string>

#include "common/ptx/module.h"

namespace warpgrade::ptx {

/// Parses `text`. `file` is the CUDA C++ file that the PTX was compiled from, and the .loc lines of
/// the text refer to it by that name. Function::unsupported lists everything that the table of
/// instructions lacks. Invalid PTX throws base::ToolError with the line.
Module parse(const std::string& text, const std::string& file);

}  // namespace warpgrade::ptx
