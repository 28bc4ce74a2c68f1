// SPDX-License-Identifier: Apache-2.0
#include "grader/watch/attempt_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "grader/text/terminal.h"

namespace warpgrade::grader::watch {
namespace {

// The progress of a submission, from worst to best.
enum class Stage { kBroken, kFaulty, kWrong, kRight };

Stage stage_of(const report::ExerciseReport& item) {
  switch (item.reason) {
    case report::Reason::kCompile:
      return Stage::kBroken;
    case report::Reason::kDiagnostic:
      return Stage::kFaulty;
    case report::Reason::kIncorrect:
      return Stage::kWrong;
    case report::Reason::kNone:
    case report::Reason::kMechanism:
    case report::Reason::kPerformance:
    case report::Reason::kTool:
      break;
  }
  return Stage::kRight;
}

std::string_view words_of(Stage stage) {
  switch (stage) {
    case Stage::kBroken:
      return "it does not compile now";
    case Stage::kFaulty:
      return "it stops with a diagnostic now";
    case Stage::kWrong:
      return "it runs to its end now, with a wrong result";
    case Stage::kRight:
      break;
  }
  return "the result is right now";
}

std::string number_or_none(const std::optional<double>& value) {
  return value ? text::number(*value) : "none";
}

std::optional<AttemptChange> gate_change(const report::GateReport& before,
                                         const report::GateReport& after) {
  if (!before.decision || !after.decision) return std::nullopt;
  const bool turned = before.has_passed() != after.has_passed();
  const auto was = number_or_none(before.value());
  const auto is = number_or_none(after.value());
  if (!turned && was == is) return std::nullopt;
  auto text = fmt::format("{}: {} -> {}", after.gate.id, was, is);
  if (!turned) return AttemptChange{std::move(text), Direction::kMoved};
  return AttemptChange{text + (after.has_passed() ? ", passes now" : ", fails now"),
                       after.has_passed() ? Direction::kBetter : Direction::kWorse};
}

}  // namespace

std::vector<AttemptChange> changes_between(const report::ExerciseReport& before,
                                           const report::ExerciseReport& after) {
  std::vector<AttemptChange> out;
  if (before.points != after.points) {
    out.push_back(
        {fmt::format("points: {} -> {} of {}", before.points, after.points, after.max_points),
         after.points > before.points ? Direction::kBetter : Direction::kWorse});
  }
  const auto was = stage_of(before);
  const auto is = stage_of(after);
  if (was != is) {
    out.push_back({std::string(words_of(is)), is > was ? Direction::kBetter : Direction::kWorse});
  }
  std::vector<AttemptChange> moved;
  for (const auto& gate : after.gates) {
    const auto same = [&](const report::GateReport& other) {
      return other.gate.id == gate.gate.id;
    };
    const auto old = std::ranges::find_if(before.gates, same);
    if (old == before.gates.end()) continue;
    if (auto change = gate_change(*old, gate)) {
      (change->direction == Direction::kMoved ? moved : out).push_back(*std::move(change));
    }
  }
  const auto wrong = after.wrong_answers.size();
  if (before.wrong_answers.size() != wrong) {
    out.push_back({fmt::format("wrong answers: {} -> {}", before.wrong_answers.size(), wrong),
                   wrong < before.wrong_answers.size() ? Direction::kBetter : Direction::kWorse});
  }
  out.insert(out.end(), moved.begin(), moved.end());
  return out;
}

}  // namespace warpgrade::grader::watch
