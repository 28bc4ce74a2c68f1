// SPDX-License-Identifier: Apache-2.0
// Reads extensions, excuses and bonuses from class.toml or a spreadsheet.
#include "grader/class/exceptions_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/error.h"
#include "grader/class/rules.h"
#include "tests/compile/compiling.h"

namespace warpgrade::grader::class_book::exceptions_file_test {

using testing::HasSubstr;

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
  resolve_students(rules.exceptions, *rules.roster);
  ASSERT_EQ(3U, rules.exceptions.size());
  EXPECT_EQ("Ada King", rules.exceptions[0].student);
  EXPECT_EQ((*rules.roster)[1].student, rules.exceptions[1].student);
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

}  // namespace warpgrade::grader::class_book::exceptions_file_test
