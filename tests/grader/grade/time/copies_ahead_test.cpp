// SPDX-License-Identifier: Apache-2.0
// The sizes whose copies a judge predicts before submissions need them.
#include "grader/grade/time/copies_ahead.h"

#include <gmock/gmock.h>

#include "tests/grader/grade/fakes.h"
#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::copies_ahead_test {

using testing::ElementsAre;
using testing::IsEmpty;

class CopiesAheadTest : public testing::Test {
 protected:
  CopiesAheadTest()
      : exercise_(exercise_with({gate_of("fast", "fraction_of_copy", "0.5", "", {"large"})})) {
    exercise_.bytes = text::Expression{"n", {}};
  }
  void time_at(const std::string& n) {
    exercise_.cases[1].timed_variables = text::VariableExpressions{{"n", {n, {}}}};
  }
  std::vector<std::uint64_t> predicted_by(int submissions) {
    FakeSimBench bench("h200", "sm_90", [](auto&, auto&) {});
    const std::vector<Target> targets = {{"h200", &bench}};
    const auto plan = plan_gates(exercise_, "lab/twice", targets, nullptr);
    CopiesAhead ahead;
    for (int i = 0; i < submissions; ++i) ahead.predict(exercise_, targets, plan);
    return bench.copied;
  }
  course::KernelExercise exercise_;
};

TEST_F(CopiesAheadTest, ASizeThatAllSubmissionsNeedIsPredictedOnce) {
  time_at("1024");
  EXPECT_THAT(predicted_by(3), ElementsAre(1024));
}

TEST_F(CopiesAheadTest, DrawnSizesArePredictedOneWithEachSubmission) {
  time_at("1024 + 64 * mod(draw, 3)");
  EXPECT_THAT(predicted_by(2), ElementsAre(1152, 1088));
  EXPECT_THAT(predicted_by(5), ElementsAre(1152, 1088, 1024));
}

TEST_F(CopiesAheadTest, SizesThatFewSubmissionsShareAreLeftToThem) {
  time_at("1024 + 64 * draw");
  EXPECT_THAT(predicted_by(3), IsEmpty());
}

TEST_F(CopiesAheadTest, ExercisesWithoutASpeedNeedNone) {
  exercise_.gates.clear();
  EXPECT_THAT(predicted_by(3), IsEmpty());
}

}  // namespace warpgrade::grader::grade::copies_ahead_test
