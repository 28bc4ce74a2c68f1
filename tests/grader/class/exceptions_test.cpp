// SPDX-License-Identifier: Apache-2.0
// Decisions for single students: the newest counts, the most specific applies, none is lost.
#include "grader/class/exceptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/class/book.h"
#include "grader/class/status.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::exceptions_test {

using testing::HasSubstr;
using testing::Not;

class Exceptions : public testing::Test {
 protected:
  Exceptions() {
    book_.run(
        "INSERT INTO student (student, name, in_roster) VALUES ('ada', '', 1), ('bob', '', 0);"
        "INSERT INTO exercise (lab, exercise, place, max_points, manifest) VALUES ('lab', 'copy', "
        "0, 10, 'm'), ('lab', 'other', 1, 4, 'm'), ('late', 'copy', 2, 4, 'm');");
  }
  static StudentException decision(ExceptionKind kind, const std::string& lab = "",
                                   const std::string& exercise = "") {
    StudentException out;
    out.student = "ada";
    out.lab = lab;
    out.exercise = exercise;
    out.kind = kind;
    out.until = kind == ExceptionKind::kExtension ? kFirst : 0;
    out.points = kind == ExceptionKind::kBonus ? 2 : 0;
    out.who = "eve";
    out.why = "was ill";
    return out;
  }
  std::string said(const std::string& what) {
    Statement ask(
        book_, "SELECT group_concat(x, ' ') FROM (SELECT lab || '/' || exercise || '=' || " + what +
                   " AS x FROM standing WHERE student = 'ada' ORDER BY place)");
    return ask.step() ? ask.text(0) : "";
  }
  std::int64_t rows() {
    Statement ask(book_, "SELECT count(*) FROM exception");
    return ask.step() ? ask.integer(0) : -1;
  }

  const std::vector<std::string> kFile = {"/in/class.toml"};
  static constexpr std::int64_t kFirst = 1795215540;  // 2026-11-20T22:59:00Z
  compile::TemporaryFolder folder_;
  Book file_{folder_.path() / "book.db"};
  Sqlite& book_ = file_.database();
};

TEST_F(Exceptions, TheMostSpecificOneHoldsAndTheNewestCounts) {
  grant(book_, decision(ExceptionKind::kExtension));
  auto one = decision(ExceptionKind::kExtension, "lab", "copy");
  one.until = kFirst - 60;
  grant(book_, one);
  const auto* const both =
      "lab/copy=2026-11-20T22:58:00Z lab/other=2026-11-20T22:59:00Z late/copy=2026-11-20T22:59:00Z";
  EXPECT_EQ(both, said("extended_until"));
  one.until = kFirst + 60;
  grant(book_, one);
  EXPECT_THAT(said("extended_until"), HasSubstr("lab/copy=2026-11-20T23:00:00Z"));
  EXPECT_TRUE(take_back(book_, one));
  EXPECT_FALSE(take_back(book_, one));
  EXPECT_THAT(said("extended_until"), HasSubstr("lab/copy=2026-11-20T22:59:00Z"));
  EXPECT_EQ(4, rows());
}

TEST_F(Exceptions, AnExcuseOfALabIsForItsExercisesAlone) {
  grant(book_, decision(ExceptionKind::kExcuse, "lab"));
  EXPECT_EQ("lab/copy=excused lab/other=excused late/copy=missing", said("verdict"));
  EXPECT_EQ("lab/copy=blank lab/other=blank late/copy=0.0", said("coalesce(points, 'blank')"));
  EXPECT_EQ("lab/copy=1 lab/other=1 late/copy=1", said("(open_reason IS NULL)"));
}

TEST_F(Exceptions, ABonusIsAddedToWhatCountsAndNotToWhatIsExcused) {
  grant(book_, decision(ExceptionKind::kBonus, "lab", "copy"));
  grant(book_, decision(ExceptionKind::kBonus, "lab", "other"));
  grant(book_, decision(ExceptionKind::kExcuse, "lab", "other"));
  EXPECT_EQ("lab/copy=2.0 lab/other=blank late/copy=0.0", said("coalesce(points, 'blank')"));
}

TEST_F(Exceptions, NothingIsChangedOrDeletedAndWhoAndWhyAreSet) {
  grant(book_, decision(ExceptionKind::kExcuse));
  EXPECT_THROW(book_.run("UPDATE exception SET who = 'x'"), base::ToolError);
  EXPECT_THROW(book_.run("DELETE FROM exception"), base::ToolError);
  auto one = decision(ExceptionKind::kExcuse);
  one.why = "";
  EXPECT_THROW(grant(book_, one), base::ToolError);
}

TEST_F(Exceptions, ARunAddsOnlyWhatChangedInTheFile) {
  std::vector<StudentException> file = {decision(ExceptionKind::kExcuse),
                                        decision(ExceptionKind::kBonus, "lab", "copy")};
  take_in_exceptions(book_, file, kFile);
  take_in_exceptions(book_, file, kFile);
  EXPECT_EQ(2, rows());
  file[1].points = 3;
  file.erase(file.begin());
  take_in_exceptions(book_, file, kFile);
  EXPECT_EQ("lab/copy=3.0 lab/other=0.0 late/copy=0.0", said("coalesce(points, 'blank')"));
  EXPECT_EQ(4, rows());
}

TEST_F(Exceptions, ACommandIsStrongerThanTheFileThatWasThereBefore) {
  const auto one = decision(ExceptionKind::kExcuse, "lab");
  take_in_exceptions(book_, {one}, kFile);
  ASSERT_TRUE(take_back(book_, one));
  take_in_exceptions(book_, {one}, kFile);
  EXPECT_THAT(said("verdict"), Not(HasSubstr("excused")));
  grant(book_, one);
  take_in_exceptions(book_, {}, kFile);
  EXPECT_THAT(said("verdict"), HasSubstr("lab/copy=excused"));
}

TEST_F(Exceptions, AnotherExportsFileLeavesThoseOfTheFirst) {
  const auto one = decision(ExceptionKind::kExcuse, "lab");
  take_in_exceptions(book_, {one}, kFile);
  take_in_exceptions(book_, {}, {"/other/class.toml"});
  EXPECT_THAT(said("verdict"), HasSubstr("lab/copy=excused"));
  // Neither possible place of class.toml grants the excuse any more, so it ends.
  take_in_exceptions(book_, {}, {"/class.toml", "/in/class.toml"});
  EXPECT_THAT(said("verdict"), Not(HasSubstr("excused")));
}

TEST_F(Exceptions, AStudentWhoIsForgottenKeepsThem) {
  const auto one = decision(ExceptionKind::kExcuse, "lab");
  take_in_exceptions(book_, {one}, kFile);
  file_.forget("ada");
  take_in_exceptions(book_, {one}, kFile);
  EXPECT_EQ(1, rows());
}

TEST_F(Exceptions, StudentsWhomNobodyKnowsAreFound) {
  auto one = decision(ExceptionKind::kExcuse);
  one.student = "zoe";
  EXPECT_EQ(1U, of_unknown_students(book_, {one, decision(ExceptionKind::kExcuse)}, {}).size());
  EXPECT_TRUE(of_unknown_students(book_, {one}, {"zoe"}).empty());
  take_in_exceptions(book_, {one}, kFile);
  EXPECT_EQ(0, rows());
}

TEST_F(Exceptions, StatusListsThem) {
  auto one = decision(ExceptionKind::kExtension, "lab", "copy");
  one.why = "ill\n\x1b[1m";
  grant(book_, one);
  EXPECT_THAT(status_text(book_, "book.db", text::Style(false)),
              HasSubstr("extensions, excuses and bonuses (1):\n  ada lab/copy: until 2026-11-20 "
                        "22:59 UTC by eve: ill\\x0a\\x1b[1m\n"));
}

}  // namespace warpgrade::grader::class_book::exceptions_test
