// SPDX-License-Identifier: Apache-2.0
// What the answers to an exercise's questions would be on the student's own card, for its report.
#pragma once

#include <string>
#include <vector>

#include "grader/course/questions.h"

namespace warpgrade::grader {

/// A remark for each thing that is asked, however many devices it is asked of; none for what is
/// asked of `device` itself, or cannot be explained there.
std::vector<std::string> answers_on(const std::vector<Question>& questions,
                                    const std::string& device);

}  // namespace warpgrade::grader
