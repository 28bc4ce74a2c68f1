// SPDX-License-Identifier: Apache-2.0
// Members of groups, and the grades that they share.
#include "grader/class/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/error.h"
#include "tests/grader/class/people_book.h"

namespace warpgrade::grader::class_book::groups_test {

using testing::ElementsAre;

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
  book.rules().roster->erase(book.rules().roster->begin() + 1);
  book.run();
  EXPECT_EQ("ada 8.0; bob 3.0; cyd 0.0", book.said());
}

}  // namespace warpgrade::grader::class_book::groups_test
