// SPDX-License-Identifier: Apache-2.0
// Measured cases on a fake card: how they end, and the input of a comparison with the copy.
#include "grader/grade/time/gpu_timing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::gpu_timing_test {
namespace {

using testing::ElementsAre;

class GpuTimingTest : public StageOnCard {
 protected:
  CaseOutcome time() { return GpuTiming(*plan_, plan_->gates, {place("k40", "large")}).time(0); }
};

TEST_F(GpuTimingTest, AFaultOfTheCardIsNoneOfTheSubmission) {
  begin_on_card([](auto&, auto&) { throw base::ToolError("the card is lost"); });
  EXPECT_TRUE(ends_as<GpuTrouble>(time()));
  begin_on_card([](auto&, auto&) { throw base::UsageError("too many threads"); });
  EXPECT_TRUE(ends_as<NotLaunchable>(time()));
}

TEST_F(GpuTimingTest, AMeasuredOneHasTheFractionOfItsComparison) {
  begin_on_card(right);
  card_->fraction.estimate = measure::FractionEstimate{0.8, 0.7, 0.9};
  card_->fraction.warning = "the card is busy";
  const auto outcome = time();
  EXPECT_TRUE(is_right(outcome));
  const auto& found = std::get<report::MeasuredInterval>(outcome.fraction_of_roof);
  EXPECT_DOUBLE_EQ(0.8, number_of(found).value_or(0));
  EXPECT_THAT(outcome.warnings, ElementsAre("the card is busy"));
  ASSERT_EQ(1U, card_->timed_cases.size());
  EXPECT_EQ(8192U, card_->timed_cases[0].bytes) << "1024 floats in and 1024 out";
  EXPECT_TRUE(card_->timed_cases[0].is_timed);
  EXPECT_THAT(card_->bounds, ElementsAre(ElementsAre(0.5)));
}

TEST_F(GpuTimingTest, AMeasuredOneIsComparedWithTheReferenceToo) {
  begin_on_card(wrong_at(1024));
  card_->fraction.estimate = measure::FractionEstimate{0.8, 0.7, 0.9};
  const auto outcome = time();
  EXPECT_TRUE(ends_as<WrongResult>(outcome));
  EXPECT_FALSE(number_of(outcome.fraction_of_roof));
}

TEST_F(GpuTimingTest, ATimeThatCannotBeTrueIsNoSpeed) {
  begin_on_card(right);
  card_->fraction.estimate = measure::FractionEstimate{3, 2.9, 3.1};
  card_->impossible = "three times as fast as a copy";
  const auto outcome = time();
  EXPECT_TRUE(ends_as<ImpossibleTime>(outcome));
  EXPECT_FALSE(number_of(outcome.fraction_of_roof));
}

TEST_F(GpuTimingTest, InputsOfTimedLaunchesDifferEachTime) {
  begin_on_card(right);
  std::uint64_t variant = 0;
  services_.gpu->timed_variant = [&] { return ++variant; };
  time();
  time();
  const auto inputs = [&](std::size_t which) {
    return run::made(card_->timed_cases[which].before)[1].bytes;
  };
  EXPECT_NE(inputs(0), inputs(1));
}

TEST_F(GpuTimingTest, CasesOfASubmissionGoToTheCardTogether) {
  begin_on_card(right);
  const auto& large = place("k40", "large");
  GpuTiming timing(*plan_, plan_->gates, {large, large});
  EXPECT_TRUE(card_->begun.empty());
  timing.time(0);
  timing.time(1);
  EXPECT_THAT(card_->begun, ElementsAre(2U));
}

// The fake card: a launch needs 1 us, and the copy of the same bytes 0.9 us.
TEST_F(GpuTimingTest, ASmallOneHasASpeedIfAGateAsksForIt) {
  lab_.exercises[0].kernel()->gates.back().cases = {"ragged", "large"};
  begin_on_card(right);
  const auto& ragged = place("k40", "ragged");
  CaseOutcome checked;
  checked.measured.seconds = 1e-6;
  EXPECT_DOUBLE_EQ(0.9,
                   number_of(with_gpu_speed(*plan_, ragged, checked).fraction_of_roof).value_or(0));
  const auto& one = place("k40", "one");
  EXPECT_FALSE(number_of(with_gpu_speed(*plan_, one, checked).fraction_of_roof));
  checked.ending = WrongResult{};
  EXPECT_FALSE(number_of(with_gpu_speed(*plan_, ragged, checked).fraction_of_roof));
}

}  // namespace
}  // namespace warpgrade::grader::grade::gpu_timing_test
