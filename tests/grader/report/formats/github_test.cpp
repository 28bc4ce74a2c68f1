// SPDX-License-Identifier: Apache-2.0
// The summary of a step and the annotations; some are compared in full.
#include "grader/report/formats/github.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::github_test {

using testing::HasSubstr;
using testing::StartsWith;

std::string nothing_set(const std::string& /*name*/) { return ""; }

TEST(RenderGitHub, ATableOfExercisesAndTheReportsOfThoseThatDidNotPass) {
  const auto out = render_github(mixed_report());
  EXPECT_THAT(out, StartsWith("## warpgrade: 13 of 37 points\n"));
  EXPECT_THAT(out, HasSubstr("| `coalescing/transpose` | :white_check_mark: pass | 10 of 10 |\n"
                             "| `coalescing/copy` | :x: mechanism | 3 of 7 |\n"
                             "| `coalescing/padded` | :warning: not graded | none yet |\n"
                             "| `coalescing/swizzled` | :warning: not decided | none yet |\n"));
  EXPECT_THAT(out, HasSubstr("<summary>coalescing/copy</summary>\n\n```text\ncoalescing/copy: A"));
}

TEST(RenderGitHub, BackticksDoNotEndTheReport) {
  const auto out = render_github(hostile_report());
  EXPECT_THAT(out, HasSubstr("</summary>\n\n`````text\n"));
  EXPECT_THAT(out, HasSubstr("\n`````\n\n</details>\n"));
}

TEST(GitHubAnnotations, HaveThePlaceAndTheMessageOnOneLine) {
  EXPECT_EQ(
      "::error file=a b%25%2C%3A\\xff\"<c>.cu,line=2,col=11,title=coalescing/copy race::"
      "</failure>]]>%0A::error::forged ```` \\x1b[2J\\xff | [text](1) \"{\"scores\":1}\n",
      github_annotations(hostile_report(), nothing_set)
          .substr(0, github_annotations(hostile_report(), nothing_set).find('\n') + 1));
}

TEST(GitHubAnnotations, OfGatesAreWarningsAtTheirLine) {
  EXPECT_EQ(
      "::warning file=labs/coalescing/copy.cu,line=2,title=coalescing/copy mechanism::loads on "
      "h200: 4, needed >= 28. What loads counts. \n"
      "::warning file=labs/coalescing/copy.cu,title=coalescing/copy performance::speed on h200: "
      "0.1, needed >= 0.6. What speed counts. \n",
      github_annotations(slow_copy(), nothing_set));
}

TEST(GitHubAnnotations, AreTenAtMostErrorsFirst) {
  auto report = hostile_report();
  auto& item = report.exercises[1];
  item.diagnostics.assign(12, item.diagnostics[0]);
  const auto out = github_annotations(report, nothing_set);
  EXPECT_EQ(10, std::count(out.begin(), out.end(), '\n'));
  EXPECT_THAT(out, testing::Not(HasSubstr("::warning")));
}

TEST(GitHubAnnotations, NamePathsFromTheWorkspaceOn) {
  auto report = slow_copy();
  report.exercises[0].file = "/home/runner/space/copy.cu";
  const auto set = [](const std::string& name) {
    return std::string(name == "GITHUB_WORKSPACE" ? "/home/runner/space" : "");
  };
  EXPECT_THAT(github_annotations(report, set), StartsWith("::warning file=copy.cu,"));
  report.exercises[0].file = "/home/runner/spaces/copy.cu";
  EXPECT_THAT(github_annotations(report, set),
              StartsWith("::warning file=/home/runner/spaces/copy.cu,"));
}

}  // namespace warpgrade::grader::report::github_test
