// SPDX-License-Identifier: Apache-2.0
// What a run prints of the submissions that it read, before it grades them: the layout, how many
// students and attempts there are, files that were not graded, and students of whom nothing came.
// Problems are printed up to a number; a file beside the book has all of them.
#pragma once

#include <filesystem>

#include "grader/class/class_rules.h"
#include "grader/class/hand_in.h"
#include "grader/class/say.h"

namespace warpgrade::grader {

/// Writes all problems to `all`. Throws base::ToolError if it cannot be written.
void report_intake(const HandedIn& handed_in, const ClassRules& rules,
                   const std::filesystem::path& all, const Say& say);

}  // namespace warpgrade::grader
