// SPDX-License-Identifier: Apache-2.0
// A launch that is too large to be executed whole: some of its blocks, on a simulated device.
//
// The executed blocks are derived from the submission, plus the last ones and, if the speed is
// wanted, the blocks of the time model (timing/sample.h). Their results must be right; their other
// behaviour is not checked, since the small cases are checked completely. If they do not write all
// that so many blocks must write (cases/sampled_outputs.h), all blocks run without checks and
// counters, and every element must be written. If the caller has to execute a small launch whole
// anyway, it finds unwritten elements there.
#pragma once

#include <cstdint>

#include "common/measure/sim_bench.h"
#include "grader/grade/execute/case_job.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

struct SampleRun {
  CaseEnding ending;
  measure::SampledLaunch launch;
  /// Whether the time of these blocks predicts the launch's. They do similar work or were drawn
  /// widely, and wrote about their share of the outputs.
  bool is_representative = false;
};

/// Runs some blocks of the case at the size of `sized`. Throws base::ToolError if the reference
/// fails.
SampleRun run_sample(const Plan& plan, const CaseJob& job, const cases::SizedCase& sized,
                     measure::SampleUse use);

}  // namespace warpgrade::grader::grade
