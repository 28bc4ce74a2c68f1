// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/planned_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::planned_case_test {

TEST(CaseOutcome, OnlyARightResultIsRight) {
  EXPECT_TRUE(is_right(ended_by(RightResult{})));
  EXPECT_FALSE(is_right(ended_by(WrongResult{})));
  EXPECT_FALSE(is_right(ended_by(FoundFaults{})));
  EXPECT_FALSE(is_right(ended_by(NotLaunchable{"too many threads"})));
  EXPECT_FALSE(is_right(ended_by(NotSimulated{"clusters"})));
  EXPECT_FALSE(is_right(ended_by(NotChecked{"too large"})));
  EXPECT_FALSE(is_right(ended_by(GpuTrouble{"lost"})));
  EXPECT_FALSE(is_right(ended_by(ImpossibleTime{"faster than DRAM"})));
}

TEST(CaseOutcome, AWrongResultIsFollowedByOtherCasesAndAFaultIsNot) {
  EXPECT_FALSE(ends_grading(ended_by(RightResult{})));
  EXPECT_FALSE(ends_grading(ended_by(WrongResult{})));
  EXPECT_FALSE(ends_grading(ended_by(NotChecked{})));
  EXPECT_TRUE(ends_grading(ended_by(FoundFaults{})));
  EXPECT_TRUE(ends_grading(ended_by(NotLaunchable{})));
  EXPECT_TRUE(ends_grading(ended_by(NotSimulated{})));
  EXPECT_TRUE(ends_grading(ended_by(GpuTrouble{})));
  EXPECT_TRUE(ends_grading(ended_by(ImpossibleTime{})));
}

TEST(PlannedCase, AGpuHasTheLargerSizeWhereTheCaseHasOne) {
  const auto exercise = exercise_with({});
  const auto simulation = simulated("h200");
  const auto gpu = on_gpu("h200");
  EXPECT_EQ(8, planned_of(simulation, exercise, exercise.cases[0]).variables().at("n"));
  EXPECT_EQ(8, planned_of(gpu, exercise, exercise.cases[0]).variables().at("n"));
  EXPECT_EQ(64, planned_of(simulation, exercise, exercise.cases[1]).variables().at("n"));
  EXPECT_EQ(1024, planned_of(gpu, exercise, exercise.cases[1]).variables().at("n"));
}

TEST(PlannedCase, EachStepLaunchesItsOwnKernelOfTheProgram) {
  auto exercise = exercise_with({});
  exercise.steps.push_back(step_of("thrice"));
  compile::Kernel twice;
  twice.name = "_Z5twicev";
  compile::Kernel thrice;
  thrice.name = "_Z6thricev";
  const auto target = simulated("h200");
  auto planned = planned_of(target, exercise, exercise.cases[0]);
  planned.kernels = {&twice, &thrice};
  const auto launches = launches_of(planned, *planned.sized).launches;
  ASSERT_EQ(2U, launches.size());
  EXPECT_EQ("_Z5twicev", launches[0].kernel);
  EXPECT_EQ("_Z6thricev", launches[1].kernel);
}

// Limits on work of an exercise's cases: by size, and a grade's total.

using testing::ElementsAre;

class WorkLimits : public testing::Test {
 protected:
  WorkLimits() : exercise_(exercise_with({})), target_(simulated("h200")) {
    exercise_.parameters = {course::BufferParameter{
        "out", {}, {"1", {}}, {"n", {}}, course::Poison{}, course::EqualBits{}}};
    const text::Expression one{"1", {}};
    exercise_.steps[0].geometry = {
        {text::Expression{"n", {}}, one, one}, {text::Expression{"32", {}}, one, one}, one};
  }

  std::vector<std::uint64_t> limits_of(const std::vector<course::Case>& cases) {
    std::vector<PlannedCase> all;
    for (const auto& item : cases) all.push_back(planned_of(target_, exercise_, item));
    return work_limits(all);
  }

  static course::Case measured(double n) {
    auto out = case_of("large", n);
    out.measured = true;
    return out;
  }

  static course::Case sampled(double n) {
    auto out = case_of("huge", n);
    out.sampled = true;
    return out;
  }

  const course::Case few_ = case_of("few", 10);
  course::KernelExercise exercise_;
  Target target_;
};

// The first case has 300 blocks of a warp.
TEST_F(WorkLimits, ASmallCaseMayDoThousandsOfTimesItsThreadsOrTheReference) {
  const auto at_least = std::uint64_t{1} << 27;
  EXPECT_THAT(limits_of({case_of("a", 300), case_of("b", 100)}),
              ElementsAre(at_least + 4096 * 9600, at_least + 4096 * 3200));
  const auto huge = sampled(1e6);
  EXPECT_EQ(at_least, small_limit(planned_of(target_, exercise_, huge), 123456));
  EXPECT_EQ(at_least + 4096 * 123456, small_limit(planned_of(target_, exercise_, few_), 123456));
  EXPECT_EQ(kSmallWork / 2, small_limit(planned_of(target_, exercise_, few_), 1 << 30));
}

TEST_F(WorkLimits, OtherCasesDoNotChangeALimit) {
  EXPECT_EQ(limits_of({few_}).front(), limits_of(std::vector<course::Case>(70, few_)).back());
}

TEST_F(WorkLimits, MeasuredCasesShareTheirsByTheBytesOfTheirBuffers) {
  EXPECT_THAT(limits_of({measured(100), measured(300)}),
              ElementsAre(kMeasuredWork / 4, kMeasuredWork / 4 * 3));
}

TEST_F(WorkLimits, NoNumberOfMeasuredCasesMayDoMoreThanAGradeMay) {
  const auto all = limits_of(std::vector<course::Case>(70, measured(77)));
  EXPECT_GE(kMeasuredWork, std::accumulate(all.begin(), all.end(), std::uint64_t{0}));
}

TEST_F(WorkLimits, ABlockMayDoAThousandTimesTheWorkOfTheReference) {
  EXPECT_EQ((std::uint64_t{1} << 25) + 1024 * 1000, block_limit(kSmallWork, 1000));
}

TEST_F(WorkLimits, ABlockMayDoAQuarterOfItsCaseAtMost) {
  EXPECT_EQ(1000U, block_limit(4000, 1000));
  EXPECT_EQ(kSmallWork / 4, block_limit(kSmallWork, 0));  // unknown, as on a GPU
}

}  // namespace warpgrade::grader::grade::planned_case_test
