// SPDX-License-Identifier: Apache-2.0
// One case on a simulated device: launched, checked, counted and compared with the reference.
// In: a case job. Out: its outcome. All blocks run with all checks on; of a launch that is too
// large, only some blocks run.
// A small case that is right also runs in further orders of warps and blocks. Counts come only
// from the order by number. Devices with the same PTX share one execution: it is counted by the
// rules of each.
#pragma once

#include <cstddef>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/measure/sim_bench.h"
#include "grader/cases/reference.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"

namespace warpgrade::grader::grade {

// All blocks of a case on a simulated device, in the order by number, with all checks on.

/// The right results of a case at one size. Those that only this case needs are made for it, and
/// its inputs go through the launch and back instead of being copied.
class RightResults {
 public:
  /// The buffers of one launch, inputs filled. At its end the results have the inputs back.
  class Lent {
   public:
    explicit Lent(RightResults& lender);
    ~Lent();
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;

    std::vector<run::Buffer>& buffers() { return buffers_; }
    /// Gives the inputs back and returns the first difference of the launch's outputs.
    std::optional<verify::OutputDifference> difference();

   private:
    void give_back();

    RightResults& lender_;
    std::vector<run::Buffer> buffers_;
    bool is_lent_ = true;
  };

  /// All references outlive this. Throws base::ToolError if the reference fails.
  RightResults(const Plan& plan, const CaseJob& job, const cases::SizedCase& sized);

  const cases::Expected& expected() const { return shared_ ? *shared_ : own_; }
  /// The buffers before a launch; inputs are empty without `inputs_too`.
  std::vector<run::Buffer> before(bool inputs_too) const;

 private:
  std::optional<verify::OutputDifference> difference(const std::vector<run::Buffer>& got);

  const Plan& plan_;
  const CaseJob& job_;
  const cases::SizedCase& sized_;
  std::shared_ptr<const cases::Expected> shared_;
  cases::Expected own_;
};

/// Whether a run uses the time model; runs without a speed gate do not.
enum class Timing { kNone, kModelled };

/// Runs the case at the size of `sized`; without a time, `others` are counted, too. The outcome has
/// no speed yet.
CaseOutcome run_whole(const CaseJob& job, const cases::SizedCase& sized, RightResults& right,
                      Timing timing, std::span<measure::CountedElsewhere> others = {});

// A launch that is too large to be executed whole: some of its blocks, on a simulated device.
//
// The executed blocks are derived from the submission, plus the last ones and, if the speed is
// wanted, the blocks of the time model (timing/sample.h). Their results must be right; their other
// behaviour is not checked, since the small cases are checked completely. If they do not write all
// that so many blocks must write (cases/sampled_outputs.h), all blocks run without checks and
// counters, and every element must be written. If the caller has to execute a small launch whole
// anyway, it finds unwritten elements there.

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

/// Whether the execution of this case can serve another device, too: only if it is not timed.
bool can_be_shared(const std::vector<report::Gate>& gates, const PlannedCase& planned);

/// Runs the case, and counts it for `others` as well: their programs must be alike
/// (sim/simulator.h) and, if there are any, each case can_be_shared(). Throws base::ToolError if
/// the reference fails. The outcomes, the job's own before those of `others`, have no speed yet.
std::vector<CaseOutcome> execute_case(const Plan& plan, const CaseJob& job,
                                      const std::vector<const PlannedCase*>& others = {});

/// Whether a block has reached the limit on work, and nothing else was found.
bool is_runaway(const CaseEnding& ending);

// Decides which cases of a group are executed once for several devices, and passes on their
// results.
//
// The first target of a case executes it for all later ones that can share it. These wait for it.
// Since cases are begun in their order, the one that they wait for has been begun.

class SharedRuns {
 public:
  SharedRuns(const std::vector<report::Gate>& gates, std::span<const PlannedCase> cases);

  /// Whether the case is executed on its own target, for that alone or for others as well.
  bool is_first(std::size_t index) const { return first_[index] == index; }
  /// The number of targets on which a case is executed.
  std::size_t executions_of(const course::Case& item) const;

  /// Calls `execute` for a first case, with the others that it is executed for, and keeps their
  /// outcomes; returns the kept outcome for one of these. Call it once for each case. Rethrows
  /// exceptions of `execute`.
  template <typename Execute>
  CaseOutcome take(std::size_t index, const Execute& execute) {
    if (!is_first(index)) return kept_.at(index).get_future().get();
    const auto others = served_by(index);
    try {
      std::vector<const PlannedCase*> served;
      for (const auto i : others) served.push_back(&cases_[i]);
      auto all = execute(served);
      for (std::size_t i = 0; i < others.size(); ++i) {
        kept_.at(others[i]).set_value(std::move(all[1 + i]));
      }
      return std::move(all.front());
    } catch (...) {
      for (const auto i : others) kept_.at(i).set_exception(std::current_exception());
      throw;
    }
  }

 private:
  // The other cases that the first one at `index` is executed for.
  std::vector<std::size_t> served_by(std::size_t index) const;

  std::span<const PlannedCase> cases_;
  std::vector<std::size_t> first_;  // One per case: the one that is executed for it.
  std::map<std::size_t, std::promise<CaseOutcome>> kept_;  // For cases that are not first.
};

}  // namespace warpgrade::grader::grade
