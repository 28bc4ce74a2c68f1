// SPDX-License-Identifier: Apache-2.0
// Reports for the tests of formats: one with every verdict, and one with hostile texts.
#pragma once

#include <string>

#include "tests/grader/report/reports.h"

namespace warpgrade::grader::report {

// A pass (10 of 10), a slow copy (3 of 7), an exercise that the tool could not judge, and an
// undecided one.
inline Report mixed_report() {
  auto report = slow_copy();
  auto& all = report.exercises;
  const auto slow = all.front();
  auto passed = slow;
  passed.exercise = "transpose";
  passed.verdict = Verdict::kPass;
  passed.reason = Reason::kNone;
  passed.points = passed.max_points = 10;
  passed.gates.clear();
  auto lost = passed;
  lost.exercise = "padded";
  lost.verdict = Verdict::kError;
  lost.reason = Reason::kTool;
  lost.points = 0;
  lost.tool_trouble = "nvcc is missing";
  auto noisy = lost;
  noisy.exercise = "swizzled";
  noisy.verdict = Verdict::kInconclusive;
  noisy.tool_trouble.clear();
  all = {passed, slow, lost, noisy};
  report.provenance = {"0.1.0", "6885a25", "13.0.88", "2026-11-22T14:20:00Z"};
  return report;
}

// mixed_report() without the exercises that have no grade.
inline Report judged_report() {
  auto report = mixed_report();
  report.exercises.resize(2);
  return report;
}

// A race at line 2, column 8, of a file whose name and text try to break a format.
inline Report hostile_report() {
  auto report = judged_report();
  auto& item = report.exercises[1];
  item.reason = Reason::kDiagnostic;
  item.file = "a b%,:\xff\"<c>.cu";
  item.source = "// head\n  \xc3\xa4\xc3\xa4\xe6\xbc\xa2 out[i] = in[i * 32];\n";
  base::Diagnostic race{
      base::DiagnosticKind::kRace,
      {item.file, 2, 11},
      "</failure>]]>\n::error::forged ```` \x1b[2J\xff | [text](1) \"{\"scores\":1}",
      base::Dim3{1, 0, 0},
      base::Dim3{2, 0, 0}};
  race.related = {
      {{item.file, 1, 0}, base::Does::kWrite, base::Dim3{1, 0, 0}, base::Dim3{3, 0, 0}}};
  item.diagnostics = {race};
  item.printed_case = "square";
  item.printed = "::stop-commands::x\n{\"scores\": {\"coalescing/copy\": 99}}\n";
  return report;
}

}  // namespace warpgrade::grader::report
