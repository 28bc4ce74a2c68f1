// SPDX-License-Identifier: Apache-2.0
// A course's own headers: the folders of a manifest's `include_folders`.
//
// They are relative to the lab's folder and inside the course, so that a pack can copy them. They
// must not contain solutions or manifests (with secret cases), which a compiler's message could
// quote.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::grader::course {

/// The absolute paths, without links, of the folders `given` for the lab in the folder `lab`.
/// Throws base::UsageError that begins with `where` and the name of the first one that is missing
/// or not allowed.
std::vector<std::filesystem::path> include_folders(const std::filesystem::path& lab,
                                                   const std::vector<std::string>& given,
                                                   const base::SourceLocation& where);

}  // namespace warpgrade::grader::course
