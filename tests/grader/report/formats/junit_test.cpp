// SPDX-License-Identifier: Apache-2.0
// Handmade reports as JUnit's XML; some are compared in full.
#include "grader/report/formats/junit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::report::junit_test {

using testing::HasSubstr;
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
            render_junit({}));
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

}  // namespace warpgrade::grader::report::junit_test
