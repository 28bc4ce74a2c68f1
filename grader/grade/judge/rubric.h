// SPDX-License-Identifier: Apache-2.0
// Computes a verdict and points from findings.
//
// The reason is the first that applies: it does not compile; a diagnostic; a wrong result; a gate
// on the mechanism; a gate on fraction_of_copy; the tool could not judge. Points for gates are
// given for a right result only: a fast wrong kernel earns nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/grade/judge/findings.h"

namespace warpgrade::grader::grade {

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
