// SPDX-License-Identifier: Apache-2.0
// Single small cases on a fake card: how each ends.
#include "grader/grade/execute/gpu_case.h"

#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/grader/grade/stage_fixture.h"

namespace warpgrade::grader::grade::gpu_case_test {
namespace {

class GpuCase : public StageOnCard {
 protected:
  CaseOutcome check(const std::string& case_name) {
    return check_on_gpu(*plan_, place("k40", case_name));
  }
};

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
  begin_on_card([](auto&, auto&) { throw base::UsageError("too many threads"); });
  EXPECT_TRUE(ends_as<NotLaunchable>(check("one")));
}

}  // namespace
}  // namespace warpgrade::grader::grade::gpu_case_test
