// SPDX-License-Identifier: Apache-2.0
// All blocks of a case on a simulated device, in the order by number, with all checks on.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/measure/sim_bench.h"
#include "grader/cases/reference.h"
#include "grader/grade/execute/case_job.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

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

/// Adds to a runaway's diagnostic the limit of the case, and the work of the course's own kernel.
void add_limit(std::vector<base::Diagnostic>& found, const CaseJob& job,
               const cases::Expected& expected);

}  // namespace warpgrade::grader::grade
