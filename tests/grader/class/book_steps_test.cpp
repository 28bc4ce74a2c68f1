// SPDX-License-Identifier: Apache-2.0
// Books of every earlier version become books of this one, and say the same.
#include "grader/class/book_steps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "grader/class/book.h"
#include "grader/class/exceptions.h"
#include "grader/class/late_shares.h"

namespace warpgrade::grader {
namespace book_steps_test {

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

TEST(BookSteps, ABookOfEachEarlierVersionSaysTheSameAfterwards) {
  const auto file = fs::path(testing::TempDir()) / "warpgrade_old_book.db";
  for (std::size_t version = 1; version < book_steps().size(); ++version) {
    fs::remove(file);
    std::string before;
    {
      Sqlite old(file, Sqlite::Open::kWrite);
      for (std::size_t step = 0; step < version; ++step) {
        old.run(book_steps()[step]);
        if (step == 0) old.run(kRowsOfVersion1);
      }
      old.run(
          fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", 0x7767626b, version));
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
    // The deadline of old attempts is not known: they keep what they lost.
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

}  // namespace book_steps_test
}  // namespace warpgrade::grader
