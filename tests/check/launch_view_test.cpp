// SPDX-License-Identifier: Apache-2.0
// Facts of a launch: lines, threads, blocks, bytes of variables, elements of buffers.
#include "common/check/launch_view.h"

#include <gtest/gtest.h>

#include "common/base/finding_text.h"
#include "tests/check/events.h"

namespace warpgrade::check::launch_view_test {

class LaunchViewTest : public testing::Test {
 protected:
  void SetUp() override { view.begin_launch(launch.context()); }

  Launch launch{{64, 2, 1}, {4, 2, 1}};
  LaunchView view;
};

TEST_F(LaunchViewTest, ThreadsAndBlocksAreTriples) {
  EXPECT_EQ((base::Dim3{5, 1, 0}), view.thread(2, 5));
  EXPECT_EQ((base::Dim3{33, 0, 0}), view.thread(1, 1));
  EXPECT_EQ((base::Dim3{1, 1, 0}), view.block_index(5, 0));
}

TEST_F(LaunchViewTest, ABufferIsFoundByEveryByteOfItAndNoOther) {
  EXPECT_EQ(0U, view.buffer_at(kIn, 1));
  EXPECT_EQ(1U, view.buffer_at(kOut + 1020, 4));
  EXPECT_EQ(LaunchView::kNoBuffer, view.buffer_at(kOut + 1021, 4));
  EXPECT_EQ(LaunchView::kNoBuffer, view.buffer_at(kIn - 1, 1));
  EXPECT_EQ(LaunchView::kNoBuffer, view.buffer_at(kIn, ~std::uint64_t{0}));
}

TEST_F(LaunchViewTest, AWarpsAccessLiesInOneBufferOnlyWithAStride) {
  std::uint64_t address[run::kWarpSize];
  run::MemoryEvent event;
  event.address = address;
  event.bytes = 4;
  for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) address[lane] = kOut + 124 - 4 * lane;
  EXPECT_EQ(LaunchView::kNoBuffer, view.buffer_of(event));
  event.stride = -4;
  EXPECT_EQ(1U, view.buffer_of(event));
}

TEST_F(LaunchViewTest, PlacesInMemoryAreNamed) {
  EXPECT_EQ("bytes 4 to 7 of tile", text(view.shared_place(4, 4, 0)));
  EXPECT_EQ("byte 0 of partial", text(view.shared_place(1024, 1, 0)));
  EXPECT_EQ("bytes 4096 to 4099 of shared memory", text(view.shared_place(4096, 4, 0)));
  EXPECT_EQ("out[5]", text(view.global_place(kOut + 20, 4)));
  EXPECT_EQ("4 bytes at 0x50000", text(view.global_place(0x50000, 4)));
}

TEST_F(LaunchViewTest, VariablesOfTheModuleAreNamedToo) {
  launch.context().global_variables = {{"_ZN3lab5countE", 0x90000, 4}, {"table", 0xa0000, 64}};
  view.begin_launch(launch.context());
  EXPECT_EQ("bytes 8 to 11 of table", text(view.global_place(0xa0008, 4)));
  EXPECT_NE(std::string::npos, text(view.global_place(0x90000, 4)).find("count"));
  EXPECT_TRUE(view.is_shared_by_threads(0xa0008, 4));
  EXPECT_TRUE(view.is_shared_by_threads(kOut, 4));
  EXPECT_FALSE(view.is_shared_by_threads(kIn, 4));
  EXPECT_FALSE(view.is_shared_by_threads(0xb0000, 4));
}

TEST_F(LaunchViewTest, LinesAreToldAsSeenFromAnotherPlace) {
  EXPECT_EQ("line 12", text(view.line(2, 5)));
  EXPECT_EQ("between line 12 and line 15", text(view.between(2, 5)));
  EXPECT_EQ("between two iterations of line 12", text(view.between(2, 2)));
  EXPECT_EQ("between line 12 and line 15", text(view.between(5, 2)));
  launch.function().locations[3] = {"tile.h", 7, 1};  // of instruction 2
  launch.function().locations[4] = {};                // of instruction 3
  view.begin_launch(launch.context());
  EXPECT_EQ("line 7 of tile.h", text(view.line(2, 5)));
  EXPECT_EQ("PTX line 103", text(view.line(3, 5)));
}

TEST_F(LaunchViewTest, InstructionsOfOneLineShareANumber) {
  launch.function().instructions[7].location = launch.function().instructions[6].location;
  view.begin_launch(launch.context());
  EXPECT_EQ(view.line_number(6), view.line_number(7));
  EXPECT_NE(view.line_number(6), view.line_number(8));
}

TEST_F(LaunchViewTest, MomentsGoOnWithEvents) {
  view.begin_block(3);
  view.count_event();
  view.count_event();
  EXPECT_EQ((Moment{3, 2, 4}), view.moment(4));
  view.skip_to(9);
  EXPECT_EQ((Moment{3, 9, 0}), view.moment());
}

TEST_F(LaunchViewTest, ItMayBeUsedAfterTheLaunch) {
  LaunchView copy;
  {
    const Launch other;
    copy.begin_launch(other.context());
  }
  const auto told = copy.diagnostic(base::DiagnosticKind::kRace, 2, 5, 0, 3, {});
  EXPECT_EQ(12U, told.where.line);
  EXPECT_EQ((base::Dim3{1, 1, 0}), told.block);
  EXPECT_EQ((base::Dim3{3, 0, 0}), told.thread);
}

}  // namespace warpgrade::check::launch_view_test
