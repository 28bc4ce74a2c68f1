// SPDX-License-Identifier: Apache-2.0
// Files that are written whole or not at all, and the folders in which the program keeps files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpgrade::grader::text {

/// Writes a new file beside `file`, or beside the target if `file` is a link, and renames it. A
/// reader therefore never sees half a file, and a full disk leaves the old one. Writes directly to
/// a pipe, a device, or the file that is standard output or standard error. Throws base::ToolError
/// with the path and the reason.
void write_atomically(const std::filesystem::path& file, std::string_view content);

/// The same for a file that may be lost. Creates missing folders and ignores failures.
void write_if_possible(const std::filesystem::path& file, std::string_view content);

/// The content of `file`. Throws base::UsageError with the reason and the name `shown`.
std::string read_file(const std::filesystem::path& file, const std::string& shown);

/// The folder for files that may be lost: "warpgrade" in $XDG_CACHE_HOME, by default in ~/.cache.
/// It may not exist.
std::filesystem::path cache_folder();
/// The folder for files that users want to keep: "warpgrade" in $XDG_STATE_HOME, by default in
/// ~/.local/state.
std::filesystem::path state_folder();

}  // namespace warpgrade::grader::text
