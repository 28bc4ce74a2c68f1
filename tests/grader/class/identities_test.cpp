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
  auto& roster = *book_.rules().roster;
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
