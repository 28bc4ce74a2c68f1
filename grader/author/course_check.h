// SPDX-License-Identifier: Apache-2.0
// The course checks itself: skeletons compile and fail, solutions earn full points, each wrong
// solution fails for the reason that its head states, and every file belongs to a rule.
//
// A wrong solution is solutions/LAB/wrong/EXERCISE_*.cu. Its first lines hold the claim:
//
//   // fails: incorrect [case=NAME]
//   // fails: diagnostic race
//   // fails: mechanism [gate=ID]
//   // fails: performance [gate=ID]
//   // fails: compile
//
// solutions/LAB/further/*.cu approach a card's limit with launches of their own. They are not
// graded, since they are not submissions; a test of the labs checks their results.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/course/course.h"
#include "grader/grade/grading.h"
#include "grader/report/report.h"

namespace warpgrade::grader::author {

/// The failure that a wrong solution claims for itself.
struct Claim {
  report::Reason reason{};
  std::string diagnostic;  ///< "race": one of the diagnostics is of this kind.
  std::string gate;        ///< This gate fails.
  std::string case_name;   ///< This case is wrong.
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

}  // namespace warpgrade::grader::author
