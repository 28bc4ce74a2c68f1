// SPDX-License-Identifier: Apache-2.0
// A file to grade, and its text.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/compiler.h"

namespace warpgrade::grader {

struct Submission {
  std::filesystem::path file;
  std::string shown;  ///< Its name in reports.
};

/// Its text under the name that is shown, or what is wrong with it. Throws base::ToolError where it
/// cannot be read, which says nothing of what is in it.
std::variant<compile::CompileRequest, std::vector<base::Diagnostic>> read_submission(
    const Submission& submission);

}  // namespace warpgrade::grader
