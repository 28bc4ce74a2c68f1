// SPDX-License-Identifier: Apache-2.0
// SARIF: places, related places, and failures of the tool. tests/formats checks real reports
// against OASIS's schema.
#include "grader/report/formats/sarif.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::sarif_test {

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

}  // namespace warpgrade::grader::report::sarif_test
