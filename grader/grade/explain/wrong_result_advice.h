// SPDX-License-Identifier: Apache-2.0
// The first step after a wrong result: from the likely cause of the first wrong element, its
// distance from the expected value, and the number of wrong elements.
#pragma once

#include <string>

#include "grader/grade/judge/findings.h"

namespace warpgrade::grader::grade {

std::string next_of_wrong_result(const Findings& found);

}  // namespace warpgrade::grader::grade
