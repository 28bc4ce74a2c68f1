// SPDX-License-Identifier: Apache-2.0
// Assigns work to students: work under another name never becomes a zero, and decisions follow the
// person.
#include "grader/class/identities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "grader/class/exceptions.h"
#include "tests/grader/class/people_book.h"

namespace warpgrade::grader::class_book::identities_test {

// Matches each submission's student to the right row of the roster, and never to another's.

using testing::ElementsAre;

HandedIn of(const std::string& layout, const std::map<std::string, HandedIdentity>& students) {
  HandedIn out;
  out.layout = layout;
  for (const auto& [student, identity] : students) {
    out.students.push_back(student);
    out.identities[student] = identity;
    out.attempts.push_back(
        {student, "lab", "copy", {{"copy.cu", student}}, 1, student + "/copy.cu"});
  }
  return out;
}

// "KEY=FILE" for each attempt, then "STUDENT may be KEY" for each possible match.
std::vector<std::string> matched(HandedIn found, const std::vector<Enrolled>& roster) {
  match_roster(found, roster);
  std::vector<std::string> out;
  for (const auto& one : found.attempts) out.push_back(one.student + "=" + one.files[0].bytes);
  for (const auto& [student, rows] : found.unmatched) {
    for (const auto& row : rows) out.push_back(student + " may be " + row);
  }
  return out;
}

const std::vector<Enrolled> kRoster = {
    {"jdoe", "Jane Doe", "jdoe", "S1", "101", "jane@x.edu", "Jane", "Doe"},
    {"ada", "Ada King", "ada", "S2", "102", "ada@x.edu", "Ada", "King"}};

TEST(RosterMatch, ANumberFindsTheRowIfThePlatformDroppedSigns) {
  const std::vector<Enrolled> roster = {
      {"tom", "Tom O'Neil", "tom", "", "71", "tom@x.edu", "Tom", "O'Neil"},
      {"bo", "Bo Ek", "bo", "", "72", "bo@x.edu", "Bo", "Ek"}};
  EXPECT_THAT(matched(of("moodle", {{"Tom ONeil", {"Tom ONeil", "", "71", ""}}}), roster),
              ElementsAre("tom=Tom ONeil"));
  EXPECT_THAT(matched(of("moodle", {{"Tom ONeil", {"Tom ONeil", "", "72", ""}}}), roster),
              ElementsAre("Tom ONeil=Tom ONeil"));
}

TEST(RosterMatch, EachPlatformsWayOfNamingFindsTheRow) {
  EXPECT_THAT(matched(of("canvas", {{"doejane_101", {"", "", "101", ""}}}), kRoster),
              ElementsAre("jdoe=doejane_101"));
  EXPECT_THAT(matched(of("moodle", {{"Jane Doe", {"Jane Doe", "", "9", ""}}}), kRoster),
              ElementsAre("jdoe=Jane Doe"));
  EXPECT_THAT(matched(of("blackboard", {{"JDoe", {"", "JDoe", "", ""}}}), kRoster),
              ElementsAre("jdoe=JDoe"));
  EXPECT_THAT(matched(of("gradescope", {{"jane", {"J. Doe", "", "S1", "other@x.edu"}}}), kRoster),
              ElementsAre("jdoe=jane"));
  EXPECT_THAT(matched(of("gradescope", {{"x", {"J. Doe", "", "", "Jane@x.edu"}}}), kRoster),
              ElementsAre("jdoe=x"));
  EXPECT_THAT(matched(of("folders", {{"S2", {}}, {"King, Ada", {}}}), {kRoster[1]}),
              ElementsAre("King, Ada=King, Ada", "ada=S2"));
  EXPECT_THAT(matched(of("folders", {{"jane", {}}}), kRoster), ElementsAre("jdoe=jane"));
}

TEST(RosterMatch, AParticipantsNumberIsNoIdNumber) {
  EXPECT_THAT(matched(of("moodle", {{"Jane Doe", {"Jane Doe", "", "S2", ""}}}), kRoster),
              ElementsAre("jdoe=Jane Doe"));
}

TEST(RosterMatch, NamesakesAreToldApartOrLeftOpen) {
  const std::vector<Enrolled> two = {{"jane1", "Jane Doe", "jane1", "", "7", "", "Jane", "Doe"},
                                     {"jane2", "Jane Doe", "jane2", "", "8", "", "Jane", "Doe"}};
  const auto found = of("moodle", {{"Jane Doe_7", {"Jane Doe", "", "7", ""}},
                                   {"Jane Doe_8", {"Jane Doe", "", "8", ""}}});
  EXPECT_THAT(matched(found, two), ElementsAre("jane1=Jane Doe_7", "jane2=Jane Doe_8"));
  auto without = two;
  for (auto& one : without) one.id.clear();
  EXPECT_THAT(
      matched(found, without),
      ElementsAre("Jane Doe_7=Jane Doe_7", "Jane Doe_8=Jane Doe_8", "Jane Doe_7 may be jane1",
                  "Jane Doe_7 may be jane2", "Jane Doe_8 may be jane1", "Jane Doe_8 may be jane2"));
  // Two hand-ins match one row, so its owner is unknown.
  EXPECT_THAT(matched(found, {without[0]}),
              ElementsAre("Jane Doe_7=Jane Doe_7", "Jane Doe_8=Jane Doe_8",
                          "Jane Doe_7 may be jane1", "Jane Doe_8 may be jane1"));
  // The address shows that this is another Jane Doe.
  EXPECT_THAT(matched(of("gradescope", {{"jd", {"Jane Doe", "", "", "jd@y.edu"}}}), kRoster),
              ElementsAre("jd=jd", "jd may be jdoe"));
}

TEST(RosterMatch, AStudentWhomNoRowFitsIsUnmatchedAndMayBeAnybody) {
  auto found = of("folders", {{"jane", {}}, {"stranger", {}}});
  match_roster(found, kRoster);
  EXPECT_THAT(found.unmatched, ElementsAre(testing::Pair("stranger", testing::IsEmpty())));
  found = of("folders", {{"stranger", {}}});
  match_roster(found, {});
  EXPECT_TRUE(found.unmatched.empty());  // A class without a roster.
}

TEST(RosterMatch, APersonsDecisionPrevails) {
  auto found = of("folders", {{"jane", {}}, {"stranger", {}}});
  match_roster(found, kRoster, {{"jane", "ada"}, {"stranger", "stranger"}});
  EXPECT_TRUE(found.unmatched.empty());
  EXPECT_THAT(found.students, ElementsAre("ada", "stranger"));
  EXPECT_EQ("ada", found.attempts[0].student);
  EXPECT_EQ("jane", found.attempts[0].given);
}

TEST(RosterMatch, FindsAStudentOfAnotherRoster) {
  EXPECT_EQ("jdoe", roster_key(kRoster, "S1", {"Jane Doe", "jdoe", "S1", ""}));
  EXPECT_EQ("ada", roster_key(kRoster, "Ada King", {"", "", "", ""}));
  EXPECT_EQ(std::nullopt, roster_key(kRoster, "zoe", {"Zoe Lee", "zoe", "S9", ""}));
}

TEST(NamesakesTest, OnlySharedNamesGetATag) {
  Namesakes all;
  const HandedIdentity one{"Jane Doe", "", "1", ""};
  const HandedIdentity two{"Jane Doe", "", "2", ""};
  all.add("Jane Doe", "lab1", one);
  all.add("Jane Doe", "lab2", two);  // Moodle numbers each assignment's participants anew.
  EXPECT_EQ("Jane Doe", all.key("Jane Doe", one));
  all.add("Jane Doe", "lab1", two);
  EXPECT_EQ("Jane Doe_1", all.key("Jane Doe", one));
  EXPECT_EQ("Jane Doe_2", all.key("Jane Doe", two));
  all.add("jane", "", {"", "", "", "jane@x.edu"});
  all.add("jane", "", {"", "", "", "jane@y.edu"});
  EXPECT_EQ("jane@y.edu", all.key("jane", {"", "", "", "jane@y.edu"}));
}

// Members of groups, and the grades that they share.

std::vector<Enrolled> roster() {
  return {{"ada", "Ada King", "ada", "s1", "11", "a@u.edu", "Ada", "King"},
          {"bob", "Bob Ray", "bob", "s2", "12", "b@u.edu", "Bob", "Ray"}};
}

TEST(Groups, CanvasExportOfAGroupSetNamesMembersByItsOwnNumbers) {
  auto groups = groups_in_csv(
      "name,canvas_user_id,user_id,login_id,sections,group_name\n"
      "Ada K,11,x,y,A,Red\nBob,,s2,,A,Red\nCyd,13,,,A,\n",
      "g.csv");
  resolve_groups(groups, roster());
  ASSERT_EQ(1U, groups.size());
  EXPECT_EQ("Red", groups[0].name);
  EXPECT_THAT(groups[0].members, ElementsAre("ada", "bob"));
}

TEST(Groups, AStudentMayBeInSeveralGroupsOfMoodle) {
  const auto groups = groups_in_csv(
      "Full name,Email address,Groups\nAda King,a@u.edu,\"Team 1, Lab B\"\n", "g.csv");
  ASSERT_EQ(2U, groups.size());
  EXPECT_EQ("Team 1", groups[0].name);
  EXPECT_EQ("Lab B", groups[1].name);
  EXPECT_THROW(groups_in_csv("student\nada\n", "g.csv"), base::UsageError);
}

TEST(Groups, MembersGetEachOthersWorkAndTheGroupIsNoStudent) {
  for (const auto* name : {"red", "Red", "red_12", "bob"}) {
    PeopleBook book("groups");
    book.rules().groups = {{"Red", {"ada", "bob"}, {}}};
    book.add(name, "a");
    book.run();
    EXPECT_EQ("ada 8.0; bob 8.0; cyd 0.0", book.said()) << name;
  }
  PeopleBook other("others");
  other.rules().groups = {{"Red", {"ada", "bob"}, {}}};
  other.add("redd", "a");
  other.run();
  EXPECT_EQ("ada open; bob open; cyd open; redd 8.0", other.said());
}

TEST(Groups, DecisionsStayWithTheirStudentIfTheGroupChanges) {
  PeopleBook book("leaves");
  book.rules().groups = {{"Red", {"ada", "bob"}, {}}};
  book.add("red", "a");
  book.run();
  book.database().run(
      "INSERT INTO adjustment (student, lab, exercise, points, who, why) VALUES ('bob', 'lab', "
      "'copy', 3, 'eve', 'asked')");
  book.rules().groups = {{"Red", {"ada"}, {}}};
  book.rules().roster.erase(book.rules().roster.begin() + 1);
  book.run();
  EXPECT_EQ("ada 8.0; bob 3.0; cyd 0.0", book.said());
}

using testing::ElementsAre;

class Identities : public testing::Test {
 protected:
  void adjust(const std::string& student, double points) {
    Statement put(book_.database(),
                  "INSERT INTO adjustment (student, lab, exercise, points, who, why) VALUES "
                  "(:student, 'lab', 'copy', :points, 'eve', 'was ill')");
    put.bind(":student", student).bind(":points", points).run();
  }
  void use_keys(const std::vector<std::pair<std::string, std::string>>& students) {
    std::vector<Enrolled> roster;
    std::string bytes = "student,login\n";
    for (const auto& [key, login] : students) {
      roster.push_back(PeopleBook::enrolled(login));
      roster.back().student = key;
      bytes += key + "," + login + "\n";
    }
    book_.rules().roster = roster;
    book_.rules().roster_bytes = bytes;
  }
  PeopleBook book_{"identities"};
};

TEST_F(Identities, WorkOfAStrangerLeavesThoseOpenWhoseItMayBe) {
  book_.add("ada", "a");
  book_.add("stranger", "s");
  book_.run();
  EXPECT_EQ("ada 8.0; bob open; cyd open; stranger 8.0", book_.said());
  decide_student(book_.database(), {"stranger", "cyd", "eve", ""});
  EXPECT_EQ("ada 8.0; bob 0.0; cyd 8.0", book_.said());
  book_.run();
  EXPECT_EQ("ada 8.0; bob 0.0; cyd 8.0", book_.said());
  decide_student(book_.database(), {"stranger", "stranger", "eve", "a guest"});
  EXPECT_EQ("ada 8.0; bob 0.0; cyd 0.0; stranger 8.0", book_.said());
  decide_student(book_.database(), {"stranger", std::nullopt, "eve", ""});
  EXPECT_EQ("ada 8.0; bob open; cyd open; stranger 8.0", book_.said());
  book_.book().forget("stranger");
  EXPECT_EQ("ada 8.0; bob 0.0; cyd 0.0", book_.said());
}

TEST_F(Identities, OnlyCandidatesAreOpenIfTheNameFitsSome) {
  auto& roster = book_.rules().roster;
  roster[1].name = roster[2].name = "Jane Doe";
  roster.push_back(PeopleBook::enrolled("dan"));
  book_.add("Jane Doe", "j");
  book_.run();
  EXPECT_EQ("Jane Doe 8.0; ada 0.0; bob open; cyd open; dan 0.0", book_.said());
  EXPECT_THAT(unmatched_students(book_.database())[0].nearest, ElementsAre("bob", "cyd"));
}

TEST_F(Identities, WorkThatTheRightStudentHasTooCountsOnce) {
  book_.add("ada", "same");
  book_.add("ad", "same");
  book_.run();
  decide_student(book_.database(), {"ad", "ada", "eve", ""});
  EXPECT_EQ("ada 8.0; bob 0.0; cyd 0.0", book_.said());
  Statement files(book_.database(),
                  "SELECT count(*) FROM received WHERE student = 'ada' AND attempt IS NOT NULL");
  ASSERT_TRUE(files.step());
  EXPECT_EQ(2, files.integer(0));
}

TEST_F(Identities, DecisionsFollowAChangedKey) {
  book_.add("ada", "a");
  book_.run();
  adjust("ada", 3);
  grant(book_.database(), {"bob", "lab", "copy", ExceptionKind::kExcuse, 0, 0, "eve", "ill", ""});
  use_keys({{"1", "ada"}, {"2", "bob"}, {"3", "cyd"}});
  book_.run();
  EXPECT_EQ("1 3.0; 2 open; 3 0.0", book_.said());
  use_keys({{"ada", "ada"}, {"bob", "bob"}, {"cyd", "cyd"}});
  book_.run();
  EXPECT_EQ("ada 3.0; bob open; cyd 0.0", book_.said());
}

TEST_F(Identities, ADecisionAboutTheStudentPrevails) {
  book_.add("stranger", "s");
  book_.run();
  adjust("stranger", 3);
  adjust("cyd", 5);
  decide_student(book_.database(), {"stranger", "cyd", "eve", ""});
  // The other decision stays with its key and remains visible.
  EXPECT_EQ("ada 0.0; bob 0.0; cyd 5.0; stranger 3.0", book_.said());
}

TEST_F(Identities, AKeyThatTwoStudentsSwapIsNotFollowed) {
  book_.add("ada", "a");
  book_.run();
  adjust("ada", 3);
  // Both keys are still in use: the adjustment belongs to the key.
  use_keys({{"ada", "bob"}, {"bob", "ada"}, {"cyd", "cyd"}});
  book_.run();
  EXPECT_THAT(book_.said(), testing::HasSubstr("ada 3.0"));
}

TEST_F(Identities, WhatTheBookDoesNotKnowIsRefused) {
  book_.add("stranger", "s");
  book_.run();
  EXPECT_THROW(decide_student(book_.database(), {"strange", "cyd", "", ""}), base::UsageError);
  EXPECT_THROW(decide_student(book_.database(), {"stranger", "zoe", "", ""}), base::UsageError);
  decide_student(book_.database(), {"stranger", "cyd", "", ""});
  EXPECT_THROW(book_.database().run("UPDATE identity SET who = 'x'"), base::ToolError);
}

}  // namespace warpgrade::grader::class_book::identities_test
