// SPDX-License-Identifier: Apache-2.0
// Pictures of accesses without a run; the cells are calculated by hand.
#include "grader/study/access_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/device/profile.h"
#include "grader/study/access_record.h"

namespace warpgrade::grader::study::access_figure_test {

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

}  // namespace warpgrade::grader::study::access_figure_test
