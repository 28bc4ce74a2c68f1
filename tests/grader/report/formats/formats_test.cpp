// SPDX-License-Identifier: Apache-2.0
// Finds formats by their names.
#include "grader/report/formats/formats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::report::formats_test {

std::string all_set(const std::string& name) { return name; }
std::string nothing_set(const std::string& /*name*/) { return ""; }

TEST(Formats, EachNameRendersAReport) {
  for (const auto& name : format_names()) EXPECT_NE("", render_format(name, {}, all_set)) << name;
}

TEST(Formats, TheOnesOfTheContract) {
  EXPECT_THAT(format_names(),
              testing::UnorderedElementsAre("junit", "gradescope", "autolab", "classroom50",
                                            "github", "prairielearn", "sarif"));
}

TEST(Formats, VariablesThatAServiceSetsAreMissedBeforeTheWork) {
  try {
    require_format("classroom50", nothing_set);
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("not set: CLASSROOM, ASSIGNMENT, USERNAME, "
                                                 "SUBMISSION_TAG, COMMIT_URL, RELEASE_URL"));
  }
  EXPECT_NO_THROW(require_format("classroom50", all_set));
  EXPECT_NO_THROW(require_format("github", nothing_set));
}

TEST(Formats, OfGitHubTheReportIsNoCommand) {
  const auto around = around_report("github", {}, "word", nothing_set);
  EXPECT_EQ("::stop-commands::word\n", around.before);
  EXPECT_EQ("::word::\n", around.behind);
  EXPECT_EQ("", around_report("junit", {}, "word", nothing_set).before);
}

TEST(Formats, AnUnknownNameIsTheUsersMistake) {
  EXPECT_THROW(render_format("gunit", {}, nothing_set), base::UsageError);
}

}  // namespace warpgrade::grader::report::formats_test
