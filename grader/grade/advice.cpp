// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/advice.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpgrade::grader {
namespace {

// A later hint for a submission that has come further: one step for each gate passed.
std::string hint_for(const ExerciseReport& report, const Exercise& exercise) {
  // What the untouched skeleton passes is no progress.
  const auto is_progress = [](const GateResult& gate) {
    const bool skeleton_fails =
        (gate.min && gate.skeleton < *gate.min) || (gate.max && gate.skeleton > *gate.max);
    return gate.measured && gate.passed && skeleton_fails;
  };
  const auto progress = static_cast<std::size_t>(
      std::count_if(report.gates.begin(), report.gates.end(), is_progress));
  const auto step = std::min(progress, exercise.hints.size() - 1);
  return fmt::format("hint {} of {}: {}", step + 1, exercise.hints.size(), exercise.hints[step]);
}

}  // namespace

void say_what_next(ExerciseReport& report, const Exercise& exercise) {
  switch (report.reason) {
    case Reason::kNone:
      return;
    case Reason::kTool:
      if (report.verdict == Verdict::kInconclusive) {
        report.next =
            "The result is right. The speed could not be decided, which is not the submission's "
            "fault: grade it again where nothing else runs, or by --backend sim.";
        return;
      }
      if (!report.tool_trouble.empty()) {
        report.next = "This grader could not judge the submission: " + report.tool_trouble;
        return;
      }
      report.next =
          "Nothing is wrong with the submission as far as it was judged: this grader could "
          "not judge it.";
      return;
    case Reason::kCompile:
      report.next = exercise.questions.empty()
                        ? fmt::format("Make it compile as {}; the first message matters most.",
                                      exercise.signature)
                        : "Put the file right where the message points; nothing was graded.";
      return;
    case Reason::kDiagnostic:
      report.next = "Look at the line above, and at which block and thread it was.";
      return;  // the lab's hints are about how to be fast
    case Reason::kIncorrect:
      if (!exercise.questions.empty()) {
        report.next = "Redo the first wrong answer by hand with the reasoning beside it.";
        break;
      }
      report.next =
          "Follow one wrong element by hand: which thread writes it, and what does it read?";
      break;
    case Reason::kMechanism:
    case Reason::kPerformance:
      for (const auto& gate : report.gates) {
        const bool wanted = gate.is_performance == (report.reason == Reason::kPerformance);
        if (gate.measured && !gate.passed && wanted) {
          report.next = gate.next;
          break;
        }
      }
      break;
  }
  report.hint = hint_for(report, exercise);
}

}  // namespace warpgrade::grader
