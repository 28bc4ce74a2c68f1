// SPDX-License-Identifier: Apache-2.0
// The measured cases of a submission, on fake devices.
#include "grader/grade/time/timed_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::timed_runs_test {
namespace {

using testing::ElementsAre;

class TimedRunsTest : public Stage {
 protected:
  std::vector<std::string> cases() {
    std::vector<std::string> out;
    for (const auto& run : time_cases(*plan_, execute(*plan_)).runs) {
      out.push_back(run.place.target->device + " " + run.place.item->name);
    }
    return out;
  }
};

TEST_F(TimedRunsTest, MeasuredCasesFollowTheSmallOnes) {
  begin(right);
  EXPECT_THAT(cases(), ElementsAre("h200 one", "h200 ragged", "k40 one", "k40 ragged", "h200 large",
                                   "k40 large"));
}

TEST_F(TimedRunsTest, NothingIsMeasuredIfASmallCaseIsWrong) {
  begin(wrong_at(1));
  EXPECT_THAT(cases(), ElementsAre("h200 one", "h200 ragged", "k40 one", "k40 ragged"));
}

// The fakes: a launch needs 1 us, and the copy of the same bytes 0.9 us.
TEST_F(TimedRunsTest, ASmallCaseIsTimedIfAGateAsksForIt) {
  lab_.exercises[0].kernel()->gates.back().cases = {"ragged", "large"};
  begin(right);
  const auto timed = time_cases(*plan_, execute(*plan_));
  const auto speed = [&](std::size_t run) {
    return number_of(timed.runs[run].outcome.fraction_of_roof);
  };
  EXPECT_FALSE(speed(2)) << "k40 one";
  EXPECT_DOUBLE_EQ(0.9, speed(3).value_or(0)) << "k40 ragged";
  EXPECT_DOUBLE_EQ(0.9, speed(5).value_or(0)) << "k40 large";
}

TEST_F(TimedRunsTest, ValuesOfTheCourseAreAskedForWhereABoundNeedsThem) {
  FakeGpuBench card("unknown", "sm_90", right);
  begin(right, &card);
  int asked = 0;
  services_.gpu->course_values = [&](const GradingTask&) {
    ++asked;
    return CourseValues{{{"large", {0.8, 0.7, 0.9, {}}}}, {}, {}};
  };
  const auto timed = time_cases(*plan_, execute(*plan_));
  EXPECT_EQ(1, asked);
  EXPECT_EQ(0.8, timed.gates.back().share->solution.at("large"));
  EXPECT_TRUE(plan_->gates.back().share->solution.empty()) << "the plan does not change";
}

}  // namespace
}  // namespace warpgrade::grader::grade::timed_runs_test
