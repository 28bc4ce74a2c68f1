// SPDX-License-Identifier: Apache-2.0
#include "grader/class/book_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "common/base/error.h"
#include "grader/class/book.h"
#include "grader/class/exceptions.h"
#include "grader/class/rules.h"
#include "grader/course/course.h"
#include "grader/text/files.h"

namespace warpgrade::grader::class_book::book_file_test {

// A lock with one holder at a time.

namespace fs = std::filesystem;

TEST(Lock, IsOnesUntilItGoes) {
  const auto file = fs::path(testing::TempDir()) / "warpgrade.lock";
  {
    const Lock first(file);
    EXPECT_THROW(Lock second(file), base::UsageError);
  }
  EXPECT_NO_THROW(Lock third(file));
  EXPECT_THROW(Lock(fs::path("/nowhere/x.lock")), base::ToolError);
  fs::remove(file);
}

}  // namespace warpgrade::grader::class_book::book_file_test

namespace warpgrade::grader::class_book::book_steps_test {

// Migrates books of every earlier version to this one; their contents must not change.

namespace fs = std::filesystem;

// Rows that a program of version 1 wrote: ada was regraded, bob's work could not be judged, cyd was
// given points, and dan handed in nothing.
constexpr const char* kRowsOfVersion1 = R"(
INSERT INTO setting VALUES ('policy', 'latest');
INSERT INTO student VALUES ('ada', 'Ada', 1), ('bob', '', 1), ('cyd', '', 1), ('dan', '', 1);
INSERT INTO exercise VALUES ('lab', 'copy', 0, 10, 'manifest');
INSERT INTO attempt VALUES
  (1, 'ada', 'lab', 'copy', 'b1', 's1', '2026-11-01T00:00:00Z', 0, 'ada/copy.cu', ''),
  (2, 'ada', 'lab', 'copy', 'b2', 's2', '2026-11-02T00:00:00Z', 0.5, 'ada/copy.cu', ''),
  (3, 'bob', 'lab', 'copy', 'b3', 's3', '2026-11-02T00:00:00Z', 0, 'bob/copy.cu', '');
INSERT INTO grade VALUES
  (1, 'k1', 'lab', 'copy', 'b2', 's2', 2, 10, 'fail', 'incorrect', 'sim', 'k40', '', '', '', '', '',
   '2026-11-03T00:00:00Z', 1, 'w', '{}', '', ''),
  (2, 'k2', 'lab', 'copy', 'b2', 's2', 8, 10, 'fail', 'mechanism', 'sim', 'k40', '', '', '', '', '',
   '2026-11-04T00:00:00Z', 1, 'w', '{}', '', '');
INSERT INTO open_attempt VALUES
  ('k3', 'lab', 'copy', 'b3', 'no compiler', 1, '2026-11-03T00:00:00Z');
INSERT INTO adjustment (student, lab, exercise, points, who, why) VALUES
  ('cyd', 'lab', 'copy', 7, 'eve', 'was ill');
)";

constexpr const char* kSaid =
    "SELECT group_concat(student || ' ' || coalesce(points, 'open') || ' ' || verdict || ' ' || "
    "coalesce(open_reason, ''), '; ') FROM (SELECT * FROM standing ORDER BY student)";

constexpr std::size_t kReleased = 4;  // versions in books/

// Makes a book as the program of `version` did: books/ has its migration steps and views.
void make_old_book(Sqlite& old, std::size_t version) {
  for (std::size_t step = 1; step <= version; ++step) {
    const auto file =
        course::find_root() / "tests/grader/class/books" / fmt::format("version_{}.sql", step);
    old.run(text::read_file(file, file.string()));
    if (step == 1) old.run(kRowsOfVersion1);
  }
  old.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", 0x7767626b, version));
}

// The columns of tables, and the SQL of indices, triggers and views. The SQL of altered tables
// differs, so it is left out.
std::string schema_of(Sqlite& book) {
  Statement ask(
      book,
      "SELECT group_concat(part, '\n') FROM (SELECT m.type || ' ' || m.name || ' ' || "
      "CASE WHEN m.type = 'table' THEN (SELECT group_concat(c.name || ' ' || c.type || ' ' "
      "|| c.\"notnull\" || ' ' || coalesce(c.dflt_value, ''), ', ') FROM "
      "pragma_table_info(m.name) AS c) ELSE coalesce(m.sql, '') END AS part FROM "
      "sqlite_schema AS m ORDER BY m.type, m.name)");
  return ask.step() ? ask.text(0) : std::string();
}

TEST(BookSteps, ABookOfEachEarlierVersionGetsTheSchemaOfANewOne) {
  const auto folder = fs::path(testing::TempDir());
  fs::remove(folder / "warpgrade_new_book.db");
  Sqlite fresh(folder / "warpgrade_new_book.db", Sqlite::Open::kWrite);
  migrate_book(fresh);
  const auto wanted = schema_of(fresh);
  EXPECT_NE(std::string::npos, wanted.find("view standing CREATE VIEW"));
  for (std::size_t version = 1; version <= kReleased; ++version) {
    fs::remove(folder / "warpgrade_old_book.db");
    Sqlite old(folder / "warpgrade_old_book.db", Sqlite::Open::kWrite);
    make_old_book(old, version);
    EXPECT_NE(wanted, schema_of(old));
    migrate_book(old);
    EXPECT_EQ(wanted, schema_of(old)) << "from version " << version;
    expect_book(old);
  }
  fs::remove(folder / "warpgrade_new_book.db");
  fs::remove(folder / "warpgrade_old_book.db");
}

TEST(BookSteps, GradesOfEarlierProgramsSayWhichGatesWereWaived) {
  const auto file = fs::path(testing::TempDir()) / "warpgrade_waived_book.db";
  fs::remove(file);
  Sqlite old(file, Sqlite::Open::kWrite);
  make_old_book(old, kReleased);
  old.run(
      "INSERT INTO grade SELECT 3, 'k9', lab, exercise, 'b9', '', 3, 10, 'pass', 'none', 'gpu', "
      "'gpu', '', '', '', '', '', '', 1, 'w', '{\"exercises\": [{\"gates\": [{\"id\": \"a\", "
      "\"waived\": true}, {\"id\": \"b\", \"waived\": false}, {\"id\": \"c\"}]}]}', '', '' FROM "
      "grade WHERE id = 1");
  migrate_book(old);
  Statement ask(old, "SELECT group_concat(key || '=' || waived, ' ') FROM grade");
  ASSERT_TRUE(ask.step());
  EXPECT_EQ("k1= k2= k9=a", ask.text(0));
  EXPECT_THROW(old.run("UPDATE grade SET points = 0"), base::ToolError);
  fs::remove(file);
}

TEST(BookSteps, ABookOfEachEarlierVersionSaysTheSameAfterwards) {
  const auto file = fs::path(testing::TempDir()) / "warpgrade_old_book.db";
  for (std::size_t version = 1; version <= kReleased; ++version) {
    fs::remove(file);
    std::string before;
    {
      Sqlite old(file, Sqlite::Open::kWrite);
      make_old_book(old, version);
      Statement ask(old, kSaid);
      ASSERT_TRUE(ask.step());
      before = ask.text(0);
    }
    EXPECT_EQ("ada 4.0 fail ; bob open error no compiler; cyd 7.0 missing ; dan 0.0 missing ",
              before);
    Book book(file);
    Statement ask(book.database(), kSaid);
    ASSERT_TRUE(ask.step());
    EXPECT_EQ(before, ask.text(0)) << "from version " << version;
    Statement given(book.database(), "SELECT count(*) FROM attempt WHERE given = student");
    ASSERT_TRUE(given.step());
    EXPECT_EQ(3, given.integer(0)) << "from version " << version;
    // Old attempts have no known deadline, so their deductions stay.
    refresh_late_shares(book.database(), "");
    Statement again(book.database(), kSaid);
    ASSERT_TRUE(again.step());
    EXPECT_EQ(before, again.text(0)) << "from version " << version;
    grant(book.database(), {"dan", "lab", "copy", ExceptionKind::kExcuse, 0, 0, "eve", "ill", ""});
    Statement excused(book.database(), "SELECT verdict FROM standing WHERE student = 'dan'");
    ASSERT_TRUE(excused.step());
    EXPECT_EQ("excused", excused.text(0));
    Statement check(book.database(), "PRAGMA integrity_check");
    ASSERT_TRUE(check.step());
    EXPECT_EQ("ok", check.text(0));
  }
  fs::remove(file);
}

}  // namespace warpgrade::grader::class_book::book_steps_test
