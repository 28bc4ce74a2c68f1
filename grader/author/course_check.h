// SPDX-License-Identifier: Apache-2.0
// The course checks itself: its files, its solutions, and the margins of its bounds.
//
// In: the course, and the reports of its skeletons, solutions and wrong solutions. Out: a list of
// mistakes, and for each gate its distance to the values that it must pass and fail.
// Skeletons compile and fail, solutions earn full points, and each wrong solution fails for the
// reason that its head states. Every file belongs to a rule.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/cause_id.h"
#include "grader/course/course.h"
#include "grader/grade/grading.h"
#include "grader/report/report.h"

namespace warpgrade::grader::author {

/// The failure that a wrong solution claims for itself.
struct Claim {
  report::Reason reason{};
  std::string diagnostic;                ///< "race": one of the diagnostics is of this kind.
  std::string gate;                      ///< This gate fails.
  std::string case_name;                 ///< This case is wrong.
  std::optional<course::CauseId> cause;  ///< The mistake, as its author sees it.
  std::uint32_t line = 0;                ///< Its line; 0: not stated.
};

/// The claim in the head of `source`; nullopt if it has none. Throws base::UsageError with file
/// and line if the claim is malformed.
std::optional<Claim> read_claim(std::string_view source, const std::string& shown);

/// How `report` differs from `claim`; empty if it agrees.
std::string broken_claim(const Claim& claim, const report::ExerciseReport& report);

/// One submission that the check grades, and its expected outcome.
struct Expectation {
  enum class Kind { kSkeleton, kSolution, kWrong };
  Kind kind{};
  grade::GradingTask task;
  Claim claim;  ///< A wrong solution's.
};

/// All expectations of the course. Other files (a stray file, a missing solution, a wrong one
/// without a claim) go to `findings`, one sentence each.
std::vector<Expectation> expectations(const course::Course& course,
                                      std::vector<std::string>& findings);

/// How the graded `report` differs from the expectation; empty if it agrees.
std::string broken_expectation(const Expectation& expectation,
                               const report::ExerciseReport& report);

/// Sets the skeleton values of `exercise` to those of `report`, a simulated grade of its skeleton.
void take_skeleton_values(const report::ExerciseReport& report, course::KernelExercise& exercise);

// Measures the margin of each gate's bound to the values that it must pass and fail.
//
// Each gate of an exercise has two neighbours: the value that the solution reaches, and the best
// value of any submission that misses the bound. The time model has errors of its own. A bound on
// fraction_of_copy within 3 % of the solution is therefore a finding, and so is one within 3 % of
// the best submission that it fails. Counters are exact, so their bounds may touch. The report
// also lists gates whose margin is smaller than the model's error on the device; these are no
// findings.

struct Margin {
  std::string exercise;  ///< "coalescing/copy".
  report::Gate gate;     ///< The gate as the solution met it.
  std::optional<double> solution;
  std::optional<double> best_outside;  ///< Nullopt if no submission misses the bound.
  std::string best_outside_file;
};

/// One for each gate of each exercise, in the order of `expectations`; `reports` are theirs.
std::vector<Margin> margins(const std::vector<Expectation>& expectations,
                            const std::vector<report::ExerciseReport>& reports);

/// One sentence for each neighbour that is too near; empty if the bound is good.
std::vector<std::string> too_near(const Margin& margin);

/// For a modelled gate on speed: a message if the model's error exceeds the margin between the
/// bound and the best submission that it should fail. Empty otherwise.
std::string too_wide(const Margin& margin);

}  // namespace warpgrade::grader::author
