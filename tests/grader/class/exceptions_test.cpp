// SPDX-License-Identifier: Apache-2.0
#include "grader/class/exceptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/error.h"
#include "grader/class/book.h"
#include "grader/class/rules.h"
#include "grader/class/status.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::exceptions_test {

// Decisions for single students: the newest counts, the most specific applies, none is lost.

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
  EXPECT_THAT(status_text(book_, "book.db", {}, text::Style(false)),
              HasSubstr("extensions, excuses and bonuses (1):\n  ada lab/copy: until 2026-11-20 "
                        "22:59 UTC by eve: ill\\x0a\\x1b[1m\n"));
}

// Reads extensions, excuses and bonuses from class.toml or a spreadsheet.

class ExceptionsFile : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name) << text;
  }
  std::vector<StudentException> read() { return read_rules(folder_.path()).exceptions; }
  std::string mistake() {
    try {
      auto all = read();
      resolve_exercises(all, course_);
      resolve_students(all, {});
    } catch (const base::UsageError& error) {
      return error.what();
    }
    return "";
  }
  // A course of one exercise, lab/copy.
  ExceptionsFile() {
    std::filesystem::create_directories(folder_.path() / "labs/lab");
    write("labs/lab/grader.toml", "");
    course_.root = folder_.path();
    course_.labs.resize(1);
    course_.labs[0].id = "lab";
    course_.labs[0].exercises.resize(1);
    course_.labs[0].exercises[0].id = "copy";
  }
  compile::TemporaryFolder folder_;
  course::Course course_;
};

TEST_F(ExceptionsFile, ARowOfASpreadsheetMayHoldSeveralDecisions) {
  write("class.toml", "timezone = \"Europe/Berlin\"\nextensions = \"granted.csv\"\n");
  write("granted.csv",
        "\xEF\xBB\xBFStudent;Until;Bonus;By;Why;Exercise;Excused\r\n"
        "ada;20.11.2026;;eve;ill;;\r\n");
  EXPECT_THAT(mistake(), HasSubstr("granted.csv:2: `20.11.2026` is not a time"));
  write("granted.csv",
        "\xEF\xBB\xBFStudent;Until;Bonus;By;Why;Exercise;Excused\r\n"
        "ada;2026-11-20;1,5;eve;\"ill; twice\";lab/copy;\r\n;;;;;;\r\nbob;;;eve;moved;;X\r\n");
  auto all = read();
  ASSERT_EQ(3U, all.size());
  resolve_exercises(all, course_);
  EXPECT_EQ(ExceptionKind::kExtension, all[0].kind);
  EXPECT_EQ(1795215599, all[0].until);  // 2026-11-20T22:59:59Z: the end of the day in Berlin
  EXPECT_EQ("lab", all[0].lab);
  EXPECT_EQ("copy", all[0].exercise);
  EXPECT_EQ("ill; twice", all[0].why);
  EXPECT_EQ(ExceptionKind::kBonus, all[1].kind);
  EXPECT_EQ(1.5, all[1].points);
  EXPECT_EQ(ExceptionKind::kExcuse, all[2].kind);
  EXPECT_EQ("bob", all[2].student);
  EXPECT_EQ("", all[2].lab);
}

TEST_F(ExceptionsFile, TablesTakeTomlsTimes) {
  write("class.toml",
        "[[extensions]]\nstudent = \"ada\"\nexercise = \"lab\"\nuntil = "
        "2026-11-20T23:59:59+01:00\nby = \"eve\"\nwhy = \"ill\"\n");
  auto all = read();
  resolve_exercises(all, course_);
  ASSERT_EQ(1U, all.size());
  EXPECT_EQ(1795215599, all[0].until);
  EXPECT_EQ("lab", all[0].lab);
  EXPECT_EQ("", all[0].exercise);
}

TEST_F(ExceptionsFile, AStudentMayBeNamedByAnotherFieldOfTheRoster) {
  write("class.toml", "roster = \"roster.csv\"\nextensions = \"granted.csv\"\n");
  write("roster.csv",
        "First name,Last name,ID number,Email address\nAda,King,17,ada@x.org\nBob,Roe,18,b@x.org\n"
        "Bob,Roe,19,c@x.org\n");
  write("granted.csv",
        "student,by,why,excused\nada@x.org,eve,ill,yes\n18,eve,ill,yes\nBob Roe,eve,ill,yes\n");
  auto rules = read_rules(folder_.path());
  resolve_students(rules.exceptions, rules.roster);
  ASSERT_EQ(3U, rules.exceptions.size());
  EXPECT_EQ("Ada King", rules.exceptions[0].student);
  EXPECT_EQ(rules.roster[1].student, rules.exceptions[1].student);
  // Two students have this name, so it stays as written.
  EXPECT_EQ("Bob Roe", rules.exceptions[2].student);
}

TEST_F(ExceptionsFile, MistakesHaveTheirLine) {
  write("class.toml", "extensions = \"granted.csv\"\n");
  const std::pair<const char*, const char*> all[] = {
      {"student,by,why,excused\nada,eve,,yes\n", "granted.csv:2: `why` is missing"},
      {"student,by,why,excused\n,eve,ill,yes\n", "granted.csv:2: the student is missing"},
      {"student,by,why,excused\nada,eve,ill,\n", "granted.csv:2: one of"},
      {"student,by,why,excused\nada,eve,ill,perhaps\n", "granted.csv:2: `excused` is yes or no"},
      {"student,by,why,bonus\nada,eve,ill,much\n", "granted.csv:2: `bonus` is not a number"},
      {"student,by,why,bonus\nada,eve,ill,-1\n", "granted.csv:2: a bonus is more than 0"},
      {"student,by,why,bonus\nada,eve,ill,nan\n", "granted.csv:2: a bonus is more than 0"},
      {"student,by,why,bonus,exercise\nada,eve,ill,1,lab\n", "granted.csv:2: a bonus is for one"},
      {"student,by,why,deadline\nada,eve,ill,1\n", "granted.csv:1: no column is called `deadline`"},
      {"student,by,until\nada,eve,1\n", "granted.csv:1: the column `why` is missing"},
      {"student,by,why,excused\nada,eve,ill,1\nada,eve,ill,1\n", "granted.csv:3: ada has another"},
  };
  for (const auto& [text, part] : all) {
    write("granted.csv", text);
    EXPECT_THAT(mistake(), HasSubstr(part)) << text;
  }
}

}  // namespace warpgrade::grader::class_book::exceptions_test
