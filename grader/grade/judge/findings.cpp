// SPDX-License-Identifier: Apache-2.0
// The findings about a submission, and the verdict and points that follow from them.
// In: the runs of a submission's cases, and the decisions on its gates. Out: findings for a
// report, and a judgement.
// A verdict has the first reason that applies, from a compile error to a tool that could not
// judge. Gates earn points for a right result only.
#include "grader/grade/judge/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/run/launch.h"
#include "grader/cases/student_terms.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/execute/execution.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {
namespace {

using State = report::CaseResult::State;

// The difference with the order and the size at which it was found.
verify::OutputDifference difference_of(const WrongResult& wrong) {
  auto out = wrong.difference;
  const auto& seen = wrong.seen;
  out.text = fmt::format("{}{}{}", wrong.difference.text,
                         seen.replay.empty() ? "" : " " + base::order_text(seen.replay),
                         seen.timed_size ? base::timed_size_text(*seen.timed_size) : "");
  return out;
}

base::Diagnostic diagnostic(const GradingTask& task, base::DiagnosticKind kind,
                            std::string message) {
  base::Diagnostic out;
  out.kind = kind;
  out.where.file = task.submission.shown;
  out.message = std::move(message);
  return out;
}

// Enters how a case ended: in its result, and in the findings of all cases.
class EndingEntry {
 public:
  EndingEntry(const GradingTask& task, const CaseRun& run, report::CaseResult& result,
              Findings& found)
      : task_(task), run_(run), result_(result), found_(found) {}

  void operator()(const RightResult&) { result_.state = State::kPassed; }
  void operator()(const WrongResult& wrong) {
    result_.state = State::kIncorrect;
    result_.difference = difference_of(wrong);
    result_.depends_on_order = !wrong.seen.replay.empty();
    add_result_lines();
    add_compiler_warnings();
  }
  void operator()(const FoundFaults& faults) {
    result_.state = State::kDiagnostic;
    auto diagnostics = faults.diagnostics;
    cases::explain_races(diagnostics, run_.outcome.measured.result.skipped_barriers);
    add_array_shapes(diagnostics);
    add_distinct(found_.diagnostics, diagnostics);
  }
  /// Adds what the submission and the manifest know about arrays.
  void add_array_shapes(std::vector<base::Diagnostic>& diagnostics) const {
    if (diagnostics.empty()) return;
    const auto* source = std::get_if<compile::CompileRequest>(&task_.submission.content);
    const std::string_view text = source == nullptr ? std::string_view() : source->source;
    const auto arrays = cases::declared_arrays(text);
    for (auto& one : diagnostics) add_shapes(one, run_.place.sized->buffers, arrays, text);
  }
  // The launch is the course's, so the kernel is at fault.
  void operator()(const NotLaunchable& ending) {
    found_.refuses_launch = true;
    auto message = fmt::format("the kernel cannot be launched as {}: {}",
                               task_.kernel().signatures(), ending.why);
    add_distinct(found_.diagnostics,
                 {diagnostic(task_, base::DiagnosticKind::kCompileError, std::move(message))});
  }
  // A submission that breaks the services loses only its own grade: the next ones are graded.
  void operator()(const NotSimulated& ending) {
    result_.state = State::kDiagnostic;
    auto message = fmt::format("case {} could not be run: {}", result_.name, ending.why);
    add_distinct(found_.diagnostics,
                 {diagnostic(task_, base::DiagnosticKind::kUnsupported, std::move(message))});
  }
  void operator()(const NotChecked& /*ending*/) {}  // Not run as far as a grade is concerned.
  void operator()(const GpuTrouble& ending) { found_.tool_trouble = ending.why; }
  void operator()(const ImpossibleTime& ending) {
    result_.state = State::kPassed;
    found_.tool_trouble = ending.why;
  }

 private:
  // A compiler warning may be the cause of a wrong result; it is reported once.
  void add_compiler_warnings() {
    constexpr std::size_t kMostColumns = 600;
    if (run_.place.program == nullptr || run_.place.program->warnings.empty()) return;
    const auto text = base::escape_controls(run_.place.program->warnings, /*keep_newlines=*/true);
    auto warning = "The compiler warns: " + base::excerpt(text, 0, kMostColumns).text;
    auto& all = found_.warnings;
    if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(std::move(warning));
  }

  // The lines of the submission that store to global memory.
  void add_result_lines() {
    constexpr memory::MemoryOperation kGlobalStore{run::Space::kGlobal, run::Operation::kStore};
    auto& lines = found_.result_lines;
    for (const auto& line : run_.outcome.measured.lines) {
      const bool is_own = line.operation == kGlobalStore && line.file == task_.submission.shown;
      if (!is_own || std::find(lines.begin(), lines.end(), line.line) != lines.end()) continue;
      lines.push_back(line.line);
    }
  }

  const GradingTask& task_;
  const CaseRun& run_;
  report::CaseResult& result_;
  Findings& found_;
};

// The course launches the kernel. A launch of the student's own needs the attribute as well.
void note_shared_bytes(const Place& place, const CaseOutcome& outcome, Findings& found) {
  const bool is_launched = !std::holds_alternative<NotLaunchable>(outcome.ending);
  if (place.program == nullptr || place.kernels.empty() || !is_launched) return;
  const auto launches = launches_of(place, *place.sized);
  auto text = run::shared_attribute_text(launches, *place.program);
  if (text.empty()) return;
  text = "note: " + text;
  auto& all = found.warnings;
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
}

}  // namespace

void add_runs(const GradingTask& task, const std::vector<Place>& places,
              const std::vector<CaseRun>& runs, Findings& found) {
  bool is_printed_wrong = false;
  bool is_any_wrong = false;
  std::string not_checked;
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto& result = found.cases.emplace_back();
    result.name = places[i].item->name;
    result.variables = places[i].variables();
    result.device = places[i].target->device;
    result.backend = places[i].target->backend();
    if (i >= runs.size()) continue;
    const auto& outcome = runs[i].outcome;
    std::visit(EndingEntry(task, runs[i], result, found), outcome.ending);
    if (outcome.roofline) {
      found.rooflines.push_back({result.name, places[i].timed->variables, result.device,
                                 result.backend, *outcome.roofline});
    }
    // printf's output in the first wrong case is more useful than in a right case.
    const auto& printed = outcome.measured.result.printed;
    const bool is_wrong = result.state == State::kIncorrect;
    is_any_wrong |= is_wrong;
    if (const auto* open = std::get_if<NotChecked>(&outcome.ending)) {
      not_checked = fmt::format("case {}: {}", result.name, open->why);
    }
    if (!printed.empty() && (found.printed.empty() || (is_wrong && !is_printed_wrong))) {
      found.printed = printed;
      found.printed_case = result.name;
      is_printed_wrong = is_wrong;
    }
    for (const auto& skipped : outcome.measured.result.skipped_barriers) {
      const auto is_same = [&](const auto& other) { return other.where == skipped.where; };
      auto& all = found.skipped_barriers;
      if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(skipped);
    }
    note_shared_bytes(places[i], outcome, found);
    auto race_warnings = outcome.measured.result.warnings;
    EndingEntry(task, runs[i], result, found).add_array_shapes(race_warnings);
    add_distinct(found.race_warnings, race_warnings);
    for (const auto& warning : outcome.warnings) {
      found.warnings.push_back(fmt::format("case {}: {}", result.name, warning));
    }
  }
  // A wrong result elsewhere decides the grade.
  if (!is_any_wrong && !not_checked.empty()) found.tool_trouble = std::move(not_checked);
  if (found.skipped_barriers.empty()) return;
  found.warnings.push_back("warning: " + base::text(cases::skipped_barriers_warning(
                                             found.skipped_barriers, task.submission.shown)));
}

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
