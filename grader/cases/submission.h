// SPDX-License-Identifier: Apache-2.0
// A file to grade with its content. It is read once, so that the graded text has the reported
// digest, even if the file changes meanwhile.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/compiler.h"

namespace warpgrade::grader::cases {

/// The file could not be read; its content is unknown.
struct Unreadable {
  std::string why;
};

struct Submission {
  std::filesystem::path file;
  std::string shown;   ///< Its name in reports.
  std::string sha256;  ///< SHA-256 of its bytes in hex; empty if not all of them were read.
  /// Its text under the printed name, or its faults.
  std::variant<Unreadable, std::vector<base::Diagnostic>, compile::CompileRequest> content;
  /// How a command line names it: "--file copy.cu", or "--folder ada --file ada/copy.cu".
  std::string options{};
};

Submission read_submission(std::filesystem::path file, std::string shown);

/// The submission in `folder`: includes may reach all of the folder and no file outside. `file` is
/// a path relative to the working folder or to `folder`; if empty, the first existing file of
/// `names`. Throws base::UsageError if none exists, or if `file` is not in the folder. A link that
/// leads out of the folder is a diagnostic. `show` makes the name for reports.
Submission read_folder(const std::filesystem::path& folder, const std::filesystem::path& file,
                       const std::vector<std::filesystem::path>& names,
                       const std::function<std::string(const std::filesystem::path&)>& show);

}  // namespace warpgrade::grader::cases
