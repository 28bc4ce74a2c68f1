// SPDX-License-Identifier: Apache-2.0
// Computes the answers to an exercise's questions for the student's own card, for the report.
#pragma once

#include <string>
#include <vector>

#include "grader/course/questions.h"

namespace warpgrade::grader::grade {

/// One remark for each distinct question, even if it names several devices. No remark for questions
/// about `device` itself, or about facts that cannot be explained there.
std::vector<std::string> answers_on(const std::vector<course::Question>& questions,
                                    const std::string& device);

}  // namespace warpgrade::grader::grade
