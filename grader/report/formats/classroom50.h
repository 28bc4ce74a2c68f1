// SPDX-License-Identifier: Apache-2.0
// Reports as the result.json that an autograder of Classroom 50 writes.
//
// Whose submission it is stands in variables that its runner sets. What could not be judged is a
// test that did not pass and counts for nothing, neither in the score nor in the most that can be
// had; the autograder should then end with an error, upon which the runner publishes none.
// Rules: https://github.com/foundation50/classroom50, schemas/result-v1.schema.json and the wiki's
// page Advanced-Autograding.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "grader/report/formats/environment.h"
#include "grader/report/report.h"

namespace warpgrade::grader {

/// Those that must be set.
inline constexpr std::array<std::string_view, 6> kClassroom50Variables = {
    "CLASSROOM", "ASSIGNMENT", "USERNAME", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"};

std::string render_classroom50(const Report& report, const Environment& environment);

}  // namespace warpgrade::grader
