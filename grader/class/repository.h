// SPDX-License-Identifier: Apache-2.0
// Reads commits and branches of a student's clone with git.
//
// A student's settings could name programs that fetch missing objects. So git ignores them and may
// use no protocol.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace warpgrade::grader::class_book {

/// Whether git is installed where the functions below look for it.
bool has_git();

/// Seconds since 1970 of the last commit that changed `file` of the repository, or of the newest
/// commit if `file` is empty; nullopt if git or the commit is missing. Students can set that time;
/// the platform's page of the repository shows when it was pushed.
std::optional<std::int64_t> commit_time(const std::filesystem::path& git_folder,
                                        const std::string& file);

/// The branches with commits that the one checked out does not have, safe to print; empty without
/// git.
std::string other_branches(const std::filesystem::path& git_folder);

}  // namespace warpgrade::grader::class_book
