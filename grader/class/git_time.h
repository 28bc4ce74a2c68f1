// SPDX-License-Identifier: Apache-2.0
// The time of the commit that a cloned repository has checked out, as git itself reads it. Students
// can set that time; the platform's page of the repository shows when it was pushed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace warpgrade::grader::class_book {

/// Seconds since 1970; nullopt if git is missing or the folder has no commit.
std::optional<std::int64_t> commit_time(const std::filesystem::path& git_folder);

}  // namespace warpgrade::grader::class_book
