// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/run_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "grader/grade/distinct_diagnostics.h"

namespace warpgrade::grader {
namespace {

using State = CaseResult::State;

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
  EndingEntry(const GradingTask& task, const CaseRun& run, CaseResult& result, Findings& found)
      : task_(task), run_(run), result_(result), found_(found) {}

  void operator()(const RightResult&) { result_.state = State::kPassed; }
  void operator()(const WrongResult& wrong) {
    result_.state = State::kIncorrect;
    result_.difference = wrong.difference;
    add_result_lines();
  }
  void operator()(const FoundFaults& faults) {
    result_.state = State::kDiagnostic;
    add_distinct(found_.diagnostics, faults.diagnostics);
  }
  // The launch is the course's, so what does not fit it is the kernel.
  void operator()(const NotLaunchable& ending) {
    auto message = fmt::format("the kernel cannot be launched as {}: {}",
                               task_.exercise->signatures(), ending.why);
    add_distinct(found_.diagnostics,
                 {diagnostic(task_, base::DiagnosticKind::kCompileError, std::move(message))});
  }
  // Whatever a submission does to the services costs that submission only: those behind it are
  // graded.
  void operator()(const NotSimulated& ending) {
    result_.state = State::kDiagnostic;
    auto message = fmt::format("case {} could not be run: {}", result_.name, ending.why);
    add_distinct(found_.diagnostics,
                 {diagnostic(task_, base::DiagnosticKind::kUnsupported, std::move(message))});
  }
  void operator()(const GpuTrouble& ending) { found_.tool_trouble = ending.why; }
  void operator()(const ImpossibleTime& ending) {
    result_.state = State::kPassed;
    found_.tool_trouble = ending.why;
  }

 private:
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
  CaseResult& result_;
  Findings& found_;
};

}  // namespace

void add_runs(const GradingTask& task, const std::vector<Place>& places,
              const std::vector<CaseRun>& runs, Findings& found) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    auto& result = found.cases.emplace_back();
    result.name = places[i].item->name;
    result.variables = places[i].variables();
    result.device = places[i].target->device;
    result.backend = places[i].target->backend();
    if (i >= runs.size()) continue;
    const auto& outcome = runs[i].outcome;
    std::visit(EndingEntry(task, runs[i], result, found), outcome.ending);
    const auto& printed = outcome.measured.result.printed;
    if (found.printed.empty() && !printed.empty()) {
      found.printed = printed;
      found.printed_case = result.name;
    }
    for (const auto& warning : outcome.warnings) {
      found.warnings.push_back(fmt::format("case {}: {}", result.name, warning));
    }
  }
}

}  // namespace warpgrade::grader
