// SPDX-License-Identifier: Apache-2.0
// Numbers in Classroom 50's file; tests/formats checks real reports against the service's rules.
#include "grader/report/formats/classroom50.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::classroom50_test {

using nlohmann::json;

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

}  // namespace warpgrade::grader::report::classroom50_test
