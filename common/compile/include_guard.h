// SPDX-License-Identifier: Apache-2.0
// Controls which files NVRTC can see while it compiles a submission.
//
// NVRTC opens headers through the C library. The compiler process defines those few functions
// itself (open, fopen, stat, access and their older names), and the loader binds libnvrtc to these
// definitions. While the guard is on, a path is first resolved, including symbolic links and `..`.
// A file outside the allowed folders does not exist, for any spelling of the #include, so neither
// its content nor its existence gets into an error message. Headers outside the toolkit are read
// through neutralise_directives and a filter.
//
// A course's folder also replaces the folders above the submission, which are hidden: if #include
// "../defines.h" fails there, defines.h is searched in the course's folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::compile {

/// Folders whose files may be included, with their subfolders.
struct IncludeReach {
  std::vector<std::string> toolkit;
  std::string submission;  ///< May be empty.
  std::vector<std::string> course;
};

/// The text of a header for the compiler, from its requested path and its original
/// text.
using HeaderFilter = std::function<std::string(const std::string& path, std::string text)>;

/// The files that a compilation can see.
class VisibleFiles {
 public:
  VisibleFiles() = default;
  explicit VisibleFiles(const IncludeReach& reach);
  /// The file that the compiler gets for `path`, with links resolved; nullopt if it must not see
  /// it.
  std::optional<std::string> find(const std::string& path) const;
  /// Whether a file that find() returned is the toolkit's.
  bool is_of_toolkit(const std::string& file) const;

 private:
  std::string from_above(std::string_view path) const;

  std::vector<std::string> toolkit_;  // without links, like the next
  std::vector<std::string> others_;   // of the submission and the course
  std::vector<std::string> course_;   // as given by the caller
};

/// Gets each path that the compiler looks for, and the file that it finds there.
using LookupObserver =
    std::function<void(const std::string& path, const std::optional<std::string>& file)>;

/// From now on, calls of the C library in this process see only files in `reach` and cannot open
/// files for writing. Files outside the toolkit must be regular and are read as `filter` returns
/// them. `observer` is optional.
void turn_on_include_guard(const IncludeReach& reach, HeaderFilter filter,
                           LookupObserver observer = {});

/// From now on, calls of the C library see all files again.
void turn_off_include_guard();

}  // namespace warpgrade::compile
