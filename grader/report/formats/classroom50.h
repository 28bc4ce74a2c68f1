// SPDX-License-Identifier: Apache-2.0
// Reports as the result.json that an autograder of Classroom 50 writes.
//
// Variables of its runner name the submission's owner. An exercise that could not be judged is a
// test that did not pass and counts neither in the score nor in the maximum; the autograder should
// then end with an error, so that the runner publishes no result. Rules:
// https://github.com/foundation50/classroom50, schemas/result-v1.schema.json and the wiki's page
// Advanced-Autograding.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "grader/report/formats/environment.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {

/// The environment variables that must be set.
inline constexpr std::array<std::string_view, 6> kClassroom50Variables = {
    "CLASSROOM", "ASSIGNMENT", "USERNAME", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"};

std::string render_classroom50(const Report& report, const Environment& environment);

}  // namespace warpgrade::grader::report
