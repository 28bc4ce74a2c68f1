// SPDX-License-Identifier: Apache-2.0
#include "grader/report/report.h"

#include <algorithm>
#include <array>

namespace warpgrade::grader::report {

std::string_view name(Verdict verdict) {
  static constexpr std::array<std::string_view, 4> kNames = {"pass", "fail", "inconclusive",
                                                             "error"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

std::string_view name(Reason reason) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "none", "compile", "diagnostic", "incorrect", "mechanism", "performance", "tool"};
  return kNames.at(static_cast<std::size_t>(reason));
}

std::optional<GateValue> ExerciseReport::fraction_of_roofline() const {
  for (const auto& gate : gates) {
    if (gate.gate.is_performance() && gate.decision && gate.value()) return gate.worst->value;
  }
  return std::nullopt;
}

std::optional<GateValue> ExerciseReport::fraction_of_copy() const {
  return rooflines.empty() ? fraction_of_roofline() : std::nullopt;
}

const CaseResult* ExerciseReport::first_incorrect() const {
  const auto found = std::find_if(cases.begin(), cases.end(), [](const CaseResult& one) {
    return one.state == CaseResult::State::kIncorrect;
  });
  return found == cases.end() ? nullptr : &*found;
}

std::uint32_t Report::points() const {
  std::uint32_t sum = 0;
  for (const auto& exercise : exercises) sum += exercise.points;
  return sum;
}

std::uint32_t Report::max_points() const {
  std::uint32_t sum = 0;
  for (const auto& exercise : exercises) sum += exercise.max_points;
  return sum;
}

int Report::exit_code() const {
  int code = 0;
  for (const auto& exercise : exercises) {
    if (exercise.verdict == Verdict::kError || exercise.verdict == Verdict::kInconclusive) return 3;
    if (exercise.verdict != Verdict::kPass) code = 1;
  }
  return code;
}

}  // namespace warpgrade::grader::report
