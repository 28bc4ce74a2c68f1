// SPDX-License-Identifier: Apache-2.0
// The list of actions for a person: ordered, with numbers and the next command.
#include "grader/class/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/grader/class/people_book.h"

namespace warpgrade::grader::class_book::status_test {

using testing::ElementsAre;
using testing::StartsWith;

TEST(ClassNeeds, AreEmptyIfEveryGradeIsFinal) {
  PeopleBook book("none");
  book.add("ada", "a");
  book.run();
  EXPECT_TRUE(find_needs(book.database(), "b.db").empty());
}

TEST(ClassNeeds, NameStudentsFilesAndTheNextCommand) {
  PeopleBook book("some");
  book.add("ad", "a");
  book.add_open("bob", "work.zip", "it is damaged");
  book.add_open("", "x.cu", "nobody's");
  book.run();
  const auto needs = find_needs(book.database(), "my book.db");
  ASSERT_EQ(2U, needs.size());
  EXPECT_EQ(NeedKind::kUnmatched, needs[0].kind);
  EXPECT_EQ("1 student with work is not in the roster; grades that may be theirs stay open",
            title(needs[0]));
  EXPECT_THAT(needs[0].lines, ElementsAre("ad: maybe ada"));
  EXPECT_EQ(
      "warpgrade class match 'my book.db' ad ada  # or --guest, if the roster does not have ad",
      needs[0].command);
  EXPECT_EQ("2 files were received and not graded", title(needs[1]));
  EXPECT_THAT(needs[1].lines,
              ElementsAre("unknown student: /x.cu: nobody's", "bob/work.zip: it is damaged"));
  EXPECT_THAT(needs[1].command, StartsWith("warpgrade class run 'my book.db' /in"));
  EXPECT_THAT(needs_text(needs, 1),
              testing::HasSubstr("\n  and 1 more\n  next: warpgrade class run"));
}

TEST(ClassNeeds, ListTheStudentsWhoseWorkItMayBe) {
  PeopleBook book("choices");
  book.add("zzz", "a");
  book.add("ada", "b");
  book.run();
  const auto needs = find_needs(book.database(), "b.db");
  EXPECT_EQ("warpgrade class match b.db zzz  # lists the students whose work it may be",
            needs.at(0).command);
  EXPECT_EQ(
      "Students of the roster without work:\n"
      "  warpgrade class match b.db zzz bob\n"
      "  warpgrade class match b.db zzz cyd\n"
      "Students of the roster with work:\n"
      "  warpgrade class match b.db zzz ada\n"
      "If the roster does not have this student:\n"
      "  warpgrade class match b.db zzz --guest\n",
      match_choices(book.database(), "b.db", "zzz"));
}

TEST(ClassNeeds, TellWorkThatIsNotGradedFromWorkThatCannotBeJudged) {
  PeopleBook book("judged");
  book.add("ada", "a");
  book.run();
  book.database().run("UPDATE attempt SET grade_key = 'k'");
  EXPECT_EQ("1 submission has no grade yet", title(find_needs(book.database(), "b").at(0)));
  book.database().run(
      "INSERT INTO open_attempt VALUES ('k', 'lab', 'copy', 'b', 'no compiler', 1, '')");
  const auto needs = find_needs(book.database(), "b");
  EXPECT_EQ("1 submission could not be judged", title(needs.at(0)));
  EXPECT_THAT(needs[0].lines, ElementsAre("ada: lab/copy: no compiler"));
  EXPECT_EQ("warpgrade class run b /in --retry", needs[0].command);
}

TEST(ClassNeeds, GatesThatTheCardCannotDecideAreCountedAndRefusedIfTheClassIsStrict) {
  PeopleBook book("waived");
  book.waived = {"speed"};
  book.add("ada", "a");
  book.add("bob", "b");
  book.run();
  EXPECT_EQ("ada 8.0; bob 8.0; cyd 0.0", book.said());
  EXPECT_TRUE(find_needs(book.database(), "b").empty());
  const auto waived = waived_gates(book.database());
  ASSERT_EQ(1U, waived.size());
  EXPECT_EQ("lab/copy: 2 students have the points of speed, which the card cannot decide",
            described(waived[0]));

  book.rules().strict = true;
  book.run();
  EXPECT_EQ("ada open; bob open; cyd 0.0", book.said());
  EXPECT_TRUE(waived_gates(book.database()).empty());
  const auto needs = find_needs(book.database(), "b");
  ASSERT_EQ(1U, needs.size());
  EXPECT_EQ(NeedKind::kWaived, needs[0].kind);
  EXPECT_EQ("2 submissions have gates that the card cannot decide; --strict leaves them open",
            title(needs[0]));
  EXPECT_EQ(
      "ada: lab/copy: the card cannot decide the gate speed, and the class accepts no grade "
      "without it",
      needs[0].lines[0]);

  // The grades are still in the book.
  book.rules().strict = false;
  book.run();
  EXPECT_EQ("ada 8.0; bob 8.0; cyd 0.0", book.said());
}

TEST(ClassNeeds, APathThatBeginsWithTheStudentNamesThem) {
  EXPECT_EQ("ada/copy.cu", subject_of("ada", "ada/copy.cu"));
  EXPECT_EQ("ad: ada/copy.cu", subject_of("ad", "ada/copy.cu"));
  EXPECT_EQ("ada: in.zip/1_copy.cu", subject_of("ada", "in.zip/1_copy.cu"));
  EXPECT_EQ("in.zip", subject_of("", "in.zip"));
}

}  // namespace warpgrade::grader::class_book::status_test
