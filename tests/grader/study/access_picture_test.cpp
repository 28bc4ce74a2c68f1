// SPDX-License-Identifier: Apache-2.0
#include "grader/study/access_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "common/device/profile.h"

namespace warpgrade::grader::study::access_picture_test {

// The accesses that a picture keeps, and the contents of its cells.

class AccessRecordTest : public testing::Test {
 protected:
  AccessRecordTest() {
    picture.rows = 1;
    picture.columns = 4;
    picture.element_bytes = 4;
    picture.labels = {AccessKey::kThread};
  }
  // Lanes of `warp` access 4 bytes each, beginning at `address`.
  void access(AccessRecorder& recorder, run::Space space, run::Operation operation,
              std::uint64_t address, std::uint32_t warp = 0) {
    std::array<std::uint64_t, run::kWarpSize> all{};
    for (std::uint32_t lane = 0; lane < run::kWarpSize; ++lane) all[lane] = address + 4 * lane;
    run::MemoryEvent event;
    event.warp = warp;
    event.mask = 3;
    event.space = space;
    event.operation = operation;
    event.bytes = 4;
    event.address = all.data();
    recorder.on_memory(event);
  }
  AccessPicture picture;
};

TEST_F(AccessRecordTest, OnlyTheMemoryAndTheOperationOfThePictureAreKept) {
  run::Launch launch;
  const std::vector<run::Buffer> no_buffers;
  run::LaunchContext context;
  context.launch = &launch;
  context.buffers = &no_buffers;
  context.warps_per_block = 2;
  context.shared_bytes = 64;
  AccessRecorder recorder(picture);
  recorder.on_launch(context);
  recorder.on_block_begin(5);
  access(recorder, run::Space::kShared, run::Operation::kLoad, 0, 1);
  access(recorder, run::Space::kShared, run::Operation::kStore, 0);
  access(recorder, run::Space::kGlobal, run::Operation::kLoad, 0);
  access(recorder, run::Space::kShared, run::Operation::kLoad, 8, 1);
  ASSERT_EQ(2U, recorder.accesses().size());
  EXPECT_EQ(5U, recorder.accesses()[0].block);
  EXPECT_EQ(1U, recorder.accesses()[0].warp);
  EXPECT_EQ(0U, recorder.accesses()[0].step);
  EXPECT_EQ(1U, recorder.accesses()[1].step);
}

TEST_F(AccessRecordTest, ACellTellsOfItsFirstAccess) {
  const RecordedAccess first{2, 1, 0, 0x3, 4, {0, 4}};
  const RecordedAccess second{3, 0, 7, 0x3, 4, {4, 8}};
  const auto result = cells_of(picture, device::find("k40"), {first, second});
  ASSERT_EQ(4U, result.cells.size());
  EXPECT_EQ(2U, result.cells[1]->block);
  EXPECT_EQ(33U, result.cells[1]->thread);
  EXPECT_EQ(3U, result.cells[2]->block);
  EXPECT_EQ(1U, result.cells[2]->thread);
  EXPECT_FALSE(result.cells[3].has_value());
}

TEST_F(AccessRecordTest, TheFramedAccessHasItsWavefronts) {
  picture.framed = 0;
  const RecordedAccess conflict{0, 0, 0, 0x3, 4, {0, 8}};
  const auto result = cells_of(picture, device::find("h200"), {conflict});
  EXPECT_TRUE(result.cells[0]->framed);
  EXPECT_FALSE(result.cells[1].has_value());
  EXPECT_EQ(1U, result.framed_wavefronts);
  picture.framed = 1;
  EXPECT_THROW(cells_of(picture, device::find("h200"), {conflict}), base::UsageError);
}

// Pictures of accesses without a run; the cells are calculated by hand.

using testing::HasSubstr;

TEST(AccessPictures, TheTerminalShowsTheSame) {
  AccessPicture picture;
  picture.title = std::string("a");
  picture.rows = 1;
  picture.columns = 3;
  picture.element_bytes = 4;
  picture.labels = {AccessKey::kThread, AccessKey::kStep};
  picture.framed = 0;
  // Lanes 0 and 1 of warp 1 read words 2 and 0; no lane reads word 1.
  RecordedAccess access{0, 1, 0, 0x3, 4, {8, 0}};
  const auto result = cells_of(picture, device::find("k40"), {access});
  EXPECT_THAT(access_text(result),
              HasSubstr("each word's thread.load\n  [33.1]       -  [32.1]\n"));
}

TEST(AccessPictures, TheTitleSaysWhatTheFramedAccessTakes) {
  AccessPicture picture;
  picture.title = std::string("a");
  picture.rows = 1;
  picture.columns = 64;
  picture.element_bytes = 4;
  picture.labels = {AccessKey::kThread};
  const RecordedAccess access{0, 0, 0, 0x3, 4, {0, 128}};
  const auto without = access_title(cells_of(picture, device::find("h200"), {access}));
  EXPECT_THAT(without, HasSubstr("a"));
  picture.framed = 0;
  const auto framed = access_title(cells_of(picture, device::find("h200"), {access}));
  EXPECT_NE(without, framed);
  EXPECT_THAT(framed, HasSubstr("2"));
}

}  // namespace warpgrade::grader::study::access_picture_test
