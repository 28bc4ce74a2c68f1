// SPDX-License-Identifier: Apache-2.0
// The time of warps by source line, calculated by hand.
#include "common/timing/warp_recorder.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/timing/machine_code.h"
#include "common/timing/schedule.h"
#include "common/timing/trace.h"

namespace warpgrade::timing::warp_recorder_test {

// Lines 4, 5 and 6 of k.cu.
ptx::Module kernel() {
  return ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<9>;\n"
      ".reg .b64 %rd<9>;\n.loc 1 4 0\nld.global.f32 %f1, [%rd1];\n.loc 1 5 0\n"
      "add.rn.f32 %f2, %f3, %f3;\n.loc 1 6 0\nadd.rn.f32 %f4, %f1, %f2;\nret;\n}\n"
      ".file 1 \"k.cu\"\n",
      "k.cu");
}

double clocks(const LineActivity& line, WarpState state) {
  return line.clocks.at(static_cast<std::size_t>(state));
}

class WarpRecorderTest : public testing::Test {
 protected:
  WarpRecorderTest() {
    trace_.lines = std::make_shared<StepLines>(module_.functions.at(0));
    // One slot of line 4; two slots of line 5, with 6 further clocks and a pipe.
    const auto both = trace_.lines->number_of({{0, 1, 1, 0}, {1, 2, 8, 4}});
    const auto one = trace_.lines->number_of({{2, 1, 1, 1}});
    trace_.programs = {
        {{Step::Kind::kCompute, 3, 9, {}, both}, {Step::Kind::kWait, 0, 0, {}, one}}};
  }
  const Step* step(std::size_t i) const { return &trace_.programs[0][i]; }

  ptx::Module module_ = kernel();
  Trace trace_;
};

TEST_F(WarpRecorderTest, AStepOfTwoLinesDividesItsTime) {
  WarpRecorder recorder(trace_);
  recorder.add(0, step(0), WarpState::kSelected, 30);
  recorder.add(0, step(0), WarpState::kNotSelected, 3);
  recorder.add(0, step(0), WarpState::kWait, 12);
  recorder.add(0, step(0), WarpState::kMathPipeThrottle, 5);
  const auto lines = recorder.lines(2);
  ASSERT_EQ(2U, lines.size());
  EXPECT_EQ(4U, lines[0].where.line);
  EXPECT_EQ(5U, lines[1].where.line);
  EXPECT_DOUBLE_EQ(2 * 10, clocks(lines[0], WarpState::kSelected));
  EXPECT_DOUBLE_EQ(2 * 20, clocks(lines[1], WarpState::kSelected));
  EXPECT_DOUBLE_EQ(2 * 1, clocks(lines[0], WarpState::kNotSelected));
  EXPECT_DOUBLE_EQ(0, clocks(lines[0], WarpState::kWait));
  EXPECT_DOUBLE_EQ(2 * 12, clocks(lines[1], WarpState::kWait));
  EXPECT_DOUBLE_EQ(2 * 5, clocks(lines[1], WarpState::kMathPipeThrottle));
}

TEST_F(WarpRecorderTest, AWaitBelongsToItsLine) {
  WarpRecorder recorder(trace_);
  recorder.add(0, step(1), WarpState::kLongScoreboard, 7);
  const auto lines = recorder.lines(1);
  ASSERT_EQ(1U, lines.size());
  EXPECT_EQ(6U, lines[0].where.line);
  EXPECT_DOUBLE_EQ(7, lines[0].total());
}

TEST_F(WarpRecorderTest, LaunchesAddUpByLine) {
  WarpRecorder recorder(trace_);
  recorder.add(0, step(0), WarpState::kSelected, 30);
  auto sum = recorder.lines(1);
  recorder.add(0, step(1), WarpState::kBarrier, 4);
  add_activity(recorder.lines(1), sum);
  ASSERT_EQ(3U, sum.size());
  EXPECT_DOUBLE_EQ(20, sum[0].total());
  EXPECT_DOUBLE_EQ(40, sum[1].total());
  EXPECT_DOUBLE_EQ(4, sum[2].total());
}

TEST(StepLines, ListsAreNumberedOnceAndAddUp) {
  const auto module = kernel();
  StepLines lines(module.functions.at(0));
  const auto a = lines.number_of({{0, 1, 2, 3}});
  EXPECT_EQ(a, lines.number_of({{0, 1, 2, 3}}));
  const auto both = lines.merged(a, lines.number_of({{1, 1, 1, 1}, {0, 4, 4, 4}}));
  EXPECT_EQ((StepParts{{0, 5, 6, 7}, {1, 1, 1, 1}}), lines.parts(both));
  EXPECT_EQ(0U, lines.number_of({}));
}

// The load, then both sums; the second one waits for the load.
TEST(StepLines, StepsAreTheSameWithLines) {
  const auto module = kernel();
  const auto& function = module.functions.at(0);
  const auto ops = machine_code(function, device::find("h200"));
  const std::vector<Executed> stretch = {{0, 1, false}, {1, 0, false}, {2, 0, false}};
  StepLines lines(function);
  const auto plain = schedule(ops, stretch);
  auto followed = schedule(ops, stretch, &lines);
  ASSERT_EQ(plain.size(), followed.size());
  std::vector<std::uint32_t> waits;
  for (const Step& step : followed) {
    ASSERT_FALSE(lines.parts(step.parts).empty());
    if (step.kind != Step::Kind::kWaitHere) continue;
    waits.push_back(lines.places()[lines.parts(step.parts).front().line].line);
  }
  EXPECT_EQ((std::vector<std::uint32_t>{6}), waits);
  for (Step& step : followed) step.parts = 0;
  EXPECT_EQ(plain, followed);
}

}  // namespace warpgrade::timing::warp_recorder_test
