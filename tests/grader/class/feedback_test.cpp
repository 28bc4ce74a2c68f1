// SPDX-License-Identifier: Apache-2.0
#include "grader/class/feedback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::feedback_test {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<FeedbackRow> kRows = {
    {"coalescing/copy", Standing::kPass, 9, 10, "handed in late: 10 % less",
     "coalescing_copy.html"},
    {"coalescing/transpose", Standing::kMissing, std::nullopt, 20, "nothing handed in", ""},
    {"bank_conflicts/padded", Standing::kOpen, std::nullopt, 5, "not graded yet", ""},
    {"bank_conflicts/swizzled", Standing::kMissing, 4, 5, "set by hand: <was> ill\x1b", ""},
    {"coarsening/factor", Standing::kExcused, std::nullopt, 8, "excused: was ill (eve)", ""},
    {"coarsening/reduce_many", Standing::kPass, 12, 10, "2 bonus points: found a bug (eve)", ""},
};

TEST(FeedbackPage, TextHasALineForEachExercise) {
  EXPECT_EQ(
      "ada: 25 of 50 points, 1 exercise open\ncopy: deadline extended\n\n"
      "coalescing/copy: 9 of 10 points (handed in late: 10 % less)\n"
      "coalescing/transpose: nothing handed in\n"
      "bank_conflicts/padded: not graded yet\n"
      "bank_conflicts/swizzled: 4 of 5 points (set by hand: <was> ill\\x1b)\n"
      "coarsening/factor: excused: was ill (eve)\n"
      "coarsening/reduce_many: 12 of 10 points (2 bonus points: found a bug (eve))\n",
      feedback_text({"ada", "", {"copy: deadline extended"}}, kRows));
}

TEST(FeedbackPage, LinksThePagesThatAreThere) {
  const auto page = feedback_page({"ada", "Ada & Co", {"all exercises: deadline extended"}}, kRows);
  EXPECT_THAT(page, HasSubstr("<h1>25 of 50 points, 1 exercise open</h1>"));
  EXPECT_THAT(page, HasSubstr("<a href=\"coalescing_copy.html\">coalescing/<wbr>copy</a>"));
  EXPECT_THAT(page, Not(HasSubstr(">coalescing/<wbr>transpose</a>")));
  EXPECT_THAT(page, HasSubstr("Ada &amp; Co (ada)"));
  EXPECT_THAT(page,
              HasSubstr("<title>Ada &amp; Co (ada): 25 of 50 points, 1 exercise open</title>"));
  EXPECT_THAT(page, HasSubstr("<p>all exercises: deadline extended</p>"));
  EXPECT_THAT(page, HasSubstr("\u2013 of 5"));
  EXPECT_THAT(page, HasSubstr("OPEN"));
  EXPECT_THAT(page, HasSubstr("EXCUSED"));
  EXPECT_THAT(page, Not(HasSubstr("of 8")));
  EXPECT_THAT(page, HasSubstr("set by hand: &lt;was&gt; ill"));
}

TEST(FeedbackPage, ANameForgesNothing) {
  EXPECT_THAT(feedback_page({"<img src=x>", "<img src=y>"}, {}), Not(HasSubstr("<img")));
}

}  // namespace

}  // namespace warpgrade::grader::class_book::feedback_test
