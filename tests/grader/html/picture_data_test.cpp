// SPDX-License-Identifier: Apache-2.0
// The numbers of a picture as JSON, and back.
#include "grader/html/picture_data.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/grader/report/picture_reports.h"

namespace warpgrade::grader::html::picture_data_test {

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

}  // namespace warpgrade::grader::html::picture_data_test
