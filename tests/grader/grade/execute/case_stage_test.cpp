// SPDX-License-Identifier: Apache-2.0
// The order of cases, and cases that are skipped, with fake devices.
#include "grader/grade/execute/case_stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::case_stage_test {
namespace {

using testing::ElementsAre;

class CaseStage : public Stage {
 protected:
  std::vector<CaseRun> run(const std::vector<Place>& places) {
    return run_cases(*plan_, places, [](const CaseJob&, CaseOutcome executed) { return executed; },
                     {});
  }
  std::vector<CaseRun> run_small() { return run(compiled_.small); }
  std::vector<CaseRun> run_measured(std::uint64_t salt) {
    plan_->salt = salt;
    return run(compiled_.measured);
  }
};

std::vector<std::string> names(const std::vector<CaseRun>& runs) {
  std::vector<std::string> out;
  for (const auto& run : runs) out.push_back(run.place.target->device + " " + run.place.item->name);
  return out;
}

TEST_F(CaseStage, SmallCasesRunTargetByTarget) {
  begin(right);
  std::vector<std::string> told;
  services_.on_case = [&](const std::string& name) { told.push_back(name); };
  const auto runs = run_small();
  EXPECT_THAT(names(runs), ElementsAre("h200 one", "h200 ragged", "k40 one", "k40 ragged"));
  EXPECT_THAT(told, ElementsAre("one", "ragged", "one", "ragged"));
  for (const auto& run : runs) EXPECT_TRUE(is_right(run.outcome)) << run.place.item->name;
}

TEST_F(CaseStage, AFindingOfACheckEndsIt) {
  begin(race_at(300));
  const auto runs = run_small();
  EXPECT_THAT(names(runs), ElementsAre("h200 one", "h200 ragged"));
  EXPECT_TRUE(ends_as<FoundFaults>(runs.back().outcome));
  EXPECT_TRUE(k40_->launches.empty());
}

TEST_F(CaseStage, OtherShapesRunAfterAWrongResult) {
  begin(wrong_at(1));
  const auto runs = run_small();
  ASSERT_EQ(4U, runs.size());
  EXPECT_TRUE(ends_as<WrongResult>(runs[0].outcome));
  EXPECT_TRUE(is_right(runs[1].outcome));
}

TEST_F(CaseStage, CasesAtATimeKeepTheirOrder) {
  begin(race_at(300));
  services_.simulator.cases_at_once = 4;
  EXPECT_THAT(names(run_small()), ElementsAre("h200 one", "h200 ragged"));
}

TEST_F(CaseStage, InputsOfMeasuredCasesFollowFromTheSalt) {
  begin(right);
  EXPECT_THAT(names(run_measured(1)), ElementsAre("h200 large", "k40 large"));
  run_measured(2);
  run_measured(1);
  ASSERT_EQ(3U, h200_->before.size());
  const auto inputs = [&](std::size_t run) { return floats(h200_->before[run][1]); };
  EXPECT_NE(inputs(0), inputs(1));
  EXPECT_EQ(inputs(0), inputs(2));
  EXPECT_EQ(inputs(0), floats(k40_->before[0][1])) << "the same on each device";
}

}  // namespace
}  // namespace warpgrade::grader::grade::case_stage_test
