// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/rubric.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpgrade::grader {
namespace {

using base::DiagnosticKind;

// A launch that meets what the simulator lacks says nothing about the submission, so `unsupported`
// counts only where nothing is the student's own fault.
std::pair<Verdict, Reason> verdict_of(const ExerciseReport& report) {
  bool student = false;
  bool unsupported = false;
  for (const auto& diagnostic : report.diagnostics) {
    if (diagnostic.kind == DiagnosticKind::kCompileError) return {Verdict::kFail, Reason::kCompile};
    (diagnostic.kind == DiagnosticKind::kUnsupported ? unsupported : student) = true;
  }
  const auto any_case = [&](CaseResult::State state) {
    return std::any_of(report.cases.begin(), report.cases.end(),
                       [state](const CaseResult& item) { return item.state == state; });
  };
  const auto any_gate = [&](auto&& predicate) {
    return std::any_of(report.gates.begin(), report.gates.end(), predicate);
  };
  if (student) return {Verdict::kFail, Reason::kDiagnostic};
  if (any_case(CaseResult::State::kIncorrect)) return {Verdict::kFail, Reason::kIncorrect};
  if (unsupported || !report.tool_trouble.empty()) return {Verdict::kError, Reason::kTool};
  const auto failed = [](const GateResult& gate) {
    return gate.measured && !gate.passed && !gate.undecided;
  };
  if (any_gate([&](const GateResult& gate) { return failed(gate) && !gate.is_performance; })) {
    return {Verdict::kFail, Reason::kMechanism};
  }
  if (any_gate(failed)) return {Verdict::kFail, Reason::kPerformance};
  // Whatever was left out without a reason of the student's must not look like a pass.
  const bool complete = !report.cases.empty() && !any_case(CaseResult::State::kNotRun) &&
                        !any_case(CaseResult::State::kDiagnostic) &&
                        !any_gate([](const GateResult& gate) { return !gate.measured; });
  if (!complete) return {Verdict::kError, Reason::kTool};
  const auto undecided = [](const GateResult& gate) { return gate.undecided; };
  if (any_gate(undecided)) return {Verdict::kInconclusive, Reason::kTool};
  return {Verdict::kPass, Reason::kNone};
}

// The first gate that `gate` needs and that was measured and failed; empty: none.
std::string lacking(const ExerciseReport& report, const GateResult& gate) {
  for (const auto& needed : gate.needs) {
    for (const auto& other : report.gates) {
      if (other.id == needed && other.measured && !other.passed) return needed;
    }
  }
  return {};
}

}  // namespace

void judge(ExerciseReport& report) {
  std::tie(report.verdict, report.reason) = verdict_of(report);
  report.correct = report.reason == Reason::kNone || report.reason == Reason::kMechanism ||
                   report.reason == Reason::kPerformance ||
                   report.verdict == Verdict::kInconclusive;
  report.points = report.correct ? report.correctness_points : 0;
  report.max_points = report.correctness_points;
  for (auto& gate : report.gates) {
    gate.lacks = report.correct && gate.passed ? lacking(report, gate) : "";
    const bool earned = report.correct && gate.measured && gate.passed && gate.lacks.empty();
    gate.points = earned ? gate.max_points : 0;
    report.points += gate.points;
    report.max_points += gate.max_points;
  }
}

void judge_answers(ExerciseReport& report) {
  const bool is_judged = report.tool_trouble.empty();
  report.points = 0;
  report.max_points = 0;
  report.correct = is_judged && report.diagnostics.empty();
  for (auto& gate : report.gates) {
    gate.points = gate.passed ? gate.max_points : 0;
    report.points += gate.points;
    report.max_points += gate.max_points;
    report.correct = report.correct && gate.passed;
  }
  report.verdict = report.correct ? Verdict::kPass : Verdict::kFail;
  report.reason = report.correct                ? Reason::kNone
                  : !report.diagnostics.empty() ? Reason::kCompile
                                                : Reason::kIncorrect;
  if (!is_judged)
    std::tie(report.verdict, report.reason) = std::pair(Verdict::kError, Reason::kTool);
}

bool within(const GateResult& gate, double value) {
  if (value != value) return false;
  return (!gate.min || value >= *gate.min) && (!gate.max || value <= *gate.max);
}

}  // namespace warpgrade::grader
