// SPDX-License-Identifier: Apache-2.0
// The remarks of a report, in their order.
#include "grader/grade/explain/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::explanation_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Explanation : public Stage {
 protected:
  report::ExerciseReport explained() {
    const auto timed = time_cases(*plan_, execute(*plan_));
    return explain(*plan_, timed, judge_runs(*plan_, timed));
  }
};

TEST_F(Explanation, AReportHasWhatWasJudged) {
  begin(right);
  const auto report = explained();
  EXPECT_EQ(6U, report.points);
  EXPECT_EQ("twice.cu", report.file);
  EXPECT_THAT(report.warnings, testing::IsEmpty());
  EXPECT_FALSE(report.pictures);
}

TEST_F(Explanation, RemarksOnThePlanGoBeforeThoseOnTheText) {
  std::ofstream(folder_ / "twice.cu") << "#include <thrust/sort.h>\n" << kSource;
  begin(right);
  services_.gpu.emplace();
  FakeGpuBench card("h100", "sm_90", right);
  services_.gpu->bench = &card;
  services_.gpu->counters = true;
  EXPECT_THAT(explained().warnings,
              ElementsAre(StartsWith("no counters of the card"), HasSubstr("thrust")));
}

TEST_F(Explanation, ADeviceWithoutAGateIsNamed) {
  begin(right);
  plan_.emplace(services_, task_, std::vector<Target>{{"k20", k40_.get()}}, "k20");
  EXPECT_THAT(explained().warnings, ElementsAre(HasSubstr("No gate of this exercise is for k20")));
}

}  // namespace
}  // namespace warpgrade::grader::grade::explanation_test
