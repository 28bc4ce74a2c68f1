// SPDX-License-Identifier: Apache-2.0
// The findings about a submission, and the verdict and points that follow from them.
// In: the runs of a submission's cases, and the decisions on its gates. Out: the fields of its
// report.
// A verdict has the first reason that applies, from a compile error to a tool that could not
// judge. Gates earn points for a right result only.
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
#include "grader/grade/execute/execution.h"
#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {
namespace {

using State = report::Case::State;

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

void add_warning(std::string warning, report::ExerciseReport& report) {
  auto& all = report.warnings;
  if (std::ranges::find(all, warning) == all.end()) all.push_back(std::move(warning));
}

// Enters how a case ended: in its result, and in the findings of all cases.
class EndingEntry {
 public:
  EndingEntry(const GradingTask& task, const PlannedCase& planned, report::Case& result,
              report::ExerciseReport& report)
      : task_(task), planned_(planned), result_(result), report_(report) {}

  void operator()(const RightResult&) { result_.state = State::kPassed; }
  void operator()(const WrongResult& wrong) {
    result_.state = State::kIncorrect;
    result_.difference = difference_of(wrong);
    result_.depends_on_order = !wrong.seen.replay.empty();
    add_result_lines();
  }
  void operator()(const FoundFaults& faults) {
    result_.state = State::kDiagnostic;
    auto diagnostics = faults.diagnostics;
    cases::explain_races(diagnostics, planned_.outcome->measured.result.skipped_barriers);
    add_array_shapes(diagnostics);
    add_distinct(report_.diagnostics, diagnostics);
  }
  /// Adds what the submission and the manifest know about arrays.
  void add_array_shapes(std::vector<base::Diagnostic>& diagnostics) const {
    if (diagnostics.empty()) return;
    const auto* source = std::get_if<compile::CompileRequest>(&task_.submission.content);
    const std::string_view text = source == nullptr ? std::string_view() : source->source;
    const auto arrays = cases::all_arrays(text);
    for (auto& one : diagnostics) add_shapes(one, planned_.sized->buffers, arrays, text);
  }
  // The launch is the course's, so the kernel is at fault.
  void operator()(const NotLaunchable& ending) {
    auto message = fmt::format("the kernel cannot be launched as {}: {}",
                               task_.kernel().signatures(), ending.why);
    add_distinct(report_.diagnostics,
                 {diagnostic(task_, base::DiagnosticKind::kCompileError, std::move(message))});
  }
  // A submission that breaks the services loses only its own grade: the next ones are graded.
  void operator()(const NotSimulated& ending) {
    result_.state = State::kDiagnostic;
    auto message = fmt::format("case {} could not be run: {}", result_.name, ending.why);
    add_distinct(report_.diagnostics,
                 {diagnostic(task_, base::DiagnosticKind::kUnsupported, std::move(message))});
  }
  // A compiler warning may be the cause of a wrong result. It is reported once, for a right one,
  // too.
  void add_compiler_warnings() {
    constexpr std::size_t kMostColumns = 600;
    if (planned_.program == nullptr || planned_.program->warnings.empty()) return;
    const auto text = base::escape_controls(planned_.program->warnings, /*keep_newlines=*/true);
    add_warning("The compiler warns: " + base::excerpt(text, 0, kMostColumns).text, report_);
  }
  void operator()(const NotChecked& /*ending*/) {}  // Not run as far as a grade is concerned.
  void operator()(const GpuTrouble& ending) { report_.tool_trouble = ending.why; }
  void operator()(const ImpossibleTime& ending) {
    result_.state = State::kPassed;
    report_.tool_trouble = ending.why;
  }

 private:
  // The lines of the submission that store to global memory.
  void add_result_lines() {
    constexpr memory::MemoryOperation kGlobalStore{run::Space::kGlobal, run::Operation::kStore};
    auto& lines = report_.result_lines;
    for (const auto& line : planned_.outcome->measured.lines) {
      const bool is_own = line.operation == kGlobalStore && line.file == task_.submission.shown;
      if (!is_own || std::find(lines.begin(), lines.end(), line.line) != lines.end()) continue;
      lines.push_back(line.line);
    }
  }

  const GradingTask& task_;
  const PlannedCase& planned_;
  report::Case& result_;
  report::ExerciseReport& report_;
};

// The course launches the kernel. A launch of the student's own needs the attribute as well.
void note_shared_bytes(const PlannedCase& planned, report::ExerciseReport& report) {
  const bool is_launched = !std::holds_alternative<NotLaunchable>(planned.outcome->ending);
  if (planned.program == nullptr || planned.kernels.empty() || !is_launched) return;
  const auto text =
      run::shared_attribute_text(launches_of(planned, *planned.sized), *planned.program);
  if (!text.empty()) add_warning("note: " + text, report);
}

}  // namespace

report::ExerciseReport report_on(const GradingTask& task) {
  report::ExerciseReport out;
  out.lab = task.lab->id;
  out.exercise = task.exercise->id;
  out.title = task.exercise->title;
  out.file = task.submission.shown;
  out.sha256 = task.submission.sha256;
  if (const auto* source = std::get_if<compile::CompileRequest>(&task.submission.content)) {
    out.source = source->source;
  }
  return out;
}

void add_cases(const GradingTask& task, const std::vector<PlannedCase>& cases,
               report::ExerciseReport& report) {
  bool is_printed_wrong = false;
  bool is_any_wrong = false;
  std::string not_checked;
  std::vector<base::SkippedBarrier> skipped_barriers;  // Each line once.
  for (const auto& planned : cases) {
    auto& result = report.cases.emplace_back();
    result.name = planned.item->name;
    result.variables = planned.variables();
    result.device = planned.target->device;
    result.backend = planned.target->backend();
    if (!planned.outcome) continue;
    const auto& outcome = *planned.outcome;
    EndingEntry entry(task, planned, result, report);
    std::visit(entry, outcome.ending);
    entry.add_compiler_warnings();
    result.timed_variables = planned.timed->variables;
    result.roofline = outcome.roofline;
    result.counted = outcome.counted;
    if (outcome.counted) result.simulated = outcome.measured.metrics;
    // printf's output in the first wrong case is more useful than in a right case.
    const auto& printed = outcome.measured.result.printed;
    const bool is_wrong = result.state == State::kIncorrect;
    is_any_wrong |= is_wrong;
    if (const auto* open = std::get_if<NotChecked>(&outcome.ending)) {
      not_checked = fmt::format("case {}: {}", result.name, open->why);
    }
    if (!printed.empty() && (report.printed.empty() || (is_wrong && !is_printed_wrong))) {
      report.printed = printed;
      report.printed_case = result.name;
      is_printed_wrong = is_wrong;
    }
    for (const auto& skipped : outcome.measured.result.skipped_barriers) {
      if (std::ranges::find(skipped_barriers, skipped.where, &base::SkippedBarrier::where) ==
          skipped_barriers.end()) {
        skipped_barriers.push_back(skipped);
      }
    }
    note_shared_bytes(planned, report);
    auto race_warnings = outcome.measured.result.warnings;
    entry.add_array_shapes(race_warnings);
    add_distinct(report.race_warnings, race_warnings);
    for (const auto& warning : outcome.warnings) {
      report.warnings.push_back(fmt::format("case {}: {}", result.name, warning));
    }
  }
  // A wrong result elsewhere decides the grade.
  if (!is_any_wrong && !not_checked.empty()) report.tool_trouble = std::move(not_checked);
  if (skipped_barriers.empty()) return;
  report.warnings.push_back("warning: " + base::text(cases::skipped_barriers_warning(
                                              skipped_barriers, task.submission.shown)));
}

namespace {

using base::DiagnosticKind;

bool any_case(const report::ExerciseReport& report, report::Case::State state) {
  return std::any_of(report.cases.begin(), report.cases.end(),
                     [state](const report::Case& item) { return item.state == state; });
}

template <typename Predicate>
bool any_gate(const report::ExerciseReport& report, const Predicate& predicate) {
  return std::any_of(report.gates.begin(), report.gates.end(), predicate);
}

// Whether the whole exercise was run and measured. Parts that were skipped through no fault of the
// student must not look like a pass.
bool is_complete(const report::ExerciseReport& report) {
  return !report.cases.empty() && !any_case(report, report::Case::State::kNotRun) &&
         !any_case(report, report::Case::State::kDiagnostic) &&
         !any_gate(report, [](const report::Gate& gate) { return !gate.decision; });
}

// A launch that uses a feature that the simulator lacks proves nothing about the submission, so
// `unsupported` counts only without a fault of the student's own.
std::pair<report::Verdict, report::Reason> verdict_of(const report::ExerciseReport& report) {
  bool student = false;
  bool unsupported = false;
  for (const auto& diagnostic : report.diagnostics) {
    if (diagnostic.kind == DiagnosticKind::kCompileError)
      return {report::Verdict::kFail, report::Reason::kCompile};
    (diagnostic.kind == DiagnosticKind::kUnsupported ? unsupported : student) = true;
  }
  if (student) return {report::Verdict::kFail, report::Reason::kDiagnostic};
  if (any_case(report, report::Case::State::kIncorrect))
    return {report::Verdict::kFail, report::Reason::kIncorrect};
  if (unsupported || !report.tool_trouble.empty())
    return {report::Verdict::kError, report::Reason::kTool};
  const auto fails = [](const report::Gate& gate) { return gate.has_failed(); };
  const auto is_mechanism = [&](const report::Gate& gate) {
    return fails(gate) && !gate.definition.judges_time();
  };
  if (any_gate(report, is_mechanism)) return {report::Verdict::kFail, report::Reason::kMechanism};
  if (any_gate(report, fails)) return {report::Verdict::kFail, report::Reason::kPerformance};
  if (!is_complete(report)) return {report::Verdict::kError, report::Reason::kTool};
  const auto is_undecided = [](const report::Gate& gate) { return !gate.has_passed(); };
  if (any_gate(report, is_undecided))
    return {report::Verdict::kInconclusive, report::Reason::kTool};
  return {report::Verdict::kPass, report::Reason::kNone};
}

// The first gate that `gate` needs and that was decided and did not pass; may be empty.
std::string lacking(const report::ExerciseReport& report, const report::Gate& gate) {
  for (const auto& needed : gate.definition.needs) {
    for (const auto& other : report.gates) {
      if (other.definition.id == needed && other.decision && !other.has_passed()) return needed;
    }
  }
  return {};
}

// Whether passing the gate goes beyond the skeleton. Everybody passes a waived gate.
bool exceeds_skeleton(const report::Gate& gate) { return !gate.skeleton_passes() && !gate.waiver; }

// Points are for going beyond the skeleton. If the skeleton's result is right, its gates have
// values, and a submission that passes only gates that the skeleton also passes has added nothing.
// If all other gates are waived, none can decide, and a right kernel must not lose points.
bool goes_beyond_skeleton(const report::ExerciseReport& report) {
  const bool is_skeleton_right = any_gate(
      report, [](const report::Gate& gate) { return gate.definition.skeleton.has_value(); });
  if (!is_skeleton_right || !any_gate(report, exceeds_skeleton)) return true;
  return any_gate(report, [&](const report::Gate& gate) {
    return gate.has_passed() && exceeds_skeleton(gate) && lacking(report, gate).empty();
  });
}

// The first gate that a submission has to pass to go beyond a right skeleton. If it passed that
// gate and earned nothing, the gate that it lacks.
std::string first_step(const report::ExerciseReport& report) {
  for (const auto& gate : report.gates) {
    if (!exceeds_skeleton(gate)) continue;
    return gate.has_passed() ? lacking(report, gate) : gate.definition.id;
  }
  return {};
}

// The points of a question: each wrong answer costs one, and they never exceed the share of right
// answers. Half of a list guessed right must earn little.
std::uint32_t points_for_answers(const report::Gate& gate) {
  const auto most = gate.definition.points;
  const auto right = gate.value();
  if (gate.has_passed() || !right) return gate.has_passed() ? most : 0;
  const auto wrong = static_cast<std::uint32_t>(gate.definition.ideal - *right);
  const auto share = static_cast<std::uint32_t>(most * *right / gate.definition.ideal);
  return std::min(most - std::min(wrong, most), share);
}

}  // namespace

void judge(std::uint32_t correctness_points, report::ExerciseReport& report) {
  std::tie(report.verdict, report.reason) = verdict_of(report);
  report.correct = report.reason == report::Reason::kNone ||
                   report.reason == report::Reason::kMechanism ||
                   report.reason == report::Reason::kPerformance ||
                   report.verdict == report::Verdict::kInconclusive;
  const bool earns = report.correct && goes_beyond_skeleton(report);
  report.points = earns ? correctness_points : 0;
  report.max_points = correctness_points;
  for (auto& gate : report.gates) {
    if (report.correct && gate.has_passed()) {
      gate.lacks = lacking(report, gate);
      if (gate.lacks.empty() && !earns) gate.lacks = first_step(report);
      gate.points = gate.lacks.empty() ? gate.definition.points : 0;
    }
    report.points += gate.points;
    report.max_points += gate.definition.points;
  }
}

void judge_answers(report::ExerciseReport& report) {
  const bool is_judged = report.tool_trouble.empty();
  report.correct = is_judged && report.diagnostics.empty();
  for (auto& gate : report.gates) {
    gate.points = points_for_answers(gate);
    report.points += gate.points;
    report.max_points += gate.definition.points;
    report.correct = report.correct && gate.has_passed();
  }
  if (!is_judged) return;
  report.verdict = report.correct ? report::Verdict::kPass : report::Verdict::kFail;
  report.reason = report.correct                ? report::Reason::kNone
                  : !report.diagnostics.empty() ? report::Reason::kCompile
                                                : report::Reason::kIncorrect;
}

}  // namespace warpgrade::grader::grade
