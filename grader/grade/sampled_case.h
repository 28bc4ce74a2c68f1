// SPDX-License-Identifier: Apache-2.0
// A launch that is too large to be executed whole: some of its blocks, on a simulated device.
//
// Executed are blocks that follow from the compiled submission, the last ones, and, where the speed
// is asked, those that the time model looks at (timing/sample.h). What they write must be right;
// nothing else of them is checked, since every case without these limits is checked whole. Where
// they write less than their share, the caller decides whether all blocks have to run.
#pragma once

#include <cstdint>

#include "common/measure/sim_bench.h"
#include "grader/grade/case_outcome.h"
#include "grader/grade/grading_services.h"

namespace warpgrade::grader {

struct CaseContents {
  std::uint64_t variant = 0;  ///< The contents of the case's buffers follow from it.
  bool is_shared = true;      ///< Others run with the same contents.
};

struct CaseLimits {
  std::uint64_t work = 0;  ///< Units that all runs of the case may use, see work_limits.h.
  unsigned threads = 0;    ///< Threads of the host; 0: all.
};

struct SampleRun {
  CaseEnding ending;
  measure::SampledLaunch launch;
  std::uint64_t bytes = 0;  ///< Bytes of the launch's buffers.
  /// The blocks do about the same, and have done their share of the outputs: so their time is that
  /// of the launch.
  bool stands_for_all = false;
  /// They have written no fewer elements than is their share of the output. Where not, others may
  /// write what they left out; whether these do, only a run of all blocks shows.
  bool has_done_its_share = true;
};

/// Runs some blocks of the case at the size of `variables`. Throws base::ToolError where the
/// reference fails.
SampleRun run_sample(const GradingServices& services, const GradingTask& task, const Place& place,
                     const Variables& variables, const CaseContents& contents,
                     const CaseLimits& limits, measure::SampleUse use);

/// The bench of a place on a simulated device.
measure::SimBench& sim_bench_of(const Place& place);

}  // namespace warpgrade::grader
