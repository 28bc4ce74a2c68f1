// SPDX-License-Identifier: Apache-2.0
// A launch that is too large to be executed whole: some of its blocks, on a simulated device.
//
// The executed blocks are derived from the submission, plus the last ones and, if the speed is
// wanted, the blocks of the time model (timing/sample.h). Their results must be right; their other
// behaviour is not checked, since the small cases are checked completely. If they write less than
// their share, the caller decides whether to run all blocks.
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
  std::uint64_t bytes = 0;  ///< Bytes of the launch's buffers.
  /// Whether the time of these blocks predicts the launch's. They do similar work or were drawn
  /// widely, and wrote about their share of the outputs.
  bool is_representative = false;
  /// Whether they have written at least their share of the output. If not, other blocks may write
  /// the missing elements; only a run of all blocks can show that.
  bool has_done_its_share = true;
};

/// Runs some blocks of the case at the size of `sized`. Throws base::ToolError if the reference
/// fails.
SampleRun run_sample(const Plan& plan, const CaseJob& job, const cases::SizedCase& sized,
                     measure::SampleUse use);

}  // namespace warpgrade::grader::grade
