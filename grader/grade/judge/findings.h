// SPDX-License-Identifier: Apache-2.0
// All findings about a submission, before anything is judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/run/runner.h"
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

}  // namespace warpgrade::grader::grade
