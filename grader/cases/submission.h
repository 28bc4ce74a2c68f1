// SPDX-License-Identifier: Apache-2.0
// A file to grade with its content. It is read once, so that what is graded has the digest that is
// reported, whatever happens to the file meanwhile.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/compiler.h"

namespace warpgrade::grader {

/// The file could not be read, which says nothing of what is in it.
struct Unreadable {
  std::string why;
};

struct Submission {
  std::filesystem::path file;
  std::string shown;   ///< Its name in reports.
  std::string sha256;  ///< Digest of its bytes in hex; empty where not all of them were read.
  /// Its text under the name that is shown, or what is wrong with it.
  std::variant<Unreadable, std::vector<base::Diagnostic>, compile::CompileRequest> content;
};

Submission read_submission(std::filesystem::path file, std::string shown);

}  // namespace warpgrade::grader
