// SPDX-License-Identifier: Apache-2.0
// One case on fake devices: how it ends, and its limits.
#include "grader/grade/execute/simulated_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/grade/plan/work_limits.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::simulated_case_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::uint64_t kWork = 1'000'000;

class SimulatedCase : public Stage {
 protected:
  std::vector<CaseOutcome> execute(const Place& one, const std::vector<const Place*>& others) {
    return execute_case(*plan_, {.place = one, .work = kWork, .threads = 1}, others);
  }
  CaseOutcome execute(const Place& one) { return execute(one, {}).front(); }
};

TEST_F(SimulatedCase, WithoutASpeedGateItIsCountedAndNotTimed) {
  begin(right);
  const auto& large = place("h200", "large");
  EXPECT_TRUE(can_be_shared(plan_->gates, large));
  EXPECT_FALSE(can_be_shared(plan_->gates, place("k40", "large")));
  const auto outcome = execute(large);
  EXPECT_TRUE(is_right(outcome));
  EXPECT_EQ(1U, h200_->counted);
  EXPECT_EQ(128, outcome.measured.metrics.at("sectors"));
}

TEST_F(SimulatedCase, ItsLaunchHasTheLimitOnWork) {
  begin(right);
  const auto one = place("h200", "one");
  execute(one);
  EXPECT_THAT(h200_->budgets, ElementsAre(small_limit(one, 0)));
}

TEST_F(SimulatedCase, ARunawayKnowsTheLimitOfItsCase) {
  begin([](auto&, auto& measured) {
    measured.result.diagnostics.emplace_back().kind = base::DiagnosticKind::kRunaway;
  });
  const auto ragged = place("h200", "ragged");
  const auto outcome = execute(ragged);
  const auto& found = std::get<FoundFaults>(outcome.ending).diagnostics;
  ASSERT_EQ(1U, found.size());
  ASSERT_TRUE(found[0].seen.limit);
  EXPECT_EQ("ragged", found[0].seen.limit->name);
  EXPECT_EQ(small_limit(ragged, 0), found[0].seen.limit->units);
}

TEST_F(SimulatedCase, ASmallOneMustBeRightInOtherOrdersToo) {
  in_other_orders_ = wrong_at(300);
  begin(right);
  EXPECT_TRUE(is_right(execute(place("h200", "one"))));
  const auto outcome = execute(place("h200", "ragged"));
  ASSERT_TRUE(ends_as<WrongResult>(outcome));
  EXPECT_THAT(std::get<WrongResult>(outcome.ending).seen.replay, HasSubstr("small/twice"));
  EXPECT_THAT(std::get<WrongResult>(outcome.ending).seen.replay, HasSubstr("--seed 7"));
}

TEST_F(SimulatedCase, ARaceInAnotherOrderGoesBeforeAWrongResult) {
  in_other_orders_ = race_at(300);
  begin(wrong_at(300));
  const auto outcome = execute(place("h200", "ragged"));
  EXPECT_TRUE(ends_as<FoundFaults>(outcome));
  EXPECT_EQ(1U, h200_->schedule_seeds.size()) << "a single further order";
}

TEST_F(SimulatedCase, OneExecutionIsCountedByTheRulesOfEachDevice) {
  begin(right);
  const auto all = execute(place("h200", "one"), {&place("k40", "one")});
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ(128, all[0].measured.metrics.at("sectors"));
  EXPECT_EQ(256, all[1].measured.metrics.at("sectors"));
  EXPECT_TRUE(k40_->launches.empty());
}

TEST_F(SimulatedCase, ADeviceThatCannotHoldTheLaunchRefusesItForItselfAlone) {
  begin(right);
  h200_->refusal_elsewhere = "k40 cannot hold a block of it";
  const auto all = execute(place("h200", "one"), {&place("k40", "one")});
  EXPECT_TRUE(is_right(all[0]));
  ASSERT_TRUE(ends_as<NotLaunchable>(all[1]));
  EXPECT_EQ("k40 cannot hold a block of it", std::get<NotLaunchable>(all[1].ending).why);
}

TEST_F(SimulatedCase, AFaultOfTheToolIsNoneOfTheSubmission) {
  begin([](auto&, auto&) { throw base::ToolError("out of memory"); });
  EXPECT_TRUE(ends_as<NotSimulated>(execute(place("h200", "one"))));
  begin([](auto&, auto&) { throw base::UsageError("too many threads"); });
  EXPECT_TRUE(ends_as<NotLaunchable>(execute(place("h200", "one"))));
}

}  // namespace
}  // namespace warpgrade::grader::grade::simulated_case_test
