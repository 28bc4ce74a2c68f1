// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/judge/run_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/run/shared_attribute.h"
#include "grader/cases/declared_arrays.h"
#include "grader/cases/skipped_barriers.h"
#include "grader/cases/student_terms.h"
#include "grader/grade/execute/distinct_diagnostics.h"

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

}  // namespace warpgrade::grader::grade
