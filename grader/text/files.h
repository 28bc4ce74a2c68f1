// SPDX-License-Identifier: Apache-2.0
// Files written whole or not at all, and where those lie that the program keeps.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpgrade::grader::text {

/// Writes beside `file`, or beside what it is a link to, and renames, so that a reader never meets
/// half a file and a full disk leaves the old one. What is no regular file (a pipe, a device) is
/// written to directly, and so is what standard output or standard error is. Throws base::ToolError
/// with the path and the reason.
void write_atomically(const std::filesystem::path& file, std::string_view content);

/// The same with the folders above it, for what may be lost: it is no failure that it cannot be
/// kept.
void write_if_possible(const std::filesystem::path& file, std::string_view content);

/// The content of `file`. Throws base::UsageError with the reason and the name that is `shown`.
std::string read_file(const std::filesystem::path& file, const std::string& shown);

/// For what may be lost: "warpgrade" in $XDG_CACHE_HOME, else in ~/.cache. It need not be there.
std::filesystem::path cache_folder();
/// For what a user wants to find again: "warpgrade" in $XDG_STATE_HOME, else in ~/.local/state.
std::filesystem::path state_folder();

}  // namespace warpgrade::grader::text
