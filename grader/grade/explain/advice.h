// SPDX-License-Identifier: Apache-2.0
// The advice that a report ends with: what the student should do next.
#pragma once

#include <string>

#include "grader/course/manifest.h"
#include "grader/grade/judge/findings.h"
#include "grader/grade/judge/rubric.h"

namespace warpgrade::grader::grade {

struct Advice {
  std::string next;  ///< Empty if all passed.
  std::string hint;  ///< Empty if the lab's hints, which are about speed, would not help.
};

Advice advice_for(const Findings& found, const Judgement& judgement,
                  const course::Exercise& exercise);

}  // namespace warpgrade::grader::grade
