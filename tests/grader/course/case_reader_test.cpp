// SPDX-License-Identifier: Apache-2.0
// Sets of cases, an exercise's own cases, and cases from a list of values.
#include "grader/course/case_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"

namespace warpgrade::grader::course::case_reader_test {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<Case> cases(const std::string& toml) {
  const auto root = base::parse_toml(toml, "lab.toml");
  text::Table lab(root, "lab.toml", "lab");
  const auto sets = read_case_sets(lab);
  auto exercise = lab.table("exercise");
  std::vector<Case> out;
  for (const auto& given : read_cases(exercise, sets)) {
    out.insert(out.end(), given.cases.begin(), given.cases.end());
  }
  return out;
}

std::string error_of(const std::string& toml) {
  try {
    cases(toml);
  } catch (const base::UsageError& error) {
    return error.what();
  }
  return "accepted";
}

std::vector<std::string> names(const std::vector<Case>& all) {
  std::vector<std::string> out;
  for (const auto& one : all) out.push_back(one.name);
  return out;
}

const std::string kSets =
    "[cases.squares]\nsmall = { n = 8 }\nlarge = { n = 64, measured = true }\n";

TEST(CaseReader, SetsAndOwnCasesKeepTheirOrder) {
  const auto out = cases(kSets + "[exercise]\ncases = [{ name = \"one\", n = 1 }, \"squares\"]\n");
  EXPECT_THAT(names(out), ElementsAre("one", "small", "large"));
  EXPECT_TRUE(out.at(2).measured);
  EXPECT_EQ((text::Variables{{"n", 8}}), out.at(1).variables);
}

TEST(CaseReader, AListMakesACaseOfEachValue) {
  const auto out =
      cases("[exercise]\ncases = [{ name = \"by\", factor = [1, 4], n = \"512 * factor + 1\" }]\n");
  EXPECT_THAT(names(out), ElementsAre("by_1", "by_4"));
  EXPECT_EQ((text::Variables{{"factor", 4}, {"n", 2049}}), out.at(1).variables);
}

TEST(CaseReader, AListInTimedMakesACaseOfEachTimedSize) {
  const auto out = cases(
      "[exercise]\ncases = [{ name = \"at\", n = 8, m = 8, measured = true, "
      "timed = { n = [1024, 1151], m = \"n\" } }]\n");
  EXPECT_THAT(names(out), ElementsAre("at_1024", "at_1151"));
  EXPECT_EQ((text::Variables{{"n", 8}, {"m", 8}}), out.at(1).variables);
  EXPECT_EQ((text::Variables{{"n", 1151}, {"m", 1151}}), out.at(1).speed_variables(0));
}

TEST(CaseReader, OneListMakesCases) {
  EXPECT_THAT(error_of("[exercise]\ncases = [{ name = \"at\", n = 8, m = 8, measured = true, "
                       "timed = { n = [1, 2], m = [3, 4] } }]\n"),
              HasSubstr("several values already"));
  EXPECT_THAT(error_of("[exercise]\ncases = [{ name = \"at\", n = [8, 9], measured = true, "
                       "timed = { n = [1, 2] } }]\n"),
              HasSubstr("`n` has several values already"));
  EXPECT_THAT(error_of("[exercise]\ncases = [{ name = \"at\", n = 8, measured = true, "
                       "timed = { n = [] } }]\n"),
              HasSubstr("must not be empty"));
}

TEST(CaseReader, ATimedSizeKeepsTheOtherVariables) {
  const auto out = cases(
      "[exercise]\ncases = [{ name = \"large\", n = 64, factor = 2, measured = true, timed = { n = "
      "\"1024 + draw\" } }]\n");
  EXPECT_EQ((text::Variables{{"factor", 2}, {"n", 1031}}), out.at(0).speed_variables(7));
}

TEST(CaseReader, MistakesHaveTheirPlaceAndTheNearestName) {
  EXPECT_EQ(
      "lab.toml:5:9: lab, exercise: `cases`: unknown set `square`, did you mean `squares`?; "
      "the lab has: squares",
      error_of(kSets + "[exercise]\ncases = [\"square\"]\n"));
  EXPECT_THAT(error_of("[exercise]\ncases = [\"square\"]\n"),
              HasSubstr("the lab has none: write [cases.matrices]"));
  EXPECT_THAT(error_of(kSets + "[exercise]\ncases = [\"squares\", { name = \"small\", n = 2 }]\n"),
              HasSubstr("case `small`: is there twice"));
  EXPECT_THAT(error_of(kSets + "[exercise]\ncases = [\"squares\", { name = \"x\", m = 2 }]\n"),
              HasSubstr("the variables must be those of the first case: n"));
  EXPECT_THAT(error_of("[exercise]\ncases = []\n"), HasSubstr("`cases`: must not be empty"));
  EXPECT_THAT(error_of("[exercise]\ncases = [{ name = \"a\", N = 1 }]\n"),
              HasSubstr("a variable is small letters, digits and _"));
  EXPECT_THAT(error_of("[exercise]\ncases = [{ name = \"a\", bytes_in = 1 }]\n"),
              HasSubstr("give the variable another name"));
  EXPECT_THAT(error_of("[exercise]\ncases = [{ name = \"a\", n = [1, 2], m = [1, 2] }]\n"),
              HasSubstr("`n` has several values already"));
  EXPECT_THAT(
      error_of("[exercise]\ncases = [{ name = \"a\", n = 1, measured = true, secret = true }]\n"),
      HasSubstr("a measured case cannot be secret"));
  EXPECT_THAT(error_of("[exercise]\ncases = [{ name = \"a\", n = 1, measured = true, timed = { m "
                       "= 2 } }]\n"),
              HasSubstr("the case has no variable `m`"));
}

}  // namespace warpgrade::grader::course::case_reader_test
