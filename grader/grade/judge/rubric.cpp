// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/judge/rubric.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace warpgrade::grader::grade {
namespace {

using base::DiagnosticKind;

bool any_case(const Findings& found, report::CaseResult::State state) {
  return std::any_of(found.cases.begin(), found.cases.end(),
                     [state](const report::CaseResult& item) { return item.state == state; });
}

template <typename Predicate>
bool any_gate(const Findings& found, const Predicate& predicate) {
  return std::any_of(found.gates.begin(), found.gates.end(), predicate);
}

// Whether the whole exercise was run and measured. Parts that were skipped through no fault of the
// student must not look like a pass.
bool is_complete(const Findings& found) {
  return !found.cases.empty() && !any_case(found, report::CaseResult::State::kNotRun) &&
         !any_case(found, report::CaseResult::State::kDiagnostic) &&
         !any_gate(found, [](const report::GateReport& gate) { return !gate.decision; });
}

// A launch that uses a feature that the simulator lacks proves nothing about the submission, so
// `unsupported` counts only without a fault of the student's own.
std::pair<report::Verdict, report::Reason> verdict_of(const Findings& found) {
  bool student = false;
  bool unsupported = false;
  for (const auto& diagnostic : found.diagnostics) {
    if (diagnostic.kind == DiagnosticKind::kCompileError)
      return {report::Verdict::kFail, report::Reason::kCompile};
    (diagnostic.kind == DiagnosticKind::kUnsupported ? unsupported : student) = true;
  }
  if (student) return {report::Verdict::kFail, report::Reason::kDiagnostic};
  if (any_case(found, report::CaseResult::State::kIncorrect))
    return {report::Verdict::kFail, report::Reason::kIncorrect};
  if (unsupported || !found.tool_trouble.empty())
    return {report::Verdict::kError, report::Reason::kTool};
  const auto fails = [](const report::GateReport& gate) { return gate.has_failed(); };
  const auto is_mechanism = [&](const report::GateReport& gate) {
    return fails(gate) && !gate.gate.is_performance();
  };
  if (any_gate(found, is_mechanism)) return {report::Verdict::kFail, report::Reason::kMechanism};
  if (any_gate(found, fails)) return {report::Verdict::kFail, report::Reason::kPerformance};
  if (!is_complete(found)) return {report::Verdict::kError, report::Reason::kTool};
  const auto is_undecided = [](const report::GateReport& gate) { return !gate.has_passed(); };
  if (any_gate(found, is_undecided)) return {report::Verdict::kInconclusive, report::Reason::kTool};
  return {report::Verdict::kPass, report::Reason::kNone};
}

// The first gate that `gate` needs and that was decided and did not pass; may be empty.
std::string lacking(const Findings& found, const report::GateReport& gate) {
  for (const auto& needed : gate.gate.needs) {
    for (const auto& other : found.gates) {
      if (other.gate.id == needed && other.decision && !other.has_passed()) return needed;
    }
  }
  return {};
}

void add(Judgement& judgement, const report::GateReport& gate, Award award) {
  judgement.points += award.points;
  judgement.max_points += gate.gate.max_points;
  judgement.awards.push_back(std::move(award));
}

// Whether passing the gate goes beyond the skeleton. Everybody passes a waived gate.
bool exceeds_skeleton(const report::GateReport& gate) {
  return !gate.skeleton_passes() && !gate.gate.is_waived;
}

// Points are for going beyond the skeleton. If the skeleton's result is right, its gates have
// values, and a submission that passes only gates that the skeleton also passes has added nothing.
// If all other gates are waived, none can decide, and a right kernel must not lose points.
bool goes_beyond_skeleton(const Findings& found) {
  const bool is_skeleton_right = any_gate(
      found, [](const report::GateReport& gate) { return gate.gate.skeleton.has_value(); });
  if (!is_skeleton_right || !any_gate(found, exceeds_skeleton)) return true;
  return any_gate(found, [&](const report::GateReport& gate) {
    return gate.has_passed() && exceeds_skeleton(gate) && lacking(found, gate).empty();
  });
}

// The first gate that a submission has to pass to go beyond a right skeleton. If it passed that
// gate and earned nothing, the gate that it lacks.
std::string first_step(const Findings& found) {
  for (const auto& gate : found.gates) {
    if (!exceeds_skeleton(gate)) continue;
    return gate.has_passed() ? lacking(found, gate) : gate.gate.id;
  }
  return {};
}

// The points of a question: each wrong answer costs one, and they never exceed the share of right
// answers. Half of a list guessed right must earn little.
std::uint32_t points_for_answers(const report::GateReport& gate) {
  const auto most = gate.gate.max_points;
  const auto right = gate.value();
  if (gate.has_passed() || !right) return gate.has_passed() ? most : 0;
  const auto wrong = static_cast<std::uint32_t>(gate.gate.ideal - *right);
  const auto share = static_cast<std::uint32_t>(most * *right / gate.gate.ideal);
  return std::min(most - std::min(wrong, most), share);
}

}  // namespace

Judgement judge(const Findings& found, std::uint32_t correctness_points) {
  Judgement out;
  std::tie(out.verdict, out.reason) = verdict_of(found);
  out.correct = out.reason == report::Reason::kNone || out.reason == report::Reason::kMechanism ||
                out.reason == report::Reason::kPerformance ||
                out.verdict == report::Verdict::kInconclusive;
  const bool earns = out.correct && goes_beyond_skeleton(found);
  out.points = earns ? correctness_points : 0;
  out.max_points = correctness_points;
  for (const auto& gate : found.gates) {
    Award award;
    if (out.correct && gate.has_passed()) {
      award.lacks = lacking(found, gate);
      if (award.lacks.empty() && !earns) award.lacks = first_step(found);
      award.points = award.lacks.empty() ? gate.gate.max_points : 0;
    }
    add(out, gate, std::move(award));
  }
  return out;
}

Judgement judge_answers(const Findings& found) {
  Judgement out;
  const bool is_judged = found.tool_trouble.empty();
  out.correct = is_judged && found.diagnostics.empty();
  for (const auto& gate : found.gates) {
    add(out, gate, {points_for_answers(gate), {}});
    out.correct = out.correct && gate.has_passed();
  }
  if (!is_judged) return out;
  out.verdict = out.correct ? report::Verdict::kPass : report::Verdict::kFail;
  out.reason = out.correct                  ? report::Reason::kNone
               : !found.diagnostics.empty() ? report::Reason::kCompile
                                            : report::Reason::kIncorrect;
  return out;
}

}  // namespace warpgrade::grader::grade
