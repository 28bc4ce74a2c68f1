// SPDX-License-Identifier: Apache-2.0
#include "grader/report/failure_text.h"

#include <fmt/format.h>

#include "common/base/counted.h"
#include "common/base/text.h"
#include "grader/report/render_gates.h"

namespace warpgrade::grader::report {

std::string failure_text(const ExerciseReport& item) {
  const bool is_graded = item.reason == Reason::kIncorrect || item.reason == Reason::kMechanism ||
                         item.reason == Reason::kPerformance;
  if (!is_graded) return {};
  for (const auto& run : item.cases) {
    if (run.state != CaseResult::State::kIncorrect || !run.difference) continue;
    return base::escape_controls(run.difference->text);
  }
  if (item.wrong_answers.empty()) return first_failed_gate(item);
  const auto& first = item.wrong_answers.front();
  const auto count = item.wrong_answers.size();
  return fmt::format("{}{} {}{}{}: {} is wrong", base::counted(count, "wrong answer"),
                     count == 1 ? ":" : "; the first is", first.question,
                     first.subject.empty() ? "" : ", ", first.subject, first.given);
}

}  // namespace warpgrade::grader::report
