// SPDX-License-Identifier: Apache-2.0
// Runs the launches that an exercise asks questions about, and keeps what their profiles show.
// In: a launch of a kernel in the lab's reference.cu, and a profile. Out: facts for the answers.
// Every launch runs once per profile, whatever the number of submissions. It is the launch of
// `warpgrade profile`, so a student can look up each answer.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "grader/cases/work_ahead.h"
#include "grader/course/exercise.h"
#include "grader/course/questions.h"
#include "grader/grade/plan/target.h"

namespace warpgrade::grader::grade {

/// The command that profiles the launch `asked` of a kernel of the lab called `lab`.
std::string profile_command(const std::string& lab, const course::AskedLaunch& asked,
                            const std::string& device);

class ProfiledLaunches {
 public:
  /// Both outlive this.
  ProfiledLaunches(SimBenches bench, cases::Compilations& compilations)
      : bench_(std::move(bench)), compilations_(compilations) {}

  /// The facts of the launch on `device`. Throws base::ToolError if the lab's reference.cu does not
  /// compile, lacks the kernel or fails: that is the course's mistake.
  const course::LaunchFacts& of(const course::Lab& lab, const course::AskedLaunch& asked,
                                const std::string& device);

 private:
  SimBenches bench_;
  cases::Compilations& compilations_;
  std::map<std::string, course::LaunchFacts> known_;  // by command and lab's folder
};

}  // namespace warpgrade::grader::grade
