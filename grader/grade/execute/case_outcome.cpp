// SPDX-License-Identifier: Apache-2.0
// One case to be executed on one target, and its outcome.
// In: a place, the contents of the buffers, and limits. Out: one of eight endings, with counters,
// diagnostics or a difference.
// Some endings end the grading of the submission: no further case runs, since it would show the
// same or could not be judged.
#include "grader/grade/execute/case_outcome.h"

#include <utility>
#include <variant>

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
