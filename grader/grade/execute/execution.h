// SPDX-License-Identifier: Apache-2.0
// The second stage of a grade: compiles the submission for each target and runs its small cases.
// In: a plan. Out: the compiled places, the outcomes of the small cases, and diagnostics, each
// once.
// Cases run in their order until one ends the grading; the result contains no later case. A
// submission that does not compile has no places, so it does not run. Every failure of the GPU
// ends as GpuTrouble.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/measure/gpu_bench.h"
#include "grader/grade/execute/case_outcome.h"
#include "grader/grade/plan/plan.h"

namespace warpgrade::grader::grade {

// Collects diagnostics, each once: devices and cases repeat them.

/// Adds the diagnostics of `found` that `all` lacks, while `all` has fewer than ten. Two are the
/// same if they have the same kind and place, and either a source line or the same facts.
void add_distinct(std::vector<base::Diagnostic>& all, const std::vector<base::Diagnostic>& found);

// The submission compiled for each target, and its kernel for each case.

/// Places are empty if there are diagnostics or trouble.
struct Compiled {
  std::vector<Place> small;     ///< Cases that are not measured, target by target.
  std::vector<Place> measured;  ///< The others.
  std::vector<base::Diagnostic> diagnostics;
  std::string left_out;  ///< Names of host code that was not compiled; may be empty.
  std::string trouble;   ///< Why the file cannot be read or compiled for a reason not its own.
};

/// Begins the compilations that compile_submission() will need.
void begin_compilations(const Plan& plan);

/// Compiles for each target. Also finds the kernel of every case, to report a missing one before
/// anything runs. The programs belong to the services' compilations.
Compiled compile_submission(const Plan& plan);

// A small case on the GPU: launched once and checked.

/// The outcome has no speed yet.
CaseOutcome check_on_gpu(const Plan& plan, const Place& place);

/// The bench of a place on the GPU.
inline measure::GpuBench& gpu_bench_of(const Place& place) {
  return *std::get<measure::GpuBench*>(place.target->bench);
}

// Runs cases in their order until one ends the grading. The result contains no later case.

/// Processes a simulated case after its execution; several threads call it.
using Finish = std::function<CaseOutcome(const CaseJob& job, CaseOutcome executed)>;
/// The outcome of a place on the GPU, by its number; called in order.
using OnGpu = std::function<CaseOutcome(std::size_t number)>;

/// Runs `places`, all small ones or all measured ones. `begin_on_gpu` is called with consecutive
/// places on the GPU before the first of them runs.
std::vector<CaseRun> run_cases(
    const Plan& plan, const std::vector<Place>& places, const Finish& finish,
    const std::function<OnGpu(const std::vector<Place>& group)>& begin_on_gpu);

struct Execution {
  Compiled compiled;
  std::vector<CaseRun> small;  ///< No speeds yet.

  /// Whether all small cases are right, as far as they were checked.
  bool is_right() const;
};

/// A submission that does not compile has no places, so it does not run.
Execution execute(const Plan& plan);

}  // namespace warpgrade::grader::grade
