// SPDX-License-Identifier: Apache-2.0
// The third stage of a grade: runs the measured cases, and determines the speed of every case
// that a gate requires.
// In: a plan and the execution of its small cases. Out: the outcomes of all cases with speeds, and
// the GPU's own counts on request. Nothing is measured if a small case is wrong.
// In the simulator, speed is the predicted time of a copy divided by the case's own predicted
// time. On the GPU, one launch is checked, compared and timed beside the copy baseline. Every
// failure of the GPU ends as GpuTrouble.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/measure/measurement.h"
#include "grader/cases/sized_case.h"
#include "grader/grade/execute/execution.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// The speed of a simulated case: the predicted time of a copy divided by its own predicted time.
//
// A measured case is executed whole at its own size, with all checks, and timed at the size whose
// speed is graded (simulated_case.h). If blocks differ too much for a sample, a large launch
// executes more of its blocks at that size, and any other launch executes all of them.

/// The outcome with its speed, if it is right and a gate needs it.
CaseOutcome with_speed(const Plan& plan, const CaseJob& job, CaseOutcome executed);

/// Sets the speed of `out` from the times of the baselines for `required`, and of the launch;
/// `peak_seconds` is 0 without operations.
void set_speed(const cases::RequiredWork& required, double copy_seconds, double peak_seconds,
               double seconds, CaseOutcome& out);

// Measured cases on the GPU, beside the copy baseline.
//
// One launch is checked, compared and timed, so the timed result is the one that was found right.
// The expected results are also made on the GPU, from inputs that nobody could predict.

/// The measured cases of a submission on the GPU. The first call of time() prepares all of them.
class GpuTiming {
 public:
  /// Decides the bounds of `gates`, the plan's with the values of the course's files. All
  /// references and `cases` outlive this.
  GpuTiming(const Plan& plan, const std::vector<report::Gate>& gates,
            std::span<const PlannedCase> cases)
      : plan_(plan), gates_(gates), cases_(cases) {}

  /// The outcome of the case with this number. Do not call it after an outcome that ends grading.
  CaseOutcome time(std::size_t number);

 private:
  void begin();
  measure::TimedCase timed_case(const PlannedCase& planned) const;

  const Plan& plan_;
  const std::vector<report::Gate>& gates_;
  std::span<const PlannedCase> cases_;
  std::unique_ptr<measure::CopyComparisons> comparisons_;
};

/// The outcome of a small case on the GPU with its speed, if a gate needs it.
CaseOutcome with_gpu_speed(const Plan& plan, const PlannedCase& planned, CaseOutcome checked);

/// Runs the measured cases if the small ones are right, and adds all speeds. Returns the plan's
/// gates with the values of the course's files.
std::vector<report::Gate> time_cases(const Plan& plan, Execution& execution);

}  // namespace warpgrade::grader::grade
