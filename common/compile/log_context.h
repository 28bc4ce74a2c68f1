// SPDX-License-Identifier: Apache-2.0
// What is known about the files in NVRTC's log: the main file's names and text, the folders of
// headers, and the code that was not compiled. Paths of the log become names that the user knows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/compile/program.h"

namespace warpgrade::compile {

struct LogContext {
  std::string compiled_name;                 ///< The main file's name in NVRTC's messages.
  std::string shown_name;                    ///< The same for the user.
  std::string folder;                        ///< Folder of the file's own headers; may be empty.
  std::vector<std::string> include_folders;  ///< Folders of the course's headers.
  std::vector<std::string> toolkit_folders;
  std::string_view source;        ///< The main file's text.
  std::vector<LeftOut> left_out;  ///< Code that was not compiled, with file names for the user.
};

/// The part of `path` after `folder`; nullopt if the path is not below the folder.
std::optional<std::string> path_below(std::string_view path, const std::string& folder);

/// "include/defines.h": a header of the course, even if it was requested above its folder.
std::optional<std::string> course_header(std::string_view path, const LogContext& context);

/// The name by which a user knows `path`: the main file, a header beside it, a header with the name
/// of its include folder, or a header of the toolkit as in #include.
std::string shown_path(std::string_view path, const LogContext& context);

/// Whether the file is a header of the toolkit.
bool is_of_toolkit(std::string_view path, const LogContext& context);

}  // namespace warpgrade::compile
