// SPDX-License-Identifier: Apache-2.0
#include "grader/class/page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/class/book.h"
#include "grader/class/names.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::page_test {

namespace {

using testing::ElementsAre;

// A grade of content `b` with its verdict, reason, gates and diagnostics.
std::string grade(const char* key, double points, const char* verdict, const char* reason,
                  double seconds, const std::string& report) {
  return fmt::format(
      "INSERT INTO grade (key, lab, exercise, bundle, sha256, points, max_points, verdict, reason, "
      "backend, device, card, grader_version, grader_commit, toolkit, manifest, graded_at, "
      "seconds, "
      "worker, report, text, page) VALUES ('{0}', 'lab', 'copy', '{0}', 's', {1}, 10, '{2}', "
      "'{3}', "
      "'sim', 'h200', '', '1', 'c', '13', 'm', 't', {4}, 'w', '{5}', '', '');",
      key, points, verdict, reason, seconds, report);
}

class ClassNumbersTest : public testing::Test {
 protected:
  ClassNumbersTest() {
    std::string sql =
        "INSERT INTO setting VALUES ('policy', 'latest');"
        "INSERT INTO exercise (lab, exercise, place, max_points, manifest) VALUES ('lab', 'copy', "
        "0, 10, 'm');";
    // Ada passed late; bob and cyd have the same slow file; dan's file does not compile; eve's has
    // no grade; fay handed in nothing.
    for (const auto* who : {"ada", "bob", "cyd", "dan", "eve", "fay"}) {
      sql +=
          fmt::format("INSERT INTO student (student, name, in_roster) VALUES ('{}', '', 1);", who);
    }
    const std::pair<const char*, const char*> has[] = {
        {"ada", "good"}, {"bob", "slow"}, {"cyd", "slow"}, {"dan", "broken"}, {"eve", "open"}};
    for (const auto& [who, bundle] : has) {
      sql += fmt::format(
          "INSERT INTO attempt (student, lab, exercise, bundle, sha256, submitted_at, late_share, "
          "source, seen_at) VALUES ('{}', 'lab', 'copy', '{}', 's', '2026-11-20T12:00:00Z', {}, "
          "'f', "
          "'t');",
          who, bundle, std::string(who) == "ada" ? 0.5 : 0);
    }
    sql += grade(
        "good", 10, "pass", "none", 1,
        R"({"exercises":[{"gates":[{"id":"fast","value":1,"passed":true}],"diagnostics":[]}]})");
    sql += grade(
        "slow", 4, "fail", "performance", 3,
        R"({"exercises":[{"gates":[{"id":"fast","value":0.1,"passed":false},{"id":"tile","value":2,"passed":true}],"diagnostics":[]}]})");
    sql += grade(
        "broken", 0, "fail", "compile", 2,
        R"({"exercises":[{"gates":[{"id":"fast","value":null,"passed":false}],"diagnostics":[{"kind":"compile_error"},{"kind":"compile_error"}]}]})");
    sql += "INSERT INTO open_attempt VALUES ('k', 'lab', 'copy', 'open', 'no compiler', 1, 't');";
    sql +=
        "UPDATE attempt SET grade_key = coalesce((SELECT max(key) FROM grade AS g WHERE g.bundle = "
        "attempt.bundle), (SELECT max(key) FROM open_attempt AS o WHERE o.bundle = "
        "attempt.bundle), "
        "'');";
    book_.database().run(sql);
  }

  compile::TemporaryFolder folder_;
  Book book_{folder_.path() / "book.db"};
};

MATCHER_P2(Stops, name, students, "") {
  return arg.name == name && arg.students == std::vector<std::string>(students);
}

using Names = std::vector<std::string>;

TEST_F(ClassNumbersTest, CountsStudentsAndNotContents) {
  const auto all = read_numbers(book_.database());
  ASSERT_EQ(1U, all.exercises.size());
  const auto& one = all.exercises[0];
  EXPECT_EQ(1, one.passed);
  EXPECT_EQ(3, one.failed);
  EXPECT_EQ(1, one.missing);
  EXPECT_EQ(1, one.open);
  EXPECT_EQ(5, one.attempts);
  EXPECT_THAT(one.points, ElementsAre(0, 4, 4, 10));
  EXPECT_THAT(one.reasons, ElementsAre(Stops("performance", Names{"bob", "cyd"}),
                                       Stops("compile", Names{"dan"})));
}

TEST_F(ClassNumbersTest, AGateThatWasNotReachedStopsNobody) {
  const auto one = read_numbers(book_.database()).exercises.at(0);
  EXPECT_THAT(one.gates, ElementsAre(Stops("fast", Names{"bob", "cyd"})));
  EXPECT_THAT(one.findings, ElementsAre(Stops("compile_error", Names{"dan"})));
}

TEST_F(ClassNumbersTest, ListsWhatIsOpenAndTheSlowest) {
  const auto all = read_numbers(book_.database());
  ASSERT_EQ(1U, all.open.size());
  EXPECT_EQ("eve", all.open[0].student);
  EXPECT_EQ("lab/copy", all.open[0].exercise);
  EXPECT_EQ("no compiler", all.open[0].reason);
  ASSERT_EQ(4U, all.slowest.size());
  EXPECT_EQ("bob", all.slowest[0].student);
  EXPECT_EQ("performance", all.slowest[0].outcome);
}

TEST_F(ClassNumbersTest, AStudentsPointsAreWhatCounts) {
  const auto all = read_numbers(book_.database());
  ASSERT_EQ(6U, all.students.size());
  EXPECT_EQ(5, all.students[0].points);  // 10, half of it deducted for lateness
  EXPECT_EQ(Standing::kOpen, all.students[4].cells.at(0).standing);
  EXPECT_EQ(5U, all.attempts.size());
  EXPECT_TRUE(all.attempts[0].late);
}

TEST_F(ClassNumbersTest, FilesOfUnknownStudentsComeFirstAndOnceOnly) {
  book_.database().run(
      "INSERT INTO run (began_at, engine, workers, backend, sandbox, program) VALUES "
      "('2026-11-20T22:59:00Z', 'local', 1, 'sim', 's', 'p');"
      "INSERT INTO source (id, path, layout, run, timezone) VALUES (1, '/in', 'folders', 1, "
      "'Europe/Berlin');"
      "INSERT INTO received (source, run, student, path, name, state, lab, exercise, reason, "
      "received_at, bytes, sha256) VALUES (1, 1, 'fay', 'fay/x.zip', 'x.zip', 'open', '', '', "
      "'damaged', '', 0, ''), (1, 1, '', 'y.cu', 'y.cu', 'open', '', '', 'no student', '', 0, ''), "
      "(1, 1, 'ada', 'ada/z.pdf', 'z.pdf', 'ignored', '', '', 'no work', '', 0, '');"
      "INSERT INTO problem VALUES (1, 'fay', 'fay/x.zip', 'damaged', 1), (1, '', 'granted.csv:2', "
      "'no student zoe', 0);");
  const auto all = read_numbers(book_.database());
  ASSERT_EQ(2U, all.files.size());
  EXPECT_EQ("y.cu", all.files[0].path);
  EXPECT_EQ("fay", all.files[1].student);
  EXPECT_EQ("damaged", all.files[1].reason);
  ASSERT_EQ(1U, all.remarks.size());
  EXPECT_EQ("granted.csv:2", all.remarks[0].file);
  // The file does not count as an attempt; eve's attempt does.
  EXPECT_EQ(1U, all.open.size());
  EXPECT_THAT(all.last_run, testing::HasSubstr("Last run: 2026-11-20 23:59 CET to (not ended)"));
}

TEST_F(ClassNumbersTest, ExcusedWorkCountsNowhere) {
  grant(book_.database(),
        {"bob", "lab", "copy", ExceptionKind::kExcuse, 0, 0, "eve", "was ill", ""});
  const auto all = read_numbers(book_.database());
  EXPECT_EQ(1, all.exercises[0].excused);
  EXPECT_EQ(2, all.exercises[0].failed);
  EXPECT_THAT(all.exercises[0].points, ElementsAre(0, 4, 10));
  EXPECT_EQ(0, all.students[1].max_points);
  EXPECT_EQ(1U, all.exceptions.size());
}

using testing::HasSubstr;
using testing::Not;

TEST(ClassHtml, TitleIsTextAndNoScriptMayRun) {
  const auto page = html_page("</title><script>", "<p>x</p>");
  EXPECT_THAT(page, HasSubstr("<title>&lt;/title&gt;&lt;script&gt;</title>"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("script-src")));
}

TEST(ClassHtml, AnAddressEscapesWhatIsNotPlain) {
  EXPECT_EQ("out/a%20b/%C3%A9%23%3F%25.html", url_path("out/a b/\xc3\xa9#?%.html"));
  EXPECT_EQ("javascript%3Aalert%281%29", url_path("javascript:alert(1)"));
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
