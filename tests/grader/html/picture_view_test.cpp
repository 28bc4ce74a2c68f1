// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/html/render_html.h"
#include "tests/grader/report/picture_reports.h"
#include "tests/grader/report/reports.h"

namespace warpgrade::grader::html::picture_view_test {

using testing::HasSubstr;
using testing::Not;

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

// The ridge is at 67 / 4.2 = 16 FLOP per byte, the kernel at 63.8. The axes reach from 1 to 1000
// FLOP per byte (116 to 500 in the picture) and from 1 to 1000 TFLOP/s (250 to 20).
TEST(RooflineView, ThePointOfTheKernelIsBelowTheRoof) {
  EXPECT_EQ("", roofline_view(report::slow_copy().exercises[0]));
  const auto page = roofline_view(report::with_roofline().exercises[0]);
  EXPECT_THAT(page, HasSubstr("<h3>Roofline</h3>"));
  EXPECT_THAT(page, HasSubstr("L270.0 110.0H500"));
  EXPECT_THAT(page, HasSubstr("cx=\"347.0\" cy=\"186.7\""));
}

// The roofline of a profile. Axes: 0.1 to 100 operations per byte over x = 116 to 500, and 100 to
// 100,000 operations per second over y = 250 to 20.
report::ProfileRoofline profile_roofline() {
  report::ProfileRoofline out;
  out.seconds = 1;
  out.dram = {500, 1000};
  out.l2 = {2000, 10'000};
  out.operations = {{"f32", 1000, 8000}, {"integer", 5, std::nullopt}};
  return out;
}

// 2 operations per byte of DRAM, 0.5 per byte of L2, 1,000 per second.
TEST(ProfileRooflineView, ALaunchIsADotByDramAndARingByL2) {
  const auto view = roofline_view(profile_roofline());
  EXPECT_THAT(view, HasSubstr(R"(<circle class="dot" cx="282.5" cy="173.3" r="5"/>)"));
  EXPECT_THAT(view, HasSubstr(R"(<circle class="ring" cx="205.5" cy="173.3" r="5"/>)"));
  // DRAM's slope ends at 8 operations per byte and 8,000 per second.
  EXPECT_THAT(view, HasSubstr(R"(d="M116.0 250.0L359.6 104.1")"));
  EXPECT_THAT(view, HasSubstr("f32: 1 kFLOP/s, 0.50 of the roof 2 kFLOP/s by dram"));
  EXPECT_THAT(view, HasSubstr(R"(<th scope="row">integer</th>)"));
}

TEST(ProfileRooflineView, OnlyIntegersHaveNoPicture) {
  auto roofline = profile_roofline();
  roofline.operations.erase(roofline.operations.begin());
  EXPECT_THAT(roofline_view(roofline), Not(HasSubstr("<svg")));
  EXPECT_EQ("", roofline_view(roofline, roofline));
}

TEST(ProfileRooflineView, TwoLaunchesOnOneCardShareItsRoofs) {
  auto other = profile_roofline();
  other.seconds = 0.5;  // 2,000 per second: log10 is 0.301 more, 23.1 higher.
  const auto view = roofline_view(profile_roofline(), other);
  EXPECT_THAT(view, HasSubstr(R"(cx="282.5" cy="173.3")"));
  EXPECT_THAT(view, HasSubstr(R"(cx="282.5" cy="150.3")"));
  EXPECT_THAT(view, HasSubstr("A: f32"));
  EXPECT_THAT(view, HasSubstr("B: f32"));
  EXPECT_EQ(view.find(">DRAM 1"), view.rfind(">DRAM 1"));
}

// Two pieces of 8 clocks, of a launch of 100: a warp that issues at line 7 and then is gone.
timing::WarpTimeline short_timeline() {
  timing::WarpTimeline out;
  out.piece_clocks = 8;
  out.pieces = 2;
  out.launch_clocks = 100;
  out.places = {{"k.cu", 7, 0}, {"other.cuh", 9, 0}};
  out.rows = {
      {{{0, 3, 1}}, {{1, timing::WarpState::kSelected, 0}, {1, timing::WarpState::kCount, 0}}},
      {{{8, 4, 0}}, {{2, timing::WarpState::kBarrier, 1}}}};
  return out;
}

TEST(TimelineView, RowsAreRunsOfPiecesWithStateAndLine) {
  Words words;
  const auto view = timeline_view(short_timeline(), "k.cu", words);
  EXPECT_THAT(view,
              HasSubstr("The first 16 clocks of 100 clocks on one SM, in pieces of 8 clocks."));
  EXPECT_THAT(view, HasSubstr("Most of the time, 67 %, warps are waiting at barriers."));
  EXPECT_EQ(1U, words.count("waiting at barriers"));
  const auto begin = view.find("<script type=\"application/json\">") + 32;
  const auto data = nlohmann::json::parse(view.substr(begin, view.find("</script>") - begin));
  const auto& timeline = data.at("timeline");
  EXPECT_EQ(R"([1, 0, 7, 1, -1, 0])"_json, timeline.at("rows").at(0).at("runs"));
  EXPECT_EQ(R"([[0, 3, 1]])"_json, timeline.at("rows").at(0).at("starts"));
  EXPECT_EQ(R"([2, 8, 0])"_json, timeline.at("rows").at(1).at("runs"));  // in another file
}

TEST(TimelineView, HasAtMostAFewRows) {
  auto timeline = short_timeline();
  timeline.launch_clocks = 16;
  timeline.rows.resize(80, timeline.rows.front());
  Words words;
  const auto view = timeline_view(timeline, "k.cu", words);
  EXPECT_THAT(view, HasSubstr("The whole launch, 16 clocks, on one SM, 64 of 80 warps"));
  timeline.rows.clear();
  EXPECT_EQ("", timeline_view(timeline, "k.cu", words));
}

}  // namespace warpgrade::grader::html::picture_view_test
