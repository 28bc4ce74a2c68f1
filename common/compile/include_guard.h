// SPDX-License-Identifier: Apache-2.0
// Decides which files NVRTC may see while it compiles a submission.
//
// NVRTC opens headers through the C library. The compiler process defines those few functions
// itself (open, fopen, stat, access and their older names), and the loader gives its own
// definitions to libnvrtc. While the guard is on, a path is resolved first, symbolic links and
// `..` included; what lies in no allowed folder does not exist, however the #include was spelt, so
// that neither a byte of it nor its existence gets into an error message. Headers that are not the
// toolkit's are read through neutralise_directives, and through a filter.
//
// A course's folder also stands for the folders above the submission, which nobody may see: what
// #include "../defines.h" does not find there is looked for in it, as defines.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace warpgrade::compile {

/// Folders whose files may be included, with all that is below them.
struct IncludeReach {
  std::vector<std::string> toolkit;
  std::string submission;  ///< May be empty.
  std::vector<std::string> course;
};

/// The text that the compiler gets of a header, from the path as it was asked for and the file's
/// text.
using HeaderFilter = std::function<std::string(const std::string& path, std::string text)>;

/// From now on only regular files within `reach` are visible to callers of the C library outside of
/// it; nothing can be opened for writing. Those that are not the toolkit's are read as `filter` has
/// them.
void turn_on_include_guard(const IncludeReach& reach, HeaderFilter filter);

}  // namespace warpgrade::compile
