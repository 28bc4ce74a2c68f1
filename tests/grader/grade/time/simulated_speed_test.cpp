// SPDX-License-Identifier: Apache-2.0
// Speeds of single cases on a fake device, whose launches and copies have known times.
#include "grader/grade/time/simulated_speed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/grade/execute/simulated_case.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::simulated_speed_test {
namespace {

using testing::ElementsAre;

class SimulatedSpeed : public Stage {
 protected:
  CaseOutcome timed(const Place& one) {
    const CaseJob job{.place = one, .work = 1'000'000, .threads = 1};
    return with_speed(*plan_, job, execute_case(*plan_, job).front());
  }
};

TEST_F(SimulatedSpeed, WithoutASpeedGateThereIsNone) {
  begin(right);
  EXPECT_FALSE(number_of(timed(place("h200", "large")).fraction_of_roof));
  EXPECT_TRUE(h200_->copied.empty());
}

// The fakes: a launch needs 1 us, and the copy of the same bytes 0.9 us.
TEST_F(SimulatedSpeed, ASpeedGateComparesItsTimeWithACopy) {
  begin(right);
  const auto& large = place("k40", "large");
  const auto outcome = timed(large);
  EXPECT_EQ(0U, k40_->counted);
  EXPECT_DOUBLE_EQ(0.9, number_of(outcome.fraction_of_roof).value_or(0));
  EXPECT_THAT(k40_->copied, ElementsAre(8192U));  // 1024 floats in and 1024 out
}

TEST_F(SimulatedSpeed, AWrongResultHasNoSpeed) {
  begin(wrong_at(1024));
  const auto& large = place("k40", "large");
  const auto outcome = timed(large);
  ASSERT_TRUE(ends_as<WrongResult>(outcome));
  EXPECT_EQ("out[1023]", std::get<WrongResult>(outcome.ending).difference.element);
  EXPECT_TRUE(k40_->copied.empty());
}

// 2 us of 4 us by bytes, 3 us by operations: the slower baseline is the roof.
TEST(TakeSpeed, TheRoofIsTheSlowerBaseline) {
  CaseOutcome out;
  take_speed({.bytes = 100, .operations = 50}, 2e-6, 3e-6, 4e-6, out);
  EXPECT_DOUBLE_EQ(0.75, number_of(out.fraction_of_roof).value_or(0));
  ASSERT_TRUE(out.roofline);
  EXPECT_EQ(3e-6, out.roofline->peak_seconds);
  CaseOutcome without;
  take_speed({.bytes = 100, .operations = 0}, 2e-6, 0, 4e-6, without);
  EXPECT_DOUBLE_EQ(0.5, number_of(without.fraction_of_roof).value_or(0));
  EXPECT_FALSE(without.roofline);
}

}  // namespace
}  // namespace warpgrade::grader::grade::simulated_speed_test
