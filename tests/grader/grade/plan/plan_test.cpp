// SPDX-License-Identifier: Apache-2.0
// The places of a grade, and the sizes that the submission decides.
#include "grader/grade/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::plan_test {

using testing::ElementsAre;

class GradePlanTest : public testing::Test {
 protected:
  GradePlanTest() {
    task_.lab = &lab_;
    task_.exercise = &whole_;
    hand_in("");
  }

  void hand_in(const std::string& text) {
    compile::CompileRequest source;
    source.source = text;
    task_.submission.content = source;
  }
  Plan plan() const { return {services_, task_, {simulated("h200"), on_gpu("h200")}}; }

  static std::vector<std::string> names(const Plan& plan) {
    std::vector<std::string> out;
    for (const auto& place : plan.places) {
      out.push_back((place.target->is_gpu() ? "gpu " : "sim ") + place.item->name);
    }
    return out;
  }

  course::Exercise whole_{
      "twice", {}, {}, exercise_with({gate_of("sectors", kStores, "", "8", {"large"})})};
  course::KernelExercise& exercise_ = *whole_.kernel();
  course::Lab lab_;
  GradingServices services_;
  GradingTask task_;
};

TEST_F(GradePlanTest, EveryCaseHasAPlaceOnEveryTarget) {
  const auto plan = this->plan();
  EXPECT_THAT(names(plan), ElementsAre("sim small", "sim large", "gpu small", "gpu large"));
  EXPECT_EQ(&plan.targets[1], plan.places[2].target);
  EXPECT_EQ(1U, plan.gates.size());
  EXPECT_EQ(nullptr, plan.places[0].program);
}

TEST_F(GradePlanTest, ASampledCaseIsForTheSimulatorAlone) {
  exercise_.cases[0].sampled = true;
  EXPECT_THAT(names(plan()), ElementsAre("sim small", "sim large", "gpu large"));
}

TEST_F(GradePlanTest, ItsPlacesSurviveAMove) {
  auto first = plan();
  const auto second = std::move(first);
  EXPECT_EQ(&second.targets[0], second.places[0].target);
  EXPECT_EQ(&second.targets[0], second.gates[0].target);
}

TEST_F(GradePlanTest, TheSizeWhoseSpeedIsGradedFollowsFromTheText) {
  exercise_.cases[1].timed_variables = {{"n", {"1000 + draw", {}}}};
  std::set<double> sizes;
  for (const auto* text : {"", "a", "b", "c"}) {
    hand_in(text);
    const auto size = plan().places[1].timed->variables.at("n");
    EXPECT_EQ(size, plan().places[3].timed->variables.at("n"));
    EXPECT_LE(1000, size);
    EXPECT_GE(1255, size);
    sizes.insert(size);
  }
  EXPECT_LT(1U, sizes.size());
}

TEST_F(GradePlanTest, ContentsOfMeasuredCasesFollowFromTheTextToo) {
  const auto variant = [&](const std::string& text) {
    hand_in(text);
    return plan().variant_of(exercise_.cases[1]);
  };
  EXPECT_NE(variant("a"), variant("b"));
  EXPECT_EQ(variant("a"), variant("a"));
  EXPECT_EQ(0U, plan().variant_of(exercise_.cases[0])) << "a small case is the same for everybody";
}

TEST_F(GradePlanTest, AFileThatCannotBeReadHasAPlanToo) {
  task_.submission.content = cases::Unreadable{"no such file"};
  EXPECT_EQ(4U, plan().places.size());
}

}  // namespace warpgrade::grader::grade::plan_test
