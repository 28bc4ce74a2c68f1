// SPDX-License-Identifier: Apache-2.0
#include "grader/class/class_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string nowhere(const std::string& /*student*/) { return {}; }

ClassNumbers numbers() {
  ClassNumbers out;
  auto& copy = out.exercises.emplace_back();
  copy.lab = "coalescing";
  copy.exercise = "copy";
  copy.max_points = 10;
  copy.points = {0, 4, 10};
  copy.passed = 1;
  copy.failed = 2;
  copy.open = 1;
  copy.reasons = {{"mechanism", 1}, {"compile", 1}};
  copy.gates = {{"loads_coalesced", 1}};
  copy.findings = {{"compile_error", 1}};
  out.open = {{"zoe coalescing/copy", "no compiler"}};
  out.problems = {{"odd <name>.txt", "the rule does not fit"}};
  out.slowest = {{"ada", "coalescing/copy", 12.34, "compile"}};
  out.students = {{"ada", "Ada L.", 4, 10, {{"fail", 4}}}, {"bob", "", 10, 10, {{"pass", 10}}}};
  return out;
}

TEST(ClassPage, SaysWhatStopsHowManyAndWhatIsOpen) {
  const auto page = class_page(numbers(), {}, nowhere);
  for (const auto* part :
       {"1 mechanism, 1 compile", "1 loads_coalesced", "1 compile_error", "zoe coalescing/copy",
        "no compiler", "--retry", "odd &lt;name&gt;.txt", "12.3 s",
        "1 with no points, 1 with all 10 points, 1 between", "None was found."}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  // The mean of 0, 4 and 10, and the one in the middle.
  EXPECT_THAT(page, HasSubstr(">4.7</td>"));
}

TEST(ClassPage, LinksTheFeedbackWhereItIs) {
  const auto page = class_page(numbers(), {}, [](const std::string& student) {
    return student == "ada" ? "out/ada/index.html" : "";
  });
  EXPECT_THAT(page, HasSubstr("<a href=\"out/ada/index.html\">ada</a>"));
  EXPECT_THAT(page, Not(HasSubstr(">bob</a>")));
}

TEST(ClassPage, NearCopiesNameBothGroups) {
  const auto page = class_page(numbers(),
                               {{"coalescing/copy", {"ada"}, {"bob"}, 0.87, 9, 3, 5},
                                {"coalescing/copy", {"ada", "eve"}, {}, 1, 0, 0, 0}},
                               nowhere);
  EXPECT_THAT(page, HasSubstr("87 %"));
  EXPECT_THAT(page, HasSubstr("line 3 / 5"));
  EXPECT_THAT(page, HasSubstr("ada, eve"));
  EXPECT_THAT(page, HasSubstr("same file"));
}

TEST(ClassPage, AnEmptyBookIsAPageToo) {
  EXPECT_THAT(class_page({}, {}, nowhere), HasSubstr("0 students, 0 exercises, 0 attempts"));
}

}  // namespace
}  // namespace warpgrade::grader::class_page_test
