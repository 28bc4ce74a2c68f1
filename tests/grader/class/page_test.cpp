// SPDX-License-Identifier: Apache-2.0
#include "grader/class/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(ClassHtml, TitleIsTextAndNoScriptMayRun) {
  const auto page = html_page("</title><script>", "<p>x</p>");
  EXPECT_THAT(page, HasSubstr("<title>&lt;/title&gt;&lt;script&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("script-src")));
}

TEST(ClassHtml, AnAddressEscapesWhatIsNotPlain) {
  EXPECT_EQ("out/a%20b/%C3%A9%23%3F%25.html", html_address("out/a b/\xc3\xa9#?%.html"));
  EXPECT_EQ("javascript%3Aalert%281%29", html_address("javascript:alert(1)"));
}

TEST(ClassHtml, WhatHasNoVerdictIsOpen) {
  EXPECT_THAT(badge(Standing::kPass), HasSubstr("PASS"));
  EXPECT_THAT(badge(Standing::kMissing), HasSubstr("MISSING"));
  EXPECT_THAT(badge(Standing::kError), HasSubstr("OPEN"));
}

TEST(ClassHtml, ABarStaysInItsTrack) {
  EXPECT_THAT(bar(0.25), HasSubstr("width=\"25.0\""));
  EXPECT_THAT(bar(7), HasSubstr("class=\"fill\" width=\"100.0\""));
}

using testing::ElementsAre;

constexpr std::int64_t kHour = 3600;

TEST(PointsHistogram, ATenthHasItsUpperEnd) {
  // A tenth of 20 points is 2: 0 | 0 < x <= 2 | 2 < x <= 4 | ... | 18 < x < 20 | 20.
  EXPECT_THAT(points_histogram({0, 0, 0.5, 2, 2.5, 18, 18.5, 19.9, 20}, 20),
              ElementsAre(2, 2, 1, 0, 0, 0, 0, 0, 0, 1, 2, 1));
}

TEST(PointsHistogram, AnExerciseWithoutPointsHasNone) {
  EXPECT_EQ(12U, points_histogram({}, 0).size());
  EXPECT_EQ(1, points_histogram({0}, 0).front());
}

TEST(PointsFigure, SaysInWordsWhatItShows) {
  EXPECT_THAT(points_figure({0, 5, 7, 10, 10, 10}, 10),
              HasSubstr("1 with no points, 3 with all 10 points, 2 between"));
}

TEST(AttemptBins, AreOfHoursWhereAllCameWithinTwoDays) {
  const auto bins =
      attempt_bins({{10 * kHour + 1, false}, {10 * kHour + 2, true}, {12 * kHour, true}}, 0);
  ASSERT_EQ(3U, bins.size());
  EXPECT_EQ(10 * kHour, bins[0].begin);
  EXPECT_EQ(1, bins[0].on_time);
  EXPECT_EQ(1, bins[0].late);
  EXPECT_EQ(0, bins[1].late);
  EXPECT_EQ(1, bins[2].late);
}

TEST(AttemptBins, AreLongerWhereTheyWouldBeMoreThanSixty) {
  EXPECT_EQ(60U, attempt_bins({{0, false}, {59 * kHour, false}}, 0).size());
  // 61 hours need 11 bins of six hours, 0 to 10.
  EXPECT_EQ(11U, attempt_bins({{0, false}, {60 * kHour, false}}, 0).size());
}

TEST(AttemptBins, ATimeThatIsCenturiesOffIsInTheFirst) {
  const std::int64_t now = 500'000 * kHour;
  const auto bins = attempt_bins({{-9'000'000 * kHour, false}, {now, false}}, 0);
  ASSERT_EQ(60U, bins.size());
  EXPECT_EQ(1, bins.front().on_time);
  EXPECT_EQ(1, bins.back().on_time);
}

TEST(AttemptBins, OfDaysBeginAtLocalMidnight) {
  // One hour ahead of UTC, 23:30 UTC on the first day is already the second day.
  const std::int64_t day = 24 * kHour;
  const auto bins =
      attempt_bins({{day / 2, false}, {day - kHour / 2, false}, {21 * day, false}}, kHour);
  ASSERT_EQ(22U, bins.size());
  EXPECT_EQ(-kHour, bins[0].begin);
  EXPECT_EQ(1, bins[0].on_time);
  EXPECT_EQ(1, bins[1].on_time);
}

TEST(AttemptsFigure, TimesAreLocal) {
  const auto zone = TimeZone::called("Europe/Berlin");
  ASSERT_TRUE(zone);
  EXPECT_THAT(attempts_figure({{1795215540, false}}, *zone),
              HasSubstr("1 attempt from 2026-11-20 23:59 CET to 2026-11-20 23:59 CET"));
}

TEST(AttemptsFigure, SaysInWordsWhatItShowsAndIsEmptyWithoutAny) {
  EXPECT_EQ("", attempts_figure({}, TimeZone()));
  EXPECT_THAT(
      attempts_figure({{0, false}, {kHour, true}}, TimeZone()),
      HasSubstr("2 attempts from 1970-01-01 00:00 UTC to 1970-01-01 01:00 UTC, 1 of them late"));
}

std::string nowhere(const std::string& /*student*/) { return {}; }

Numbers numbers() {
  Numbers out;
  auto& copy = out.exercises.emplace_back();
  copy.lab = "coalescing";
  copy.exercise = "copy";
  copy.max_points = 10;
  copy.points = {0, 4, 10};
  copy.passed = 1;
  copy.failed = 2;
  copy.open = 1;
  copy.excused = 3;
  copy.reasons = {{"mechanism", {"ada"}}, {"compile", {"bob"}}};
  copy.gates = {{"loads_coalesced", {"ada"}}};
  copy.findings = {{"compile_error", {"bob"}}};
  out.files = {{"", "odd <name>.cu", "no student"}};
  out.open = {{"bob", "coalescing/copy", "no compiler"}};
  out.remarks = {{"", "granted.csv:2", "no student zoe"}};
  out.exceptions = {
      {"ada", "coalescing", "", ExceptionKind::kExtension, 1795215540, 0, "eve", "ill", ""}};
  out.slowest = {{"ada", "coalescing/copy", 12.34, "compile"}};
  out.students = {{"ada", "Ada L.", 4, 10, {{Standing::kFail, 4}}},
                  {"bob", "", 10, 10, {{Standing::kPass, 10}}}};
  return out;
}

TEST(ClassPage, SaysWhatStopsWhomAndWhatIsOpen) {
  const auto page = class_page(numbers(), {}, nowhere);
  for (const auto* part :
       {"1 mechanism (33 %)</summary><a href=#s0>ada</a>",
        "1 compile (33 %)</summary><a href=#s1>bob</a>", "1 loads_coalesced (33 %)",
        "1 compile_error (33 %)", "<a href=#s1>bob</a> coalescing/copy", "no compiler", "--retry",
        "odd &lt;name&gt;.cu", "12.3 s", "until 2026-11-20 22:59 UTC", "granted.csv:2",
        "1 with no points, 1 with all 10 points, 1 between", "No near-copies."}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_LT(page.find("odd &lt;name&gt;.cu"), page.find("no compiler"));
  EXPECT_LT(page.find("no compiler"), page.find("<h2>Exercises</h2>"));
  // The mean of 0, 4 and 10.
  EXPECT_THAT(page, HasSubstr(">4.7</td>"));
}

TEST(ClassPage, LinksTheFeedbackWhereItIs) {
  const auto page = class_page(numbers(), {}, [](const std::string& student) {
    return student == "ada" ? "out/ada/index.html" : "";
  });
  EXPECT_THAT(page, HasSubstr("<a href=\"out/ada/index.html\">ada</a>"));
  EXPECT_THAT(page, HasSubstr("<tr id=\"s1\"><td class=\"who\">bob</td>"));
}

TEST(ClassPage, NearCopiesNameBothGroups) {
  const auto page = class_page(numbers(),
                               {{"coalescing/copy", {"ada"}, {"bob"}, 0.87, 9, 3, 5},
                                {"coalescing/copy", {"ada", "eve"}, {}, 1, 0, 0, 0}},
                               nowhere);
  EXPECT_THAT(page, HasSubstr("87 %"));
  EXPECT_THAT(page, HasSubstr("line 3 / 5"));
  EXPECT_THAT(page, HasSubstr("<a href=#s0>ada</a>, eve"));
  EXPECT_THAT(page, HasSubstr("same file"));
}

TEST(ClassPage, AttemptsOfUnknownTimeAreCounted) {
  auto of_canvas = numbers();
  of_canvas.attempts.clear();
  of_canvas.exercises.resize(1);
  of_canvas.exercises[0].attempts = 1;
  EXPECT_THAT(class_page(of_canvas, {}, nowhere), HasSubstr("1 exercise, 1 attempt</h1>"));
}

TEST(ClassPage, AnEmptyBookIsAPageToo) {
  EXPECT_THAT(class_page({}, {}, nowhere), HasSubstr("0 students, 0 exercises, 0 attempts"));
}

}  // namespace

}  // namespace warpgrade::grader::class_book::page_test
