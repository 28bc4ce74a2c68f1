// SPDX-License-Identifier: Apache-2.0
// A file to grade with its content. It is read once, so that what is graded has the digest that is
// reported, whatever happens to the file meanwhile.
#pragma once

#include <filesystem>
#include <functional>
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
  /// How a command line names it: "--file copy.cu", or "--folder ada --file ada/copy.cu".
  std::string options{};
};

Submission read_submission(std::filesystem::path file, std::string shown);

/// The submission that is `folder`: includes reach all of it, and no file outside. `file` is a path
/// as seen from here or from the folder; empty: the one of `names` that is first there. Throws
/// base::UsageError where there is none, or `file` names one that is not in it; a link that leads
/// out of the folder is a diagnostic. `show` makes the name for reports.
Submission read_folder(const std::filesystem::path& folder, const std::filesystem::path& file,
                       const std::vector<std::filesystem::path>& names,
                       const std::function<std::string(const std::filesystem::path&)>& show);

}  // namespace warpgrade::grader
