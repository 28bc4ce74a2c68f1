// SPDX-License-Identifier: Apache-2.0
// A case of an exercise on a target, and what becomes known of it on its way through a grade: its
// sizes when it is planned, its kernels when the submission is compiled, its outcome when it ran.
// A case ends in one of eight ways. Some of them end the grading of the submission: no further
// case runs, since it would show the same or could not be judged.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/compile/program.h"
#include "common/measure/baselines.h"
#include "common/measure/measurement.h"
#include "common/run/launch.h"
#include "common/verify/compare.h"
#include "grader/cases/sized_case.h"
#include "grader/grade/plan/target.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

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
  /// The card's own counts of the launch, if they are wanted.
  std::optional<measure::GpuCounters> counted;
};

/// The outcome of a case with only an ending.
CaseOutcome ended_by(CaseEnding ending);

bool is_right(const CaseOutcome& outcome);
/// Whether no further case will run.
bool ends_grading(const CaseOutcome& outcome);

struct PlannedCase {
  const Target* target = nullptr;
  const course::Case* item = nullptr;
  /// The size that is executed whole here. On a GPU it is the size whose speed is graded, which may
  /// be larger than the simulated one.
  std::shared_ptr<const cases::SizedCase> sized = nullptr;
  std::shared_ptr<const cases::SizedCase> timed = nullptr;  ///< The size whose speed is graded.
  /// The contents of its buffers follow from it and the seed.
  std::uint64_t variant = 0;
  const compile::Program* program = nullptr;         ///< nullptr until it is compiled.
  std::vector<const compile::Kernel*> kernels = {};  ///< One per step of the exercise; likewise.
  std::optional<CaseOutcome> outcome = {};           ///< nullopt until it has run.

  const text::Variables& variables() const { return sized->variables; }
  bool is_right() const { return outcome && grade::is_right(*outcome); }
};

/// One case to be executed on a simulated device: with which contents, within which limits.
struct CaseJob {
  const PlannedCase& planned;
  bool is_shared = true;   ///< Other runs have the same contents.
  std::uint64_t work = 0;  ///< Units that all its runs may use, see below.
  unsigned threads = 0;    ///< Threads of the host; 0: all.
  /// Whether an earlier case has a wrong result; waits for those cases.
  std::function<bool()> is_wrong_before = [] { return false; };
};

/// The cases of `exercise`, which must have a kernel, on each of `targets`, which outlive them.
/// Cases at the same size share its numbers. `salt` chooses the sizes of measured cases, and is
/// their variant.
std::vector<PlannedCase> plan_cases(const course::Exercise& exercise,
                                    const std::vector<Target>& targets, std::uint64_t salt);

/// The threads of all launches of the case.
std::uint64_t threads_of(const PlannedCase& planned);

/// The launches of a compiled case at the size of `sized`.
run::Sequence launches_of(const PlannedCase& planned, const cases::SizedCase& sized);

/// The bytes that must be moved at each size at which `item` may be timed in the simulator.
std::set<std::uint64_t> timed_bytes(const course::KernelExercise& exercise,
                                    const course::Case& item);

// Limits the work of each simulated case of a submission, so that every grade ends soon.
//
// Work is counted (common/sim/micro_op.h), so that a busy machine changes no verdict. The limit of
// a small case depends on its own size only: a case that is added to a manifest changes nothing for
// the others. All small cases together have a limit, too. Measured cases share another amount by
// the bytes of their buffers.

/// Units of work that all small cases of an exercise may use, in all their runs: twelve seconds of
/// one core.
constexpr std::uint64_t kSmallWork = std::uint64_t{5} << 29;
/// The limit of one small case: at least two thirds of a second of one core, and at most six.
constexpr std::uint64_t kLeastCaseWork = std::uint64_t{1} << 27;
/// The same for all measured cases: twenty-five seconds of one core.
constexpr std::uint64_t kMeasuredWork = std::uint64_t{5} << 30;

/// The same for a large case if all its blocks have to run: three seconds of one core.
constexpr std::uint64_t kLargeWork = std::uint64_t{5} << 27;

/// A block that uses more than this part of its case's limit never ends. Several blocks run at a
/// time, so one without an end is found that much sooner.
constexpr std::uint64_t kBlocksInACase = 4;

/// The limit of one block of a case that may use `work`, and for which the course's reference
/// executes `reference_instructions` (0: unknown). A thread that alone does the work of all, one
/// element after another, needs less than a tenth of it.
std::uint64_t block_limit(std::uint64_t work, std::uint64_t reference_instructions);

/// The limit of a small case, for which the course's reference executes `reference_instructions`
/// (0: unknown).
std::uint64_t small_limit(const PlannedCase& planned, std::uint64_t reference_instructions);

/// The limit of each of `cases`, in their order: simulated cases of an exercise, all small ones or
/// all measured ones.
std::vector<std::uint64_t> work_limits(std::span<const PlannedCase> cases);

}  // namespace warpgrade::grader::grade
