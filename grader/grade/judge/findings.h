// SPDX-License-Identifier: Apache-2.0
// All findings about a submission, before anything is judged; and the verdict and points that
// follow from them.
// Points for gates are given for a right result only: a fast wrong kernel earns nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

struct Findings {
  std::vector<base::Diagnostic> diagnostics;
  std::vector<base::Diagnostic> race_warnings;  ///< Harmless: they cost no points.
  std::string tool_trouble;  ///< Why this grader cannot judge the submission; empty if it can.
  std::vector<report::CaseResult> cases;
  std::vector<report::GateReport> gates;  ///< No points yet.
  std::vector<report::LineTable> lines;
  std::vector<report::CaseRoofline> rooflines;
  std::vector<report::CountedCase> counted;
  std::vector<report::WrongAnswer> wrong_answers;
  std::vector<std::uint32_t> result_lines;
  std::string printed;
  std::string printed_thread;
  std::string printed_first;
  std::string printed_case;
  std::vector<std::string> warnings;
  std::vector<base::SkippedBarrier> skipped_barriers;  ///< Each line once; in a warning, too.
  std::string left_out;  ///< Names the host code that was not compiled.
  std::optional<report::Pictures> pictures;
  bool refuses_launch = false;  ///< The kernel compiles, but cannot be launched as required.
};

// Converts the runs of a submission's cases to findings for a report.

/// Adds the cases of `places` to `found`, with all findings of their `runs`. The runs belong to the
/// first places; a place without a run is reported as not run.
void add_runs(const GradingTask& task, const std::vector<Place>& places,
              const std::vector<CaseRun>& runs, Findings& found);

// Computes a verdict and points from findings.
//
// The reason is the first that applies: it does not compile; a diagnostic; a wrong result; a gate
// on the mechanism; a gate on fraction_of_copy; the tool could not judge.

/// The points that a gate earns.
struct Award {
  std::uint32_t points = 0;
  std::string lacks;  ///< The required gate that failed, if this one passed and earned nothing.
};

struct Judgement {
  report::Verdict verdict = report::Verdict::kError;
  report::Reason reason = report::Reason::kTool;
  bool correct = false;
  std::uint32_t points = 0;
  std::uint32_t max_points = 0;
  std::vector<Award> awards;  ///< One for each gate of the findings.
};

/// Judges a kernel; a right result earns `correctness_points`.
Judgement judge(const Findings& found, std::uint32_t correctness_points);

/// Judges an exercise that asks questions, each a gate. No question depends on another, so each
/// earns its points; of several answers, each wrong one costs a point.
Judgement judge_answers(const Findings& found);

}  // namespace warpgrade::grader::grade
