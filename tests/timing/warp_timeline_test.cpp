// SPDX-License-Identifier: Apache-2.0
// Pieces of 8 clocks, calculated by hand.
#include "common/timing/warp_timeline.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "common/ptx/module.h"
#include "common/timing/schedule.h"

namespace warpgrade::timing::warp_timeline_test {

using Runs = std::vector<WarpTimeline::Run>;

class WarpTimelineTest : public testing::Test {
 protected:
  WarpTimelineTest() {
    first_ = lines_.number_of({{0, 1, 1, 0}});
    second_ = lines_.number_of({{0, 1, 1, 0}, {1, 2, 2, 0}});
  }
  ptx::Module module_ = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<9>;\n"
      ".loc 1 4 0\nadd.rn.f32 %f2, %f3, %f3;\n.loc 1 6 0\nadd.rn.f32 %f4, %f1, %f2;\nret;\n}\n"
      ".file 1 \"k.cu\"\n",
      "k.cu");
  StepLines lines_{module_.functions.at(0)};
  std::uint32_t first_ = 0;
  std::uint32_t second_ = 0;
};

// 5 clocks issuing and 3 waiting, 16 waiting, 8 issuing at the line with two of three slots.
TEST_F(WarpTimelineTest, APieceHasTheStateOfMostOfItsTime) {
  TimelineRecorder recorder(lines_);
  recorder.begin(0, {0, 7, 2});
  recorder.add(0, WarpState::kSelected, 5, first_);
  recorder.add(0, WarpState::kLongScoreboard, 19, first_);
  recorder.add(0, WarpState::kSelected, 8, second_);
  const auto found = recorder.timeline(100);
  EXPECT_EQ(8, found.piece_clocks);
  EXPECT_EQ(4U, found.pieces);
  EXPECT_EQ(100, found.launch_clocks);
  ASSERT_EQ(1U, found.rows.size());
  EXPECT_EQ((Runs{{1, WarpState::kSelected, 0},
                  {2, WarpState::kLongScoreboard, 0},
                  {1, WarpState::kSelected, 1}}),
            found.rows[0].runs);
  EXPECT_EQ(7U, found.rows[0].starts.at(0).block);
  EXPECT_EQ(2U, found.rows[0].starts.at(0).warp);
}

TEST_F(WarpTimelineTest, APlaceIsEmptyBetweenItsWarps) {
  TimelineRecorder recorder(lines_);
  recorder.begin(1, {0, 0, 0});
  recorder.add(1, WarpState::kBarrier, 8, first_);
  recorder.begin(1, {24, 1, 0});
  recorder.add(1, WarpState::kBarrier, 8, first_);
  const auto found = recorder.timeline(32);
  ASSERT_EQ(2U, found.rows.size());
  EXPECT_EQ((Runs{{4, WarpState::kCount, 0}}), found.rows[0].runs);
  EXPECT_EQ(
      (Runs{{1, WarpState::kBarrier, 0}, {2, WarpState::kCount, 0}, {1, WarpState::kBarrier, 0}}),
      found.rows[1].runs);
}

// 8,192 clocks are 1,024 pieces of 8, or 256 of 32.
TEST_F(WarpTimelineTest, ItEndsAfterItsMostClocksInFewPieces) {
  TimelineRecorder recorder(lines_);
  recorder.begin(0, {0, 0, 0});
  for (int i = 0; i < 1000; ++i) recorder.add(0, WarpState::kLongScoreboard, 1000, first_);
  recorder.begin(0, {9000, 1, 0});
  const auto found = recorder.timeline(1e6);
  EXPECT_EQ(32, found.piece_clocks);
  EXPECT_EQ(256U, found.pieces);
  EXPECT_EQ((Runs{{256, WarpState::kLongScoreboard, 0}}), found.rows.at(0).runs);
  EXPECT_EQ(1U, found.rows[0].starts.size());
}

}  // namespace warpgrade::timing::warp_timeline_test
