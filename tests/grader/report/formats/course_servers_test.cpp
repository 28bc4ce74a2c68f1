// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/course_servers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::course_servers_test {

// Numbers in Autolab's file; tests/formats checks real reports against the service's rules.

using nlohmann::json;
using testing::HasSubstr;

std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of('\n') + 1;
  const auto begin = text.rfind('\n', end - 1) + 1;
  return text.substr(begin, end - begin);
}

TEST(RenderAutolab, TheLastLineHasThePointsOfWhatWasJudged) {
  const auto out = render_autolab(mixed_report());
  EXPECT_EQ((json{{"scores", {{"coalescing/transpose", 10}, {"coalescing/copy", 3}}}}),
            json::parse(last_line(out)));
  EXPECT_THAT(out, HasSubstr("coalescing/padded: Not graded: nvcc is missing\n"));
}

TEST(RenderAutolab, WhatAKernelPrintsIsNotTheLastLine) {
  const auto out = render_autolab(hostile_report());
  EXPECT_THAT(out, HasSubstr("| {\"scores\": {\"coalescing/copy\": 99}}"));
  EXPECT_EQ(3, json::parse(last_line(out))["scores"]["coalescing/copy"]);
}

// Numbers in Classroom 50's file; tests/formats checks real reports against the service's rules.

std::string runner_of_classroom50(const std::string& name) {
  const std::map<std::string, std::string> set = {
      {"CLASSROOM", "cs101"},
      {"ASSIGNMENT", "hw1"},
      {"USERNAME", "ada"},
      {"SUBMISSION_TAG", "submit/2026-11-22T14-00-00Z-abcdef1"},
      {"COMMIT_URL", "https://github.com/o/r/commit/abcdef1"},
      {"RELEASE_URL", "https://github.com/o/r/releases/tag/x"}};
  const auto found = set.find(name);
  return found == set.end() ? "" : found->second;
}

TEST(RenderClassroom50, CountsWhatWasJudged) {
  const auto out = json::parse(render_classroom50(mixed_report(), runner_of_classroom50));
  EXPECT_EQ((json{13, 17}), (json{out["score"], out["max-score"]}));
  EXPECT_EQ((json{"cs101", "hw1", "ada", "individual"}),
            (json{out["classroom"], out["assignment"], out["owner"], out["assignment_type"]}));
  EXPECT_EQ(out["commit"], out["review"]);
  EXPECT_EQ("2026-11-22T14:20:00Z", out["datetime"]);
  const auto& lost = out["tests"][2];
  EXPECT_EQ((json{false, 0, 0}), (json{lost["passed"], lost["score"], lost["max-score"]}));
}

// Numbers in Gradescope's file; tests/formats checks real reports against the service's rules.

TEST(RenderGradescope, ATestAnExerciseAndNoPointsForWhatWasNotJudged) {
  const auto out = json::parse(render_gradescope(mixed_report()));
  EXPECT_EQ(13, out["score"]);
  ASSERT_EQ(4U, out["tests"].size());
  const auto& passed = out["tests"][0];
  EXPECT_EQ((json{"coalescing/transpose", 10, 10, "passed"}),
            (json{passed["name"], passed["score"], passed["max_score"], passed["status"]}));
  const auto& slow = out["tests"][1];
  EXPECT_EQ((json{"coalescing/copy", 3, 7, "failed"}),
            (json{slow["name"], slow["score"], slow["max_score"], slow["status"]}));
  for (const auto* key : {"score", "max_score", "status"}) {
    EXPECT_FALSE(out["tests"][2].contains(key)) << key;
    EXPECT_FALSE(out["tests"][3].contains(key)) << key;
  }
  EXPECT_EQ("Not graded: nvcc is missing\n", out["tests"][2]["output"]);
  EXPECT_THAT(out["output"], HasSubstr("2 of 4 exercises could not be judged."));
}

TEST(RenderGradescope, WithoutExercisesThereIsAScore) {
  const auto out = json::parse(render_gradescope({}));
  EXPECT_EQ((json{0, json::array()}), (json{out["score"], out["tests"]}));
}

// Numbers in PrairieLearn's file; tests/formats checks real reports against the service's rules.

TEST(RenderPrairieLearn, TheScoreIsTheShareOfThePoints) {
  const auto out = json::parse(render_prairielearn(judged_report()));
  EXPECT_EQ(true, out["gradable"]);
  EXPECT_DOUBLE_EQ(13.0 / 17.0, out["score"]);
  EXPECT_EQ((json{3, 7}), (json{out["tests"][1]["points"], out["tests"][1]["max_points"]}));
}

TEST(RenderPrairieLearn, WhatWasNotJudgedIsNotGradable) {
  const auto out = json::parse(render_prairielearn(mixed_report()));
  EXPECT_EQ(false, out["gradable"]);
  EXPECT_FALSE(out.contains("score"));
  EXPECT_EQ((json{"coalescing/padded: Not graded: nvcc is missing",
                  "coalescing/swizzled: Not decided: grade it again on a quiet machine."}),
            out["format_errors"]);
}

TEST(RenderPrairieLearn, AnExerciseWithoutPointsIsAllOrNothing) {
  auto report = judged_report();
  for (auto& item : report.exercises) item.points = item.max_points = 0;
  EXPECT_EQ(0.0, json::parse(render_prairielearn(report))["score"]);
  report.exercises.resize(1);
  EXPECT_EQ(1.0, json::parse(render_prairielearn(report))["score"]);
}

TEST(RenderPrairieLearn, AFileOfManyLongReportsStaysBelowAMegabyte) {
  auto report = hostile_report();
  auto& item = report.exercises[1];
  for (int i = 0; i < 10; ++i) {
    item.diagnostics.push_back(item.diagnostics[0]);
    item.diagnostics.back().message = std::string(4000, '"');
  }
  report.exercises.assign(100, item);
  const auto out = render_prairielearn(report);
  EXPECT_GT(1'000'000U, out.size());
  EXPECT_THAT(out, HasSubstr("the rest of the report is cut off"));
}

// Handmade reports as JUnit's XML; some are compared in full.
using testing::Not;

ExerciseReport exercise(const std::string& lab, const std::string& id, Verdict verdict,
                        Reason reason, std::uint32_t points) {
  ExerciseReport out;
  out.lab = lab;
  out.exercise = id;
  out.title = "A copy";
  out.file = "copy.cu";
  out.points = points;
  out.max_points = 10;
  out.verdict = verdict;
  out.reason = reason;
  return out;
}

TEST(RenderJunit, OneSuiteALabAndOneTestAnExercise) {
  Report report;
  report.exercises = {exercise("a", "x", Verdict::kPass, Reason::kNone, 10),
                      exercise("a", "y", Verdict::kInconclusive, Reason::kPerformance, 8),
                      exercise("b", "z", Verdict::kPass, Reason::kNone, 10)};
  EXPECT_EQ(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"warpgrade\">\n"
      "  <testsuite name=\"a\" tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\">\n"
      "    <properties>\n"
      "      <property name=\"x.points\" value=\"10\" />\n"
      "      <property name=\"x.max_points\" value=\"10\" />\n"
      "      <property name=\"y.points\" value=\"8\" />\n"
      "      <property name=\"y.max_points\" value=\"10\" />\n"
      "    </properties>\n"
      "    <testcase classname=\"a\" name=\"x\" />\n"
      "    <testcase classname=\"a\" name=\"y\">\n"
      "      <skipped message=\"Not decided: grade it again on a quiet machine.\" />\n"
      "    </testcase>\n"
      "  </testsuite>\n"
      "  <testsuite name=\"b\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n"
      "    <properties>\n"
      "      <property name=\"z.points\" value=\"10\" />\n"
      "      <property name=\"z.max_points\" value=\"10\" />\n"
      "    </properties>\n"
      "    <testcase classname=\"b\" name=\"z\" />\n"
      "  </testsuite>\n"
      "</testsuites>\n",
      render_junit(report));
}

TEST(RenderJunit, AFailureHasItsReasonAndTheReport) {
  Report report;
  report.exercises = {exercise("a", "x", Verdict::kFail, Reason::kMechanism, 2)};
  const auto out = render_junit(report);
  EXPECT_THAT(out, HasSubstr("failures=\"1\""));
  EXPECT_THAT(out, HasSubstr("<failure type=\"mechanism\" message=\"2 of 10 points\">a/x: A copy\n"
                             "FAIL  2 of 10 points  copy.cu\n"));
}

TEST(RenderJunit, WhatCouldNotBeJudgedIsAnErrorAndNoFailure) {
  Report report;
  report.exercises = {exercise("a", "x", Verdict::kError, Reason::kTool, 0)};
  report.exercises[0].tool_trouble = "no compiler";
  const auto out = render_junit(report);
  EXPECT_THAT(out, HasSubstr("failures=\"0\" errors=\"1\""));
  EXPECT_THAT(out, HasSubstr("<error type=\"tool\" message=\"Not graded: no compiler\" />"));
}

TEST(RenderJunit, WithoutExercisesThereIsNoSuite) {
  EXPECT_EQ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warpgrade\" />\n",
            render_junit(Report{}));
}

TEST(RenderJunit, WhatAKernelPrintsCannotEndTheElement) {
  Report report;
  report.exercises = {exercise("a", "x", Verdict::kFail, Reason::kIncorrect, 0)};
  report.exercises[0].printed_case = "small";
  report.exercises[0].printed = "</failure>\x1b[2J\xff & \"]]>";
  const auto out = render_junit(report);
  EXPECT_THAT(out, HasSubstr("&lt;/failure&gt;\\x1b[2J\\xff &amp; \"]]&gt;"));
  EXPECT_THAT(out, Not(HasSubstr("\x1b")));
}

TEST(RenderJunit, CharactersThatXmlHasNoPlaceForAreEscaped) {
  Report report;
  report.exercises = {exercise("a", "x", Verdict::kError, Reason::kTool, 0)};
  report.exercises[0].tool_trouble = "a\xef\xbf\xbe b\xef\xbf\xbf c\xef\xbf\xbd";
  EXPECT_THAT(render_junit(report), HasSubstr("a\\ufffe b\\uffff c\xef\xbf\xbd"));
}

}  // namespace warpgrade::grader::report::course_servers_test
