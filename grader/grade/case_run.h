// SPDX-License-Identifier: Apache-2.0
// One case of an exercise on one device: launched, checked, compared with the reference and
// measured; a small one in further orders of warps and blocks, too.
//
// Nothing here looks at other cases or writes to the report, so that several run at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/measure/measurement.h"
#include "common/measure/timed_case.h"
#include "grader/course/manifest.h"
#include "grader/grade/gates.h"
#include "grader/grade/grading_services.h"

namespace warpgrade::grader {

struct CaseOutcome {
  measure::Measurement measured;  ///< Diagnostics of the launch, too; of nothing more then.
  std::uint64_t bytes = 0;        ///< Of all buffers.
  std::string refused;            ///< Why the kernel cannot be launched so, in words.
  std::string trouble;            ///< Why the simulator could not run it.
  std::string difference;         ///< The first one, from the first order that has any.
  std::vector<base::Diagnostic> other_schedules;  ///< Found there alone.
};

struct CasePlan {
  std::uint64_t variant = 0;  ///< The case's contents follow from it.
  bool is_shared = true;      ///< Others run with the same contents.
  unsigned threads = 0;       ///< Of the host; 0: all.
};

/// Runs `kernel` of the submission. Throws base::ToolError where the reference fails, or a GPU.
CaseOutcome run_case(const GradingServices& services, const GradingTask& task, const Target& target,
                     const Case& item, const compile::Kernel& kernel, const CasePlan& plan);

/// What a GPU needs to compare a large case with the copy: contents that nobody could know before,
/// the bounds of the report's gates on speed, the reference's launch. `work` and `target` outlive
/// it. Throws as run_case() does.
measure::TimedCase timed_case(const GradingServices& services, const GradingTask& task,
                              const Target& target, const Case& item, const compile::Kernel& kernel,
                              const ExerciseReport& report);

}  // namespace warpgrade::grader
