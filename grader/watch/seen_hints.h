// SPDX-License-Identifier: Apache-2.0
// Stores the number of hints that a student has seen for each exercise: `hints.json` in the
// program's cache folder, by the path of the exercise. A report shows the first hint, so one counts
// as seen from the start.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace warpgrade::grader::watch {

std::filesystem::path hints_file();

/// At least 1, even if the file is missing or damaged, since hints are not secret.
std::size_t seen_hints(const std::filesystem::path& file, const std::string& exercise);

/// If the file cannot be written, the same hint is shown again: no failure.
void keep_seen_hints(const std::filesystem::path& file, const std::string& exercise,
                     std::size_t count);

}  // namespace warpgrade::grader::watch
