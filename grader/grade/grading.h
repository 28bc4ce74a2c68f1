// SPDX-License-Identifier: Apache-2.0
// Grades one submission for one exercise: a kernel in five stages, a folder each (plan, execute,
// time, judge, explain), or a file of answers.
// In: the services and a task. Out: the report of the exercise. If the GPU itself fails, or
// reports an impossible time, that exercise is not graded, and grading goes on with the next one.
// A file of answers has one key per question. Each question is a gate. The report also has the
// answers for the student's own card.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/course/questions.h"
#include "grader/grade/plan/plan.h"
#include "grader/report/report.h"

namespace warpgrade::grader::grade {

// Computes the answers to an exercise's questions for the student's own card, for the report.

/// One remark for each distinct question, even if it names several devices. No remark for questions
/// about `device` itself, or about facts that cannot be explained there.
std::vector<std::string> answers_on(const std::vector<course::Question>& questions,
                                    const std::string& device);

// Grades a file of answers: labs/LAB/EXERCISE.toml, one key per question.
//
// A question's key holds an integer, or an array of integers if the question has several answers.
// Each question is a gate: its value is the share of right answers, and it earns its points only if
// all are right. A file that is not valid TOML, misses or misspells a key, or gives too few numbers
// is the student's mistake: a compile_error with its place.

/// Grades `task`, whose exercise asks questions. Once all are answered, the report gives the
/// answers for `own_device`, the student's own card, if it is set.
/// `facts` is needed for questions about profiles.
report::ExerciseReport grade_answers(const GradingTask& task, const std::string& own_device = {},
                                     const LaunchFactsOf& facts = {});

/// The grade of one submission for one exercise.
class Grading {
 public:
  /// Plans it, and begins its compilations. `only_device`: on that profile alone, with its gates;
  /// empty for all. The references outlive this.
  Grading(const GradingServices& services, const GradingTask& task, const std::string& only_device);

  /// The verdict is `error` if the submission cannot be read, compiled or run through no fault of
  /// its own. Throws base::ToolError if another tool fails.
  report::ExerciseReport grade() const;

 private:
  report::ExerciseReport grade_kernel() const;

  const GradingTask& task_;
  std::string own_device_;  // For answers; empty for a card without a profile, which has none.
  LaunchFactsOf launch_facts_;
  std::optional<Plan> plan_;  // Set for a kernel.
};

}  // namespace warpgrade::grader::grade
