// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/html/render_html.h"
#include "tests/grader/report/picture_reports.h"
#include "tests/grader/report/reports.h"

namespace warpgrade::grader::html::picture_view_test {

// The numbers of a picture as JSON, and back.

nlohmann::json data() {
  return nlohmann::json::parse(picture_data(*report::pictured_copy().exercises[0].pictures));
}

TEST(PictureData, RegularAddressesAreAStartAndAStep) {
  const auto line = data().at("lines").at(0);
  EXPECT_EQ(R"({"s": 0, "d": 128})"_json, line.at("requests").at(0).at("o"));
  EXPECT_EQ(0, line.at("align"));  // 4096 begins a line of 128 bytes.
  EXPECT_FALSE(line.at("shared"));
}

TEST(PictureData, LanesThatTakeNoPartAreNull) {
  const auto offsets = data().at("lines").at(1).at("requests").at(0).at("o");
  ASSERT_EQ(32U, offsets.size());
  EXPECT_EQ(8, offsets.at(0));
  EXPECT_EQ(136, offsets.at(1));
  EXPECT_TRUE(offsets.at(2).is_null());
}

TEST(PictureData, WordsAreLaneBankAndRow) {
  const auto line = data().at("lines").at(1);
  EXPECT_EQ(R"([0, 2, 0, 1, 2, 1])"_json, line.at("requests").at(0).at("c").at(0).at("k"));
  EXPECT_EQ(128, line.at("tile"));
}

TEST(PictureData, AnAddressBeforeItsMemoryIsNegative) {
  auto pictures = *report::pictured_copy().exercises[0].pictures;
  pictures.lines[0].requests[0].traced.address[0] = 4092;
  const auto made = nlohmann::json::parse(picture_data(pictures));
  EXPECT_EQ(-4, made.at("lines").at(0).at("requests").at(0).at("o").at(0));
}

TEST(PictureData, BlocksArePlaces) {
  auto pictures = *report::pictured_copy().exercises[0].pictures;
  report::PartitionMap map;
  map.partitions = 8;
  map.width = 256;
  map.lines.push_back(
      {7, {run::Space::kGlobal, run::Operation::kStore}, "out", 64, 128, 8, 256, {{32, 64, 1}}});
  pictures.partitions = map;
  const auto made = nlohmann::json::parse(picture_data(pictures)).at("map");
  EXPECT_EQ(R"([32, 64])"_json, made.at("lines").at(0).at("places"));
  EXPECT_EQ(256, made.at("lines").at(0).at("first"));
}

// The picture of a roofline, with coordinates calculated by hand.

using testing::HasSubstr;

// The ridge is at 67 / 4.2 = 16 FLOP per byte, the kernel at 63.8. The axes reach from 1 to 1000
// FLOP per byte (70 to 500 in the picture) and from 1 to 1000 TFLOP/s (250 to 20).
TEST(RooflineView, ThePointOfTheKernelIsBelowTheRoof) {
  EXPECT_EQ("", roofline_view(report::slow_copy().exercises[0]));
  const auto page = roofline_view(report::with_roofline().exercises[0]);
  EXPECT_THAT(page, HasSubstr("<h3>Roofline</h3>"));
  EXPECT_THAT(page, HasSubstr("L242.4 110.0H500"));
  EXPECT_THAT(page, HasSubstr("cx=\"328.7\" cy=\"186.7\""));
}

}  // namespace warpgrade::grader::html::picture_view_test
