// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/judge/judged.h"

#include <utility>

#include "grader/grade/judge/gates.h"
#include "grader/grade/judge/run_findings.h"

namespace warpgrade::grader::grade {

Judged judge_runs(const Plan& plan, const TimedRuns& timed) {
  const auto& compiled = timed.compiled;
  Judged out;
  auto& found = out.found;
  found.diagnostics = compiled.diagnostics;
  found.tool_trouble = compiled.trouble;
  found.left_out = compiled.left_out;
  found.counted = timed.counted;
  auto places = compiled.small;
  places.insert(places.end(), compiled.measured.begin(), compiled.measured.end());
  add_runs(plan.task, places, timed.runs, found);
  auto decided = decide_gates(timed.gates, plan.kernel(), timed.runs);
  found.lines = lines_that_matter(decided);
  found.gates = std::move(decided.gates);
  out.judgement = judge(found, plan.kernel().correctness_points);
  return out;
}

}  // namespace warpgrade::grader::grade
