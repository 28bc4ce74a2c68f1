// SPDX-License-Identifier: Apache-2.0
// The second stage of a grade: compiles the submission for each target and runs its small cases.
// In: a plan. Out: its cases, compiled, with the outcomes of the small ones; and diagnostics, each
// once.
// Cases run in their order until one ends the grading; later ones have no outcome. A submission
// that does not compile has no cases, so it does not run. Every failure of the GPU ends as
// GpuTrouble.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/plan/planned_case.h"

namespace warpgrade::grader::grade {

// Collects diagnostics, each once: devices and cases repeat them.

/// Adds the diagnostics of `found` that `all` lacks, while `all` has fewer than ten. Two are the
/// same if they have the same kind and place, and either a source line or the same facts.
void add_distinct(std::vector<base::Diagnostic>& all, const std::vector<base::Diagnostic>& found);

/// The submission compiled for each target, and the outcomes of its cases.
struct Execution {
  /// Small ones before measured ones, target by target; empty if there are diagnostics or trouble.
  std::vector<PlannedCase> cases;
  std::vector<base::Diagnostic> diagnostics;
  std::string left_out;  ///< Names of host code that was not compiled; may be empty.
  std::string trouble;   ///< Why the file cannot be read or compiled for a reason not its own.

  std::span<PlannedCase> small();     ///< The cases that are not measured.
  std::span<PlannedCase> measured();  ///< The others.
  /// Whether all small cases are right, as far as they were checked.
  bool is_right();
};

/// Begins the compilations that compile_submission() will need.
void begin_compilations(const Plan& plan);

/// Compiles for each target. Also finds the kernel of every case, to report a missing one before
/// anything runs. The programs belong to the services' compilations.
Execution compile_submission(const Plan& plan);

// A small case on the GPU: launched once and checked.

/// The outcome has no speed yet.
CaseOutcome check_on_gpu(const Plan& plan, const PlannedCase& planned);

/// Processes a simulated case after its execution; several threads call it.
using Finish = std::function<CaseOutcome(const CaseJob& job, CaseOutcome executed)>;
/// The outcome of a case on the GPU, by its number; called in order.
using OnGpu = std::function<CaseOutcome(std::size_t number)>;

/// Runs `cases`, all small ones or all measured ones, in their order until one ends the grading.
/// `begin_on_gpu` is called with consecutive cases on the GPU before the first of them runs.
void run_cases(const Plan& plan, std::span<PlannedCase> cases, const Finish& finish,
               const std::function<OnGpu(std::span<const PlannedCase> group)>& begin_on_gpu);

/// The submission compiled, and its small cases run. They have no speeds yet.
Execution execute(const Plan& plan);

}  // namespace warpgrade::grader::grade
