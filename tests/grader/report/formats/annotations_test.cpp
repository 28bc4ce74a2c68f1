// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/annotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::annotations_test {

// The summary of a step and the annotations; some are compared in full.

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

// SARIF: places, related places, and failures of the tool. tests/formats checks real reports
// against OASIS's schema.

using nlohmann::json;

json run_of(const Report& report) { return json::parse(render_sarif(report))["runs"][0]; }

TEST(RenderSarif, ARaceHasItsOtherAccessAsARelatedLocation) {
  const auto result = run_of(hostile_report())["results"][0];
  EXPECT_EQ("race", result["ruleId"]);
  EXPECT_EQ("error", result["level"]);
  const json artifact = {{"uri", "a%20b%25%2C%3A%FF%22%3Cc%3E.cu"}};
  // Byte column 11 follows two spaces, two letters of two bytes, one of three and a space:
  // character 7.
  const json place = {{"artifactLocation", artifact},
                      {"region", {{"startLine", 2}, {"startColumn", 7}}}};
  EXPECT_EQ(json::array({{{"physicalLocation", place}}}), result["locations"]);
  const json other = {{"artifactLocation", artifact}, {"region", {{"startLine", 1}}}};
  EXPECT_EQ(json::array({{{"physicalLocation", other},
                          {"id", 1},
                          {"message", {{"text", "thread (3, 0, 0) writes it"}}}}}),
            result["relatedLocations"]);
}

TEST(RenderSarif, BracketsInAMessageAreNoLink) {
  EXPECT_NE(std::string::npos,
            run_of(hostile_report())["results"][0]["message"]["text"].get<std::string>().find(
                "\\[text\\](1)"));
}

TEST(RenderSarif, EachResultsRuleIsTheOneAtItsIndex) {
  for (const auto& report : {hostile_report(), slow_copy()}) {
    const auto run = run_of(report);
    for (const auto& result : run["results"]) {
      const std::size_t index = result["ruleIndex"];
      EXPECT_EQ(result["ruleId"], run["tool"]["driver"]["rules"][index]["id"]);
    }
  }
}

TEST(RenderSarif, EveryKindOfDiagnosticHasARule) {
  auto report = hostile_report();
  auto& item = report.exercises[1];
  for (auto kind = base::DiagnosticKind::kOutOfBounds;;
       kind = static_cast<base::DiagnosticKind>(static_cast<int>(kind) + 1)) {
    item.diagnostics[0].kind = kind;
    EXPECT_TRUE(run_of(report)["results"][0].contains("ruleIndex")) << base::name(kind);
    if (kind == base::DiagnosticKind::kCompileError) break;
  }
}

TEST(RenderSarif, WhatWasNotJudgedIsANotificationAndNoResult) {
  const auto run = run_of(mixed_report());
  const auto& invocation = run["invocations"][0];
  EXPECT_EQ(false, invocation["executionSuccessful"]);
  ASSERT_EQ(2U, invocation["toolExecutionNotifications"].size());
  EXPECT_EQ("coalescing/padded: Not graded: nvcc is missing",
            invocation["toolExecutionNotifications"][0]["message"]["text"]);
  EXPECT_EQ(true, run_of(judged_report())["invocations"][0]["executionSuccessful"]);
  EXPECT_EQ(2U, run["results"].size());  // the two gates of the slow copy
}

TEST(RenderSarif, AnAbsolutePathIsAFileUri) {
  auto report = slow_copy();
  report.exercises[0].file = "/home/a/copy.cu";
  EXPECT_EQ(
      "file:///home/a/copy.cu",
      run_of(report)["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
}

}  // namespace warpgrade::grader::report::annotations_test
