// SPDX-License-Identifier: Apache-2.0
#include "grader/class/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/base/error.h"
#include "grader/class/timestamps.h"
#include "tests/grader/class/people_book.h"

namespace warpgrade::grader::class_book::explain_test {
namespace {

TEST(Standing, EachHasTheNameThatTheBookAndReportsHave) {
  EXPECT_EQ("pass", name(Standing::kPass));
  EXPECT_EQ("not due", name(Standing::kNotDue));
  EXPECT_EQ("excused", name(Standing::kExcused));
  for (auto i = 0; i <= static_cast<int>(Standing::kExcused); ++i) {
    EXPECT_EQ(static_cast<Standing>(i), standing_called(name(static_cast<Standing>(i)))) << i;
  }
}

TEST(Standing, AnUnknownNameIsNoGrade) {
  EXPECT_EQ(Standing::kUngraded, standing_called(""));
  EXPECT_EQ(Standing::kUngraded, standing_called("passed"));
}

}  // namespace

// Explains one student: the points match the view `standing`, and every file is listed.

using testing::HasSubstr;

TEST(ClassExplain, HasEveryFileAttemptAndDeduction) {
  PeopleBook book("explain");
  const auto due = parse_utc("2026-11-20T12:00:00Z").value_or(0);
  book.rules().deadlines[""] = due;
  book.rules().late.share_a_day = 0.25;
  book.add("ada", "first", due - 60);
  book.add("ada", "second", due + 60);
  book.add_open("ada", "x.zip", "it is damaged");
  book.add("bob", "other", due);
  book.run();
  const auto ada = explain_student(book.database(), "ada");
  EXPECT_EQ(3U, ada.files.size());
  ASSERT_EQ(1U, ada.exercises.size());
  const auto& copy = ada.exercises[0];
  EXPECT_EQ(6.0, copy.work.points);
  EXPECT_EQ("2026-11-20T12:00:00Z", copy.work.deadline);
  ASSERT_EQ(2U, copy.attempts.size());
  EXPECT_FALSE(copy.attempts[0].counts);
  EXPECT_TRUE(copy.attempts[1].counts);
  EXPECT_EQ(0.25, copy.attempts[1].late_share);
  const auto text = render_text(ada);
  for (const auto* part :
       {"ada/x.zip, ", "open: it is damaged", "lab/copy: 6 of 10 points, fail",
        "8 of 10 points, fail (performance), sim, graded 2026-11-20 12:00:00 UTC; "
        "1 min 0 s after the deadline; 25 % less because it "
        "was late: 6 points; counts",
        "does not count (policy: latest)", "deadline: 2026-11-20 12:00:00 UTC"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_THAT(text, testing::Not(HasSubstr("bob")));
  const auto json = nlohmann::json::parse(render_json(ada));
  EXPECT_EQ(6.0, json["exercises"][0]["points"]);
  EXPECT_EQ(true, json["exercises"][0]["attempts"][1]["counts"]);
  EXPECT_EQ("open", json["files"][2]["state"]);
}

TEST(ClassExplain, SaysWhatIsNotThere) {
  PeopleBook book("absent");
  book.add("ada", "a");
  book.run();
  const auto text = render_text(explain_student(book.database(), "bob"));
  EXPECT_EQ("bob\nNo file was received.\nlab/copy: 0 of 10 points, missing\n", text);
  EXPECT_THROW(explain_student(book.database(), "bobb"), base::UsageError);
}

TEST(ClassExplain, AttemptsThatAreGoneAndNamesThatWereMatchedAreNamed) {
  PeopleBook book("gone");
  book.add("ad\x1b", "a");
  book.run();
  decide_student(book.database(), {"ad\x1b", "ada", "eve", ""});
  EXPECT_THAT(render_text(explain_student(book.database(), "ada")),
              HasSubstr("ada, in the submissions as ad\\x1b\n"));
  book.found() = {};
  book.found().source = "/in";
  book.run();
  EXPECT_THAT(render_text(explain_student(book.database(), "ada")),
              HasSubstr("no longer in the submissions: does not count"));
}

}  // namespace warpgrade::grader::class_book::explain_test
