// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/plan/place.h"

#include <gtest/gtest.h>

#include "tests/grader/grade/gate_cases.h"

namespace warpgrade::grader::grade::place_test {

TEST(Place, AGpuHasTheLargerSizeWhereTheCaseHasOne) {
  const auto exercise = exercise_with({});
  const auto simulation = simulated("h200");
  const auto gpu = on_gpu("h200");
  EXPECT_EQ(8, place_of(simulation, exercise, exercise.cases[0]).variables().at("n"));
  EXPECT_EQ(8, place_of(gpu, exercise, exercise.cases[0]).variables().at("n"));
  EXPECT_EQ(64, place_of(simulation, exercise, exercise.cases[1]).variables().at("n"));
  EXPECT_EQ(1024, place_of(gpu, exercise, exercise.cases[1]).variables().at("n"));
}

TEST(Place, EachStepLaunchesItsOwnKernelOfTheProgram) {
  auto exercise = exercise_with({});
  exercise.steps.push_back(step_of("thrice"));
  compile::Kernel twice;
  twice.name = "_Z5twicev";
  compile::Kernel thrice;
  thrice.name = "_Z6thricev";
  const auto target = simulated("h200");
  auto place = place_of(target, exercise, exercise.cases[0]);
  place.kernels = {&twice, &thrice};
  const auto launches = launches_of(place, *place.sized).launches;
  ASSERT_EQ(2U, launches.size());
  EXPECT_EQ("_Z5twicev", launches[0].kernel);
  EXPECT_EQ("_Z6thricev", launches[1].kernel);
}

}  // namespace warpgrade::grader::grade::place_test
