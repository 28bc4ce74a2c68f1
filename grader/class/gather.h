// SPDX-License-Identifier: Apache-2.0
// Reads what a class handed in: a folder with a folder a student (which may hold archives), or an
// LMS's archive, or a folder of such archives, by the rule of class.toml. Links are not followed.
// What is odd becomes a problem of the result; nothing is dropped without a word.
#pragma once

#include <filesystem>

#include "grader/class/class_rules.h"
#include "grader/class/hand_in.h"
#include "grader/course/course.h"

namespace warpgrade::grader {

/// Throws base::UsageError where `submissions` is not there, or is an archive without a rule.
HandedIn gather(const Course& course, const ClassRules& rules,
                const std::filesystem::path& submissions);

}  // namespace warpgrade::grader
