// SPDX-License-Identifier: Apache-2.0
// A course's own headers: the folders of a manifest's `include_folders`.
//
// They are named as seen from the lab's folder, and lie inside the course, so that a pack can bring
// them along. What students are not to see is in none of them: solutions, and manifests with their
// secret cases, which a compiler's message would quote.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::grader {

/// The folders `given`, absolute and without links, of the lab in `lab`, which lies in the course's
/// labs/. Throws base::UsageError that begins with `where` and the name at the first that is no
/// folder or may not be one.
std::vector<std::filesystem::path> include_folders(const std::filesystem::path& lab,
                                                   const std::vector<std::string>& given,
                                                   const base::SourceLocation& where);

}  // namespace warpgrade::grader
