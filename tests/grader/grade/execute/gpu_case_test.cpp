// SPDX-License-Identifier: Apache-2.0
// Single cases on a fake card: their endings, and what a comparison with the copy receives.
#include "grader/grade/execute/gpu_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "common/base/error.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::gpu_case_test {
namespace {

using testing::ElementsAre;

class GpuCase : public Stage {
 protected:
  void begin_on_card(const FakeBody& body) {
    card_.emplace("k40", "sm_75", body);
    begin(body, &*card_);
  }
  CaseOutcome check(const std::string& case_name) {
    return check_on_gpu(services_, task_, plan_, place("k40", case_name));
  }
  CaseOutcome time() { return GpuTiming(services_, task_, plan_, {place("k40", "large")}).time(0); }

  std::optional<FakeGpuBench> card_;
};

template <typename Ending>
bool ends_as(const CaseOutcome& outcome) {
  return std::holds_alternative<Ending>(outcome.ending);
}

TEST_F(GpuCase, ASmallOneIsRightWrongOrFaulty) {
  begin_on_card(right);
  EXPECT_TRUE(is_right(check("ragged")));
  EXPECT_EQ(1U, card_->launches.size());
  EXPECT_TRUE(k40_->launches.empty()) << "the card alone";
  begin_on_card(wrong_at(300));
  const auto wrong = check("ragged");
  ASSERT_TRUE(ends_as<WrongResult>(wrong));
  EXPECT_EQ("out[299]", std::get<WrongResult>(wrong.ending).difference.element);
  begin_on_card(race_at(300));
  EXPECT_TRUE(ends_as<FoundFaults>(check("ragged")));
}

TEST_F(GpuCase, AFaultOfTheCardIsNoneOfTheSubmission) {
  begin_on_card([](auto&, auto&) { throw base::ToolError("the card is lost"); });
  EXPECT_TRUE(ends_as<GpuTrouble>(check("one")));
  EXPECT_TRUE(ends_as<GpuTrouble>(time()));
  begin_on_card([](auto&, auto&) { throw base::UsageError("too many threads"); });
  EXPECT_TRUE(ends_as<NotLaunchable>(check("one")));
  EXPECT_TRUE(ends_as<NotLaunchable>(time()));
}

TEST_F(GpuCase, AMeasuredOneHasTheFractionOfItsComparison) {
  begin_on_card(right);
  card_->fraction.estimate = measure::FractionEstimate{0.8, 0.7, 0.9};
  card_->fraction.warning = "the card is busy";
  const auto outcome = time();
  EXPECT_TRUE(is_right(outcome));
  const auto& found = std::get<MeasuredInterval>(outcome.fraction_of_roof);
  EXPECT_DOUBLE_EQ(0.8, number_of(found).value_or(0));
  EXPECT_THAT(outcome.warnings, ElementsAre("the card is busy"));
  ASSERT_EQ(1U, card_->timed_cases.size());
  EXPECT_EQ(8192U, card_->timed_cases[0].bytes) << "1024 floats in and 1024 out";
  EXPECT_TRUE(card_->timed_cases[0].is_timed);
  EXPECT_THAT(card_->bounds, ElementsAre(ElementsAre(0.5)));
}

TEST_F(GpuCase, AMeasuredOneIsComparedWithTheReferenceToo) {
  begin_on_card(wrong_at(1024));
  card_->fraction.estimate = measure::FractionEstimate{0.8, 0.7, 0.9};
  const auto outcome = time();
  EXPECT_TRUE(ends_as<WrongResult>(outcome));
  EXPECT_FALSE(number_of(outcome.fraction_of_roof));
}

TEST_F(GpuCase, ATimeThatCannotBeTrueIsNoSpeed) {
  begin_on_card(right);
  card_->fraction.estimate = measure::FractionEstimate{3, 2.9, 3.1};
  card_->impossible = "three times as fast as a copy";
  const auto outcome = time();
  EXPECT_TRUE(ends_as<ImpossibleTime>(outcome));
  EXPECT_FALSE(number_of(outcome.fraction_of_roof));
}

TEST_F(GpuCase, InputsOfTimedLaunchesDifferEachTime) {
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

TEST_F(GpuCase, CasesOfASubmissionGoToTheCardTogether) {
  begin_on_card(right);
  const auto& large = place("k40", "large");
  GpuTiming timing(services_, task_, plan_, {large, large});
  EXPECT_TRUE(card_->begun.empty());
  timing.time(0);
  timing.time(1);
  EXPECT_THAT(card_->begun, ElementsAre(2U));
}

}  // namespace
}  // namespace warpgrade::grader::gpu_case_test
