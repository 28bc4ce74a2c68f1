// SPDX-License-Identifier: Apache-2.0
// Numbers in PrairieLearn's file; tests/formats checks real reports against the service's rules.
#include "grader/report/formats/prairielearn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/grader/report/formats/mixed_report.h"

namespace warpgrade::grader::report::prairielearn_test {

using nlohmann::json;
using testing::HasSubstr;

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

}  // namespace warpgrade::grader::report::prairielearn_test
