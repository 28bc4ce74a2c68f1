// SPDX-License-Identifier: Apache-2.0
#include "grader/class/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpgrade::grader::class_book::page_test {
namespace {

using testing::HasSubstr;

std::string nowhere(const std::string& /*student*/) { return {}; }

Numbers numbers() {
  Numbers out;
  auto& copy = out.exercises.emplace_back();
  copy.lab = "coalescing";
  copy.exercise = "copy";
  copy.max_points = 10;
  copy.points = {0, 4, 10};
  copy.passed = 1;
  copy.failed = 2;
  copy.open = 1;
  copy.excused = 3;
  copy.reasons = {{"mechanism", {"ada"}}, {"compile", {"bob"}}};
  copy.gates = {{"loads_coalesced", {"ada"}}};
  copy.findings = {{"compile_error", {"bob"}}};
  out.files = {{"", "odd <name>.cu", "no student"}};
  out.open = {{"bob", "coalescing/copy", "no compiler"}};
  out.remarks = {{"", "granted.csv:2", "no student zoe"}};
  out.exceptions = {
      {"ada", "coalescing", "", ExceptionKind::kExtension, 1795215540, 0, "eve", "ill", ""}};
  out.slowest = {{"ada", "coalescing/copy", 12.34, "compile"}};
  out.students = {{"ada", "Ada L.", 4, 10, {{Standing::kFail, 4}}},
                  {"bob", "", 10, 10, {{Standing::kPass, 10}}}};
  return out;
}

TEST(ClassPage, SaysWhatStopsWhomAndWhatIsOpen) {
  const auto page = class_page(numbers(), {}, nowhere);
  for (const auto* part :
       {"1 mechanism (33 %)</summary><a href=#s0>ada</a>",
        "1 compile (33 %)</summary><a href=#s1>bob</a>", "1 loads_coalesced (33 %)",
        "1 compile_error (33 %)", "<a href=#s1>bob</a> coalescing/copy", "no compiler", "--retry",
        "odd &lt;name&gt;.cu", "12.3 s", "until 2026-11-20 22:59 UTC", "granted.csv:2",
        "1 with no points, 1 with all 10 points, 1 between", "No near-copies."}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  EXPECT_LT(page.find("odd &lt;name&gt;.cu"), page.find("no compiler"));
  EXPECT_LT(page.find("no compiler"), page.find("<h2>Exercises</h2>"));
  // The mean of 0, 4 and 10.
  EXPECT_THAT(page, HasSubstr(">4.7</td>"));
}

TEST(ClassPage, LinksTheFeedbackWhereItIs) {
  const auto page = class_page(numbers(), {}, [](const std::string& student) {
    return student == "ada" ? "out/ada/index.html" : "";
  });
  EXPECT_THAT(page, HasSubstr("<a href=\"out/ada/index.html\">ada</a>"));
  EXPECT_THAT(page, HasSubstr("<tr id=\"s1\"><td class=\"who\">bob</td>"));
}

TEST(ClassPage, NearCopiesNameBothGroups) {
  const auto page = class_page(numbers(),
                               {{"coalescing/copy", {"ada"}, {"bob"}, 0.87, 9, 3, 5},
                                {"coalescing/copy", {"ada", "eve"}, {}, 1, 0, 0, 0}},
                               nowhere);
  EXPECT_THAT(page, HasSubstr("87 %"));
  EXPECT_THAT(page, HasSubstr("line 3 / 5"));
  EXPECT_THAT(page, HasSubstr("<a href=#s0>ada</a>, eve"));
  EXPECT_THAT(page, HasSubstr("same file"));
}

TEST(ClassPage, AttemptsOfUnknownTimeAreCounted) {
  auto of_canvas = numbers();
  of_canvas.attempts.clear();
  of_canvas.exercises.resize(1);
  of_canvas.exercises[0].attempts = 1;
  EXPECT_THAT(class_page(of_canvas, {}, nowhere), HasSubstr("1 exercise, 1 attempt</h1>"));
}

TEST(ClassPage, AnEmptyBookIsAPageToo) {
  EXPECT_THAT(class_page({}, {}, nowhere), HasSubstr("0 students, 0 exercises, 0 attempts"));
}

}  // namespace
}  // namespace warpgrade::grader::class_book::page_test
