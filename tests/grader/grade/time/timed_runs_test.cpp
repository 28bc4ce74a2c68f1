// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/time/timed_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/grade/execute/simulated_case.h"
#include "tests/grader/grade/grade_fixture.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::timed_runs_test {

// Speeds of single cases on a fake device, whose launches and copies have known times.

namespace {

using testing::ElementsAre;

class SimulatedSpeed : public Stage {
 protected:
  CaseOutcome timed(const PlannedCase& one) {
    const CaseJob job{.planned = one, .work = 1'000'000, .threads = 1};
    return with_speed(*plan_, job, execute_case(*plan_, job).front());
  }
};

TEST_F(SimulatedSpeed, WithoutASpeedGateThereIsNone) {
  begin(right);
  EXPECT_FALSE(number_of(timed(planned("h200", "large")).fraction_of_roof));
  EXPECT_TRUE(h200_->copied.empty());
}

// The fakes: a launch needs 1 us, and the copy of the same bytes 0.9 us.
TEST_F(SimulatedSpeed, ASpeedGateComparesItsTimeWithACopy) {
  begin(right);
  const auto& large = planned("k40", "large");
  const auto outcome = timed(large);
  EXPECT_EQ(0U, k40_->counted);
  EXPECT_DOUBLE_EQ(0.9, number_of(outcome.fraction_of_roof).value_or(0));
  EXPECT_THAT(k40_->copied, ElementsAre(8192U));  // 1024 floats in and 1024 out
}

TEST_F(SimulatedSpeed, AWrongResultHasNoSpeed) {
  begin(wrong_at(1024));
  const auto& large = planned("k40", "large");
  const auto outcome = timed(large);
  ASSERT_TRUE(ends_as<WrongResult>(outcome));
  EXPECT_EQ("out[1023]", std::get<WrongResult>(outcome.ending).difference.element);
  EXPECT_TRUE(k40_->copied.empty());
}

// 2 us of 4 us by bytes, 3 us by operations: the slower baseline is the roof.
TEST(TakeSpeed, TheRoofIsTheSlowerBaseline) {
  CaseOutcome out;
  set_speed({.bytes = 100, .operations = 50}, 2e-6, 3e-6, 4e-6, out);
  EXPECT_DOUBLE_EQ(0.75, number_of(out.fraction_of_roof).value_or(0));
  ASSERT_TRUE(out.roofline);
  EXPECT_EQ(3e-6, out.roofline->peak_seconds);
  CaseOutcome without;
  set_speed({.bytes = 100, .operations = 0}, 2e-6, 0, 4e-6, without);
  EXPECT_DOUBLE_EQ(0.5, number_of(without.fraction_of_roof).value_or(0));
  EXPECT_FALSE(without.roofline);
}

}  // namespace

// Measured cases on a fake card: how they end, and the input of a comparison with the copy.

namespace {

class GpuTimingTest : public StageOnCard {
 protected:
  CaseOutcome time() {
    return GpuTiming(*plan_, plan_->gates, {&planned("k40", "large"), 1}).time(0);
  }
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
  const std::vector<PlannedCase> both(2, planned("k40", "large"));
  GpuTiming timing(*plan_, plan_->gates, both);
  EXPECT_TRUE(card_->begun.empty());
  timing.time(0);
  timing.time(1);
  EXPECT_THAT(card_->begun, ElementsAre(2U));
}

// The fake card: a launch needs 1 us, and the copy of the same bytes 0.9 us.
TEST_F(GpuTimingTest, ASmallOneHasASpeedIfAGateAsksForIt) {
  lab_.exercises[0].kernel()->gates.back().cases = {"ragged", "large"};
  begin_on_card(right);
  const auto& ragged = planned("k40", "ragged");
  CaseOutcome checked;
  checked.measured.seconds = 1e-6;
  EXPECT_DOUBLE_EQ(0.9,
                   number_of(with_gpu_speed(*plan_, ragged, checked).fraction_of_roof).value_or(0));
  const auto& one = planned("k40", "one");
  EXPECT_FALSE(number_of(with_gpu_speed(*plan_, one, checked).fraction_of_roof));
  checked.ending = WrongResult{};
  EXPECT_FALSE(number_of(with_gpu_speed(*plan_, ragged, checked).fraction_of_roof));
}

}  // namespace

// A fake GPU's counts beside the simulator's.
using testing::Pair;

// The small lab with the card's counters requested.
class CountOnGpu : public GradeOnGpu {
 protected:
  CountOnGpu() {
    counters_ = true;
    gpu_counters_ = {{{"sectors", 127}}, ""};
  }

  static std::vector<report::Case> counted_in(const report::ExerciseReport& report) {
    auto out = report.cases;
    std::erase_if(out, [](const report::Case& one) { return !one.counted; });
    return out;
  }
};

TEST_F(CountOnGpu, TheLaunchThatGatesCountIsCountedOnTheCardToo) {
  const auto report = grade_on_gpu();
  ASSERT_EQ(1U, counted_in(report).size());
  const auto counted = counted_in(report)[0];
  EXPECT_EQ("large", counted.name);
  EXPECT_EQ((text::Variables{{"n", 1024}}), counted.variables);
  EXPECT_EQ("h200", counted.device);
  EXPECT_THAT(counted.counted->metrics, ElementsAre(Pair("sectors", 127)));
  EXPECT_THAT(counted.simulated, ElementsAre(Pair("sectors", 128)));
  EXPECT_EQ("", counted.counted->reason);
  ASSERT_EQ(1U, gpu_->counted.size());
  EXPECT_EQ(h200_->launches.back().grid, gpu_->counted[0].first.grid);
  EXPECT_EQ(h200_->before.back()[1].bytes, gpu_->counted[0].second[1].bytes);
  EXPECT_EQ(h200_->before.back()[0].bytes, gpu_->counted[0].second[0].bytes);
  EXPECT_EQ(128, report.gates[0].value());
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

TEST_F(CountOnGpu, NothingIsCountedThatNobodyAskedFor) {
  counters_ = false;
  EXPECT_TRUE(counted_in(grade_on_gpu()).empty());
  EXPECT_TRUE(gpu_->counted.empty());
}

TEST_F(CountOnGpu, WithoutCountersTheGradeIsTheSameAndTheReasonIsTold) {
  gpu_counters_ = {{}, "this user may not"};
  auto report = grade_on_gpu();
  EXPECT_EQ("this user may not", counted_in(report).at(0).counted->reason);
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  gpu_counters_.reset();
  report = grade_on_gpu();
  EXPECT_EQ("another grader holds the card", counted_in(report).at(0).counted->reason);
  EXPECT_TRUE(counted_in(report).at(0).counted->metrics.empty());
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
  EXPECT_EQ(6U, report.points);
}

TEST_F(CountOnGpu, AWrongResultIsNotCounted) {
  const auto report = grade_on_gpu([](auto&, auto&) {});
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_TRUE(gpu_->counted.empty());
  EXPECT_TRUE(counted_in(report).empty());
}

TEST_F(CountOnGpu, ALaunchThatOnlyTheSimulatorFindsWrongIsNotCounted) {
  simulated_ = [](auto& buffers, auto&) {
    if (buffers[0].bytes.size() < 4096) twice(buffers);  // wrong in the large case
  };
  const auto report = grade_on_gpu();
  EXPECT_EQ(report::Reason::kIncorrect, report.reason);
  EXPECT_TRUE(gpu_->counted.empty());
  EXPECT_TRUE(counted_in(report).empty());
}

TEST_F(CountOnGpu, ACardThatNoGateNamesIsCountedBesideItsOwnProfile) {
  for (auto& gate : kernel_in(lab_).gates) gate.device = "k40";
  kernel_in(lab_).gates[1].simulated = true;
  const auto report = grade_on_gpu();
  ASSERT_EQ(1U, counted_in(report).size());
  EXPECT_EQ("h200", counted_in(report)[0].device);
  EXPECT_THAT(counted_in(report)[0].counted->metrics, ElementsAre(Pair("sectors", 127)));
  EXPECT_THAT(counted_in(report)[0].simulated, ElementsAre(Pair("sectors", 128)));
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(report::Verdict::kPass, report.verdict);
}

TEST_F(CountOnGpu, AChoiceOfAnotherDeviceLeavesTheCardOut) {
  const auto report = grade_on_gpu(right, "k40");
  EXPECT_TRUE(counted_in(report).empty());
  EXPECT_THAT(report.warnings, ::testing::Contains("no counters of the card: its profile, h200, is "
                                                   "not simulated here"));
}

// The measured cases of a submission, on fake devices.

namespace {

class TimedRunsTest : public Stage {
 protected:
  std::vector<std::string> cases() {
    std::vector<std::string> out;
    auto execution = execute(*plan_);
    time_cases(*plan_, execution);
    for (const auto& one : execution.cases) {
      if (one.outcome) out.push_back(one.target->device + " " + one.item->name);
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
  auto execution = execute(*plan_);
  time_cases(*plan_, execution);
  const auto speed = [&](std::size_t number) {
    return number_of(execution.cases[number].outcome->fraction_of_roof);
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
  auto execution = execute(*plan_);
  const auto gates = time_cases(*plan_, execution);
  EXPECT_EQ(1, asked);
  EXPECT_EQ(0.8, gates.back().definition.ideal);
  EXPECT_TRUE(gates.back().bounds.contains("large"));
  EXPECT_TRUE(plan_->gates.back().bounds.empty()) << "the plan does not change";
}

}  // namespace

}  // namespace warpgrade::grader::grade::timed_runs_test
