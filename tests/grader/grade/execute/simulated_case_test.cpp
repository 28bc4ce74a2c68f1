// SPDX-License-Identifier: Apache-2.0
// One case on fake devices: its ending, its limits, and what is taken from the time of a launch.
#include "grader/grade/execute/simulated_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::simulated_case_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr CaseLimits kLimits{1'000'000, 1};

class SimulatedCase : public Stage {
 protected:
  std::vector<CaseOutcome> execute(const std::vector<const Place*>& places) {
    return execute_case(services_, task_, plan_, places, {}, kLimits);
  }
  CaseOutcome execute(const Place& one) { return execute({&one}).front(); }
  CaseOutcome finish(const Place& one, CaseOutcome executed) {
    return finish_case(services_, task_, plan_, one, {}, kLimits, std::move(executed));
  }
};

TEST_F(SimulatedCase, WithoutASpeedGateItIsCountedAndNotTimed) {
  begin(right);
  const auto& large = place("h200", "large");
  EXPECT_TRUE(can_be_shared(plan_, large));
  const auto outcome = finish(large, execute(large));
  EXPECT_TRUE(is_right(outcome));
  EXPECT_EQ(1U, h200_->counted);
  EXPECT_EQ(128, outcome.measured.metrics.at("sectors"));
  EXPECT_FALSE(number_of(outcome.fraction_of_roof));
  EXPECT_TRUE(h200_->copied.empty());
}

// The fakes: a launch needs 1 us, and the copy of the same bytes 0.9 us.
TEST_F(SimulatedCase, ASpeedGateComparesItsTimeWithACopy) {
  begin(right);
  const auto& large = place("k40", "large");
  EXPECT_FALSE(can_be_shared(plan_, large));
  const auto outcome = finish(large, execute(large));
  EXPECT_EQ(0U, k40_->counted);
  EXPECT_DOUBLE_EQ(0.9, number_of(outcome.fraction_of_roof).value_or(0));
  EXPECT_THAT(k40_->copied, ElementsAre(8192U));  // 1024 floats in and 1024 out
}

TEST_F(SimulatedCase, AWrongResultHasNoSpeed) {
  begin(wrong_at(1024));
  const auto& large = place("k40", "large");
  const auto outcome = finish(large, execute(large));
  ASSERT_TRUE(std::holds_alternative<WrongResult>(outcome.ending));
  EXPECT_EQ("out[1023]", std::get<WrongResult>(outcome.ending).difference.element);
  EXPECT_TRUE(k40_->copied.empty());
}

TEST_F(SimulatedCase, ItsLaunchHasTheLimitOnWork) {
  begin(right);
  execute(place("h200", "one"));
  EXPECT_THAT(h200_->budgets, ElementsAre(kLimits.work));
}

TEST_F(SimulatedCase, ARunawayKnowsTheLimitOfItsCase) {
  begin([](auto&, auto& measured) {
    measured.result.diagnostics.emplace_back().kind = base::DiagnosticKind::kRunaway;
  });
  const auto outcome = execute(place("h200", "ragged"));
  const auto& found = std::get<FoundFaults>(outcome.ending).diagnostics;
  ASSERT_EQ(1U, found.size());
  ASSERT_TRUE(found[0].seen.limit);
  EXPECT_EQ("ragged", found[0].seen.limit->name);
  EXPECT_EQ(kLimits.work, found[0].seen.limit->units);
}

TEST_F(SimulatedCase, ASmallOneMustBeRightInOtherOrdersToo) {
  in_other_orders_ = wrong_at(300);
  begin(right);
  EXPECT_TRUE(is_right(execute(place("h200", "one"))));
  const auto outcome = execute(place("h200", "ragged"));
  ASSERT_TRUE(std::holds_alternative<WrongResult>(outcome.ending));
  EXPECT_THAT(std::get<WrongResult>(outcome.ending).seen.replay, HasSubstr("small/twice"));
  EXPECT_THAT(std::get<WrongResult>(outcome.ending).seen.replay, HasSubstr("--seed 7"));
}

TEST_F(SimulatedCase, ARaceInAnotherOrderGoesBeforeAWrongResult) {
  in_other_orders_ = race_at(300);
  begin(wrong_at(300));
  const auto outcome = execute(place("h200", "ragged"));
  EXPECT_TRUE(std::holds_alternative<FoundFaults>(outcome.ending));
  EXPECT_EQ(1U, h200_->schedule_seeds.size()) << "a single further order";
}

TEST_F(SimulatedCase, OneExecutionIsCountedByTheRulesOfEachDevice) {
  begin(right);
  const auto all = execute({&place("h200", "one"), &place("k40", "one")});
  ASSERT_EQ(2U, all.size());
  EXPECT_EQ(128, all[0].measured.metrics.at("sectors"));
  EXPECT_EQ(256, all[1].measured.metrics.at("sectors"));
  EXPECT_TRUE(k40_->launches.empty());
}

TEST_F(SimulatedCase, ADeviceThatCannotHoldTheLaunchRefusesItForItselfAlone) {
  begin(right);
  h200_->refusal_elsewhere = "k40 cannot hold a block of it";
  const auto all = execute({&place("h200", "one"), &place("k40", "one")});
  EXPECT_TRUE(is_right(all[0]));
  ASSERT_TRUE(std::holds_alternative<NotLaunchable>(all[1].ending));
  EXPECT_EQ("k40 cannot hold a block of it", std::get<NotLaunchable>(all[1].ending).why);
}

TEST_F(SimulatedCase, AFaultOfTheToolIsNoneOfTheSubmission) {
  begin([](auto&, auto&) { throw base::ToolError("out of memory"); });
  EXPECT_TRUE(std::holds_alternative<NotSimulated>(execute(place("h200", "one")).ending));
  begin([](auto&, auto&) { throw base::UsageError("too many threads"); });
  EXPECT_TRUE(std::holds_alternative<NotLaunchable>(execute(place("h200", "one")).ending));
}

}  // namespace
}  // namespace warpgrade::grader::simulated_case_test
