// SPDX-License-Identifier: Apache-2.0
#include "grader/class/numbers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "grader/class/book.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::numbers_test {
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

}  // namespace
}  // namespace warpgrade::grader::class_book::numbers_test
