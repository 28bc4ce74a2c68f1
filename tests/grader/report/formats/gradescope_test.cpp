// SPDX-License-Identifier: Apache-2.0
// Numbers in Gradescope's file; tests/formats checks real reports against the service's rules.
#include "grader/report/formats/gradescope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::gradescope_test {

using nlohmann::json;
using testing::HasSubstr;

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

}  // namespace warpgrade::grader::report::gradescope_test
