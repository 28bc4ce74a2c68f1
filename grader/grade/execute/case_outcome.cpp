// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/execute/case_outcome.h"

#include <utility>

namespace warpgrade::grader::grade {

CaseOutcome ended_by(CaseEnding ending) {
  CaseOutcome out;
  out.ending = std::move(ending);
  return out;
}

bool is_right(const CaseOutcome& outcome) {
  return std::holds_alternative<RightResult>(outcome.ending);
}

bool ends_grading(const CaseOutcome& outcome) {
  return !is_right(outcome) && !std::holds_alternative<WrongResult>(outcome.ending) &&
         !std::holds_alternative<NotChecked>(outcome.ending);
}

}  // namespace warpgrade::grader::grade
