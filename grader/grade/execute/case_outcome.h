// SPDX-License-Identifier: Apache-2.0
// One case on one target: the job (where, with which contents, within which limits) and its
// outcome.
// A case ends in one of eight ways. Some of them end the grading of the submission: no further
// case runs, since it would show the same or could not be judged.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/measure/baselines.h"
#include "common/measure/measurement.h"
#include "common/verify/compare.h"
#include "grader/grade/plan/target.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// One case to be executed on a simulated device: where, with which contents, within which limits.

struct CaseJob {
  Place place;
  std::uint64_t variant = 0;  ///< The contents of the case's buffers follow from it.
  bool is_shared = true;      ///< Other runs have the same contents.
  std::uint64_t work = 0;     ///< Units that all its runs may use, see target.h.
  unsigned threads = 0;       ///< Threads of the host; 0: all.
  /// Whether an earlier case has a wrong result; waits for those cases.
  std::function<bool()> is_wrong_before = [] { return false; };
};

/// The bench of a place on a simulated device.
inline measure::SimBench& sim_bench_of(const Place& place) {
  return *std::get<measure::SimBench*>(place.target->bench);
}

/// The result is right.
struct RightResult {};
/// The result is wrong; other cases run, since different shapes reveal the cause.
struct WrongResult {
  verify::OutputDifference difference;
  base::Circumstances seen = {};  ///< If it was found in another order or at another size.
};
/// The launch did not finish, or a check found something.
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
/// Nothing wrong was found in a sample of its blocks, which does not show that all elements are
/// written, and all blocks together are too much work.
struct NotChecked {
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
                                NotChecked, GpuTrouble, ImpossibleTime>;

struct CaseOutcome {
  CaseEnding ending;
  measure::Measurement measured;  ///< Empty if nothing was launched.
  /// The speed, see is_speed(); NotMeasured if no gate needs it.
  report::GateValue fraction_of_roof;
  /// Set with it, if the exercise has operations.
  std::optional<measure::Roofline> roofline;
  std::vector<std::string> warnings;  ///< Remarks on the measurement for the reader.
};

struct CaseRun {
  Place place;
  CaseOutcome outcome;
};

/// The outcome of a case with only an ending.
CaseOutcome ended_by(CaseEnding ending);

bool is_right(const CaseOutcome& outcome);
/// Whether no further case will run.
bool ends_grading(const CaseOutcome& outcome);

}  // namespace warpgrade::grader::grade
