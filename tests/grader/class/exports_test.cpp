// SPDX-License-Identifier: Apache-2.0
// Exports of a book for other programs.
#include "grader/class/exports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/class/book.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::exports_test {

using testing::HasSubstr;

class ClassExportTest : public testing::Test {
 protected:
  ClassExportTest() {
    book_.database().run(
        "INSERT INTO student (student, name, in_roster) VALUES ('ada', 'Ada King Lovelace', 1), "
        "('bob', 'Bob', 1);"
        "INSERT INTO exercise (lab, exercise, place, max_points, manifest) VALUES ('lab', 'copy', "
        "0, 10, 'm'), ('lab', 'other', 1, 4, 'm');"
        "INSERT INTO attempt (student, lab, exercise, bundle, sha256, submitted_at, late_share, "
        "source, seen_at) VALUES "
        "('ada', 'lab', 'copy', 'b', 's', '2026-11-20T12:00:00Z', 0.25, 'f', 't'),"
        "('bob', 'lab', 'copy', 'other', 's', '2026-11-20T12:00:00Z', 0, 'f', 't');"
        "INSERT INTO grade (key, lab, exercise, bundle, sha256, points, max_points, verdict, "
        "reason, backend, device, card, grader_version, grader_commit, toolkit, manifest, "
        "graded_at, seconds, worker, report, text, page) VALUES "
        "('k', 'lab', 'copy', 'b', 's', 10, 10, 'pass', 'none', 'sim', 'h200', '', '1', 'c', '13', "
        "'m', '2026-11-21T12:00:00Z', 1, 'w', '', '', '');"
        "UPDATE attempt SET grade_key = coalesce((SELECT max(key) FROM grade AS g WHERE g.bundle = "
        "attempt.bundle), (SELECT max(key) FROM open_attempt AS o WHERE o.bundle = "
        "attempt.bundle), "
        "'');");
  }

  compile::TemporaryFolder folder_;
  Book book_{folder_.path() / "book.db"};
  Sqlite& all_ = book_.database();
};

// A quarter is deducted for lateness; an open grade is not a zero.
TEST_F(ClassExportTest, CanvasGetsARowAStudent) {
  EXPECT_EQ(
      "Student,ID,SIS User ID,SIS Login ID,Section,lab/copy,lab/other\r\n"
      "    Points Possible,,,,,10,4\r\n"
      "\"Lovelace, Ada King\",,,ada,,7.5,0\r\n"
      "Bob,,,bob,,,0\r\n",
      exported(all_, "canvas"));
}

TEST_F(ClassExportTest, MoodleGetsADashWhereNothingIsKnown) {
  const auto out = exported(all_, "moodle");
  EXPECT_THAT(out, HasSubstr("ada,Ada King,Lovelace,,,7.5,0\r\n"));
  EXPECT_THAT(out, HasSubstr("bob,,Bob,,,-,0\r\n"));
}

TEST_F(ClassExportTest, NbgraderGetsTheDeduction) {
  const auto out = exported(all_, "nbgrader");
  EXPECT_THAT(out, HasSubstr("lab-copy,,2026-11-20 12:00:00,ada,Lovelace,Ada King,,10.0,2.5,7.5,"
                             "10.0\r\n"));
  EXPECT_THAT(out, testing::Not(HasSubstr("lab-copy,,2026-11-20 12:00:00,bob")));
}

TEST_F(ClassExportTest, ABonusIsNoPartOfThePenaltyAndADeadlineIsADueDate) {
  all_.run(
      "INSERT INTO exception (student, lab, exercise, kind, points, who, why, origin) VALUES "
      "('ada', 'lab', 'copy', 'bonus', 1.5, 'eve', 'bug', 'command');"
      "UPDATE exercise SET deadline = '2026-11-19T22:59:00Z' WHERE exercise = 'copy'");
  EXPECT_THAT(exported(all_, "nbgrader"),
              HasSubstr("lab-copy,2026-11-19 22:59:00,2026-11-20 12:00:00,ada,Lovelace,Ada King,,"
                        "11.5,2.5,9.0,10.0\r\n"));
}

TEST_F(ClassExportTest, ExcusedWorkHasNoPointsInAnyFormat) {
  all_.run(
      "INSERT INTO exception (student, lab, exercise, kind, who, why, origin) VALUES "
      "('ada', '', '', 'excuse', 'eve', 'ill', 'command')");
  EXPECT_THAT(exported(all_, "canvas"), HasSubstr("\"Lovelace, Ada King\",,,ada,,EX,EX\r\n"));
  EXPECT_THAT(exported(all_, "moodle"), HasSubstr("ada,Ada King,Lovelace,,,-,-\r\n"));
  EXPECT_THAT(exported(all_, "nbgrader"), testing::Not(HasSubstr("ada")));
  EXPECT_THAT(exported(all_, "csv"), HasSubstr("\r\nada,lab,copy,,10,excused,none,"));
}

TEST_F(ClassExportTest, ThePlatformsGradebookComesBackWithPoints) {
  Statement keep(all_,
                 "INSERT INTO setting VALUES ('roster', :roster), ('column lab/copy', 'First')");
  keep.bind_bytes(
          ":roster",
          "Student,ID,SIS User ID,SIS Login ID,Section,First (77)\r\n\"Lovelace, Ada\",1,S1,ada,A,"
          "\r\n\"Doe, Bob\",2,S2,bob,A,\r\n")
      .run();
  const auto* const filled =
      "Student,ID,SIS User ID,SIS Login ID,Section,First (77),lab/other\r\n"
      "\"Lovelace, Ada\",1,S1,ada,A,7.5,0\r\n\"Doe, Bob\",2,S2,bob,A,,0\r\n";
  EXPECT_EQ(filled, exported(all_, "canvas"));
  EXPECT_EQ(filled, exported(all_, "roster"));
  EXPECT_THAT(exported(all_, "moodle"), HasSubstr("ada,Ada,Lovelace,S1,,7.5,0\r\n"));
  EXPECT_EQ(csv_text(all_), exported(all_, "csv"));
}

TEST_F(ClassExportTest, AFormatOfARosterNeedsTheRoster) {
  EXPECT_THROW(exported(all_, "brightspace"), base::UsageError);
}

TEST_F(ClassExportTest, ANameWithACommaIsTurnedRound) {
  all_.run("UPDATE student SET name = 'Doe, Jane' WHERE student = 'bob'");
  EXPECT_THAT(exported(all_, "canvas"), HasSubstr("\"Doe, Jane\",,,bob"));
}

TEST_F(ClassExportTest, CsvIsTheBooksOwn) {
  EXPECT_EQ(csv_text(all_), exported(all_, "csv"));
  EXPECT_THROW(exported(all_, "xlsx"), base::UsageError);
}

namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<FeedbackRow> kRows = {
    {"coalescing/copy", Standing::kPass, 9, 10, "handed in late: 10 % less",
     "coalescing_copy.html"},
    {"coalescing/transpose", Standing::kMissing, std::nullopt, 20, "nothing handed in", ""},
    {"bank_conflicts/padded", Standing::kOpen, std::nullopt, 5, "not graded yet", ""},
    {"bank_conflicts/swizzled", Standing::kMissing, 4, 5, "set by hand: <was> ill\x1b", ""},
    {"coarsening/factor", Standing::kExcused, std::nullopt, 8, "excused: was ill (eve)", ""},
    {"coarsening/reduce_many", Standing::kPass, 12, 10, "2 bonus points: found a bug (eve)", ""},
};

TEST(FeedbackPage, TextHasALineForEachExercise) {
  EXPECT_EQ(
      "ada: 25 of 50 points, 1 exercise open\ncopy: deadline extended\n\n"
      "coalescing/copy: 9 of 10 points (handed in late: 10 % less)\n"
      "coalescing/transpose: nothing handed in\n"
      "bank_conflicts/padded: not graded yet\n"
      "bank_conflicts/swizzled: 4 of 5 points (set by hand: <was> ill\\x1b)\n"
      "coarsening/factor: excused: was ill (eve)\n"
      "coarsening/reduce_many: 12 of 10 points (2 bonus points: found a bug (eve))\n",
      feedback_text({"ada", "", {"copy: deadline extended"}}, kRows));
}

TEST(FeedbackPage, LinksThePagesThatAreThere) {
  const auto page = feedback_page({"ada", "Ada & Co", {"all exercises: deadline extended"}}, kRows);
  EXPECT_THAT(page, HasSubstr("<h1>25 of 50 points, 1 exercise open</h1>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"coalescing_copy.html\">coalescing/<wbr>copy</a>"));
  EXPECT_THAT(page, Not(HasSubstr(">coalescing/<wbr>transpose</a>")));
  EXPECT_THAT(page, HasSubstr("Ada &amp; Co (ada)"));
  EXPECT_THAT(page,
              HasSubstr("<title>Ada &amp; Co (ada): 25 of 50 points, 1 exercise open</title>"));
  EXPECT_THAT(page, HasSubstr("<p>all exercises: deadline extended</p>"));
  EXPECT_THAT(page, HasSubstr("\u2013 of 5"));
  EXPECT_THAT(page, HasSubstr("OPEN"));
  EXPECT_THAT(page, HasSubstr("EXCUSED"));
  EXPECT_THAT(page, Not(HasSubstr("of 8")));
  EXPECT_THAT(page, HasSubstr("set by hand: &lt;was&gt; ill"));
}

TEST(FeedbackPage, ANameForgesNothing) {
  EXPECT_THAT(feedback_page({"<img src=x>", "<img src=y>"}, {}), Not(HasSubstr("<img")));
}

}  // namespace

}  // namespace warpgrade::grader::class_book::exports_test
