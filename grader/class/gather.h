// SPDX-License-Identifier: Apache-2.0
// Reads a class's submissions by the rule of class.toml: a folder with one folder per student
// (which may hold archives), an LMS's archive, or a folder of such archives. Links are not
// followed. Irregular files become problems of the result; none is dropped silently.
#pragma once

#include <filesystem>

#include "grader/class/hand_in.h"
#include "grader/class/rules.h"
#include "grader/course/course.h"

namespace warpgrade::grader::class_book {

/// Throws base::UsageError if `submissions` does not exist, or is an archive without a rule.
HandedIn gather(const course::Course& course, const Rules& rules,
                const std::filesystem::path& submissions);

}  // namespace warpgrade::grader::class_book
