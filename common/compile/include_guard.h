// SPDX-License-Identifier: Apache-2.0
// Decides which files NVRTC may see while it compiles a submission.
//
// NVRTC opens headers through the C library. The compiler process defines those few functions
// itself (open, fopen, stat, access and their older names), and the loader gives its own
// definitions to libnvrtc. While the guard is on, a path is resolved first, symbolic links and
// `..` included; what lies in no allowed folder does not exist, however the #include was spelt, so
// that neither a byte of it nor its existence gets into an error message. Headers from the
// submission's folder are read through neutralise_directives, and through a filter.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace warpgrade::compile {

/// What is read of a header of the submission: of its path as it was asked for, and its text.
using HeaderFilter = std::function<std::string(const std::string& path, std::string text)>;

/// From now on only regular files under `toolkit_folders` and `folder` (empty: none) are visible
/// to callers of the C library outside of it; nothing can be opened for writing. Those of `folder`
/// are read as `filter` has them.
void turn_on_include_guard(const std::vector<std::string>& toolkit_folders,
                           const std::string& folder, HeaderFilter filter);

}  // namespace warpgrade::compile
