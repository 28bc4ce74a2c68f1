// SPDX-License-Identifier: Apache-2.0
// Deductions follow from each attempt's deadline, its source's rule, and extensions.
#include "grader/class/late_shares.h"

#include <gtest/gtest.h>

#include "grader/class/book.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::late_shares_test {

class LateShares : public testing::Test {
 protected:
  // One attempt of an older program, without a deadline, and three attempts in two sources, each
  // with a late rule of its own.
  LateShares() {
    book_.run(
        "INSERT INTO student (student, in_roster) VALUES ('ada', 1);"
        "INSERT INTO exercise (lab, exercise, place, max_points, manifest) VALUES ('lab', 'copy', "
        "0, 10, 'm');"
        "INSERT INTO run (began_at, engine, workers, backend, sandbox, program) VALUES ('', '', 0, "
        "'', '', '');"
        "INSERT INTO source (id, path, layout, run, timezone, share_a_day, most_share) VALUES (1, "
        "'/a', '', 1, 'UTC', 0.1, 0.15), (2, '/b', '', 1, 'Europe/Berlin', 0.5, 1);"
        "INSERT INTO attempt (student, lab, exercise, bundle, sha256, submitted_at, late_share, "
        "source, seen_at, found_in, deadline) VALUES"
        "('ada', 'lab', 'copy', 'a', '', '2026-11-12T00:00:00Z', 0.7, '', '', 1, NULL),"
        "('ada', 'lab', 'copy', 'b', '', '2026-11-12T00:00:00Z', 0, '', '', 1, "
        "'2026-11-10T00:00:00Z'),"
        "('ada', 'lab', 'copy', 'c', '', '2026-11-11T00:00:00Z', 0, '', '', 2, "
        "'2026-11-10T00:00:00Z'),"
        "('ada', 'lab', 'copy', 'd', '', '', 0.2, '', '', 2, '2026-11-10T00:00:00Z');");
  }
  std::string shares() {
    refresh_late_shares(book_, "ada");
    Statement ask(book_, "SELECT group_concat(late_share, ' ') FROM attempt ORDER BY id");
    return ask.step() ? ask.text(0) : "";
  }
  compile::TemporaryFolder folder_;
  Book file_{folder_.path() / "book.db"};
  Sqlite& book_ = file_.database();
};

TEST_F(LateShares, AreOfTheAttemptsOwnDeadlineAndRule) {
  EXPECT_EQ("0.7 0.15 0.5 0.0", shares());
  EXPECT_EQ("UTC", zone_of_book(book_).name());
}

TEST_F(LateShares, AnExtensionMovesADeadlineAndNeverShortensIt) {
  StudentException one{"ada", "", "", ExceptionKind::kExtension, 0, 0, "eve", "ill", ""};
  one.until = 1794355200;  // 2026-11-11T00:00:00Z
  grant(book_, one);
  EXPECT_EQ("0.7 0.1 0.0 0.0", shares());
  one.until = 1794182400;  // 2026-11-09T00:00:00Z, before the deadline
  grant(book_, one);
  EXPECT_EQ("0.7 0.15 0.5 0.0", shares());
}

}  // namespace warpgrade::grader::class_book::late_shares_test
