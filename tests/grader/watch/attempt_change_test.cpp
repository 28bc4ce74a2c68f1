// SPDX-License-Identifier: Apache-2.0
// The message about two attempts, from handmade reports.
#include "grader/watch/attempt_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/report/reports.h"

namespace warpgrade::grader::watch::attempt_change_test {

using testing::ElementsAre;
using testing::IsEmpty;

// A report with only gates and points; the reason comes from a gate.
report::ExerciseReport attempt(double loads, double speed, std::uint32_t points) {
  auto out = report::slow_copy().exercises[0];
  out.gates = {report::gate("loads", loads, false), report::gate("speed", speed, true)};
  out.points = points;
  return out;
}

TEST(AttemptChange, PointsThenGatesThatTurnedThenNumbersThatMoved) {
  EXPECT_THAT(changes_between(attempt(4, 0.1, 3), attempt(32, 0.3, 5)),
              ElementsAre(AttemptChange{"points: 3 -> 5 of 7", Direction::kBetter},
                          AttemptChange{"loads: 4 -> 32, passes now", Direction::kBetter},
                          AttemptChange{"speed: 0.1 -> 0.3", Direction::kMoved}));
}

TEST(AttemptChange, AStepBackIsTold) {
  EXPECT_THAT(changes_between(attempt(32, 0.7, 7), attempt(4, 0.7, 3)),
              ElementsAre(AttemptChange{"points: 7 -> 3 of 7", Direction::kWorse},
                          AttemptChange{"loads: 32 -> 4, fails now", Direction::kWorse}));
}

TEST(AttemptChange, NothingIsToldOfTheSame) {
  EXPECT_THAT(changes_between(attempt(4, 0.1, 3), attempt(4, 0.1, 3)), IsEmpty());
}

TEST(AttemptChange, HowFarItComesIsTold) {
  auto before = attempt(4, 0.1, 0);
  auto after = before;
  before.reason = report::Reason::kCompile;
  after.reason = report::Reason::kDiagnostic;
  const auto only = [](const std::vector<AttemptChange>& all) { return all.at(0); };
  EXPECT_EQ((AttemptChange{"it stops with a diagnostic now", Direction::kBetter}),
            only(changes_between(before, after)));
  EXPECT_EQ((AttemptChange{"it does not compile now", Direction::kWorse}),
            only(changes_between(after, before)));
  before.reason = report::Reason::kIncorrect;
  EXPECT_EQ((AttemptChange{"it runs to its end now, with a wrong result", Direction::kBetter}),
            only(changes_between(after, before)));
  after.reason = report::Reason::kMechanism;
  EXPECT_EQ((AttemptChange{"the result is right now", Direction::kBetter}),
            only(changes_between(before, after)));
}

TEST(AttemptChange, AGateThatWasNotMeasuredHasNotMoved) {
  auto before = attempt(4, 0.1, 3);
  before.gates[0].decision.reset();
  before.gates[1].decision.reset();
  EXPECT_THAT(changes_between(before, attempt(32, 0.3, 3)), IsEmpty());
}

TEST(AttemptChange, AnswersAreCounted) {
  auto before = attempt(4, 0.1, 3);
  before.wrong_answers = {{"q", "", 1, ""}, {"q", "", 2, ""}};
  auto after = before;
  after.wrong_answers.pop_back();
  EXPECT_THAT(changes_between(before, after),
              ElementsAre(AttemptChange{"wrong answers: 2 -> 1", Direction::kBetter}));
}

}  // namespace warpgrade::grader::watch::attempt_change_test
