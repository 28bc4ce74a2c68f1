// SPDX-License-Identifier: Apache-2.0
// The devices and backends on which the cases of an exercise run.
#include "grader/grade/plan/target.h"

#include <gtest/gtest.h>

#include "common/measure/card_profile.h"
#include "tests/grader/grade/fakes.h"
#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::target_test {

TEST(Target, TheBackendFollowsFromTheBench) {
  EXPECT_EQ(run::Backend::kSim, simulated("k40").backend());
  EXPECT_EQ(run::Backend::kGpu, on_gpu("h200").backend());
  EXPECT_FALSE(simulated("k40").is_gpu());
  EXPECT_TRUE(on_gpu("h200").is_gpu());
}

class Targets : public testing::Test {
 protected:
  // The targets' names, as in "h200 k40"; a star marks a GPU.
  std::string names(const std::string& only, measure::GpuBench* gpu, bool is_counted = false) {
    auto exercise = exercise_with(
        {gate_of("a", kStores, "", "8", {"large"}), gate_of("b", kStores, "", "8", {"large"})});
    exercise.gates[0].device = "k40";
    std::string out;
    const SimBenches sims = [&](const std::string&) -> measure::SimBench& { return sim_; };
    for (const auto& target : targets_of(exercise, only, sims, gpu, is_counted)) {
      out += (out.empty() ? "" : " ") + target.device + (target.is_gpu() ? "*" : "");
    }
    return out;
  }

  FakeSimBench sim_{"any", "sm_90", {}};
  FakeGpuBench h200_{"h200", "sm_90", {}};
  FakeGpuBench h100_{"h100", "sm_90", {}};
  FakeGpuBench unknown_{measure::kUnknownCard, "sm_86", {}};
};

TEST_F(Targets, AGpuStandsBeforeItsProfileElseFirst) {
  EXPECT_EQ("k40 h200", names("", nullptr));
  EXPECT_EQ("k40 h200* h200", names("", &h200_));
  EXPECT_EQ("gpu* k40 h200", names("", &unknown_));
}

TEST_F(Targets, OneDeviceAloneHasTheGpuOfItsProfile) {
  EXPECT_EQ("h200* h200", names("h200", &h200_));
  EXPECT_EQ("k40", names("k40", &h200_));
  EXPECT_EQ("h200", names("h200", &unknown_));
  EXPECT_EQ("gpu*", names("gpu", &unknown_));
  EXPECT_EQ("h200*", names("gpu", &h200_));
}

TEST_F(Targets, TheProfileOfACountedGpuIsSimulatedIfNoGateNamesIt) {
  EXPECT_EQ("h100* k40 h200", names("", &h100_));
  EXPECT_EQ("k40 h200 h100* h100", names("", &h100_, true));
  EXPECT_EQ("k40 h200* h200", names("", &h200_, true));
  EXPECT_EQ("gpu* k40 h200", names("", &unknown_, true));
  EXPECT_EQ("k40", names("k40", &h100_, true));
  EXPECT_EQ("k40 h200", names("", nullptr, true));
}

}  // namespace warpgrade::grader::grade::target_test
