// SPDX-License-Identifier: Apache-2.0
// How one case came out on one target.
//
// A case ends in one of seven ways. Some of them end the grading of the submission: no further case
// runs, since it would show the same or could not be judged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"
#include "common/measure/measurement.h"
#include "common/measure/roofline.h"
#include "common/run/sequence.h"
#include "common/verify/output_difference.h"
#include "grader/cases/required_work.h"
#include "grader/course/manifest.h"
#include "grader/grade/plan/target.h"
#include "grader/report/gate_report.h"

namespace warpgrade::grader {

/// The result is right.
struct RightResult {};
/// The result is wrong; other cases run, since different shapes reveal the cause.
struct WrongResult {
  verify::OutputDifference difference;
  base::Circumstances seen = {};  ///< If it was found in another order or at another size.
};
/// The launch did not come to its end, or a check found something.
struct FoundFaults {
  std::vector<base::Diagnostic> diagnostics;
};
/// The kernel cannot be launched as the exercise demands.
struct NotLaunchable {
  std::string why;
};
/// The simulator could not run it.
struct NotSimulated {
  std::string why;
};
/// The GPU or its software has failed.
struct GpuTrouble {
  std::string why;
};
/// The result is right, but its time cannot be true.
struct ImpossibleTime {
  std::string why;
};

using CaseEnding = std::variant<RightResult, WrongResult, FoundFaults, NotLaunchable, NotSimulated,
                                GpuTrouble, ImpossibleTime>;

struct CaseOutcome {
  CaseEnding ending;
  measure::Measurement measured;  ///< Empty if nothing was launched.
  /// The speed, see is_speed(); NotMeasured if no gate needs it.
  GateValue fraction_of_roof;
  /// Set with it, if the exercise has operations.
  std::optional<measure::Roofline> roofline;
  std::vector<std::string> warnings;  ///< Remarks on the measurement for the reader.
};

/// A case on a target, with the kernels that run there.
struct Place {
  const Target* target = nullptr;
  const Case* item = nullptr;
  const compile::Program* program = nullptr;
  std::vector<const compile::Kernel*> kernels = {};  ///< One a step of the exercise.
  Variables speed_variables = {};                    ///< The size whose speed is graded.

  /// The size that is executed whole here; a GPU's may be larger.
  const Variables& variables() const {
    return target->is_gpu() ? speed_variables : item->variables;
  }
};

struct CaseRun {
  Place place;
  CaseOutcome outcome;
};

/// The launches of a case at the size of `variables`.
run::Sequence launches_of(const KernelExercise& exercise, const Place& place,
                          const Variables& variables);

/// The outcome of a case with only an ending.
CaseOutcome ended_by(CaseEnding ending);

/// Sets the speed of `out` from the times of the baselines for `required`, and of the launch;
/// `peak_seconds` is 0 without operations.
void take_speed(const RequiredWork& required, double copy_seconds, double peak_seconds,
                double seconds, CaseOutcome& out);

bool is_right(const CaseOutcome& outcome);
/// Whether no further case is to be run.
bool ends_grading(const CaseOutcome& outcome);

}  // namespace warpgrade::grader
