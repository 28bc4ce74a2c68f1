// SPDX-License-Identifier: Apache-2.0
// The page of reports of every kind; tests/html opens it in a browser.
#include "grader/html/render_html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/grader/report/picture_reports.h"

namespace warpgrade::grader::html::render_html_test {

using testing::HasSubstr;
using testing::Not;

std::size_t count(std::string_view text, std::string_view what) {
  std::size_t out = 0;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++out;
  return out;
}

TEST(RenderHtml, APageSaysVerdictGatesAndPictures) {
  const auto page = render(report::pictured_copy());
  EXPECT_THAT(page, HasSubstr("<title>coalescing/copy: 3 of 7 points</title>"));
  EXPECT_THAT(page, HasSubstr("<span class=\"badge bad\">FAIL</span>"));
  EXPECT_THAT(page, HasSubstr("<b class=\"bad\">32</b> sectors (least 4) on NVIDIA H200"));
  EXPECT_THAT(page, HasSubstr("<b class=\"bad\">2</b> wavefronts (least 1) on NVIDIA H200"));
  EXPECT_THAT(page, HasSubstr("Load along rows."));
  EXPECT_THAT(page, Not(HasSubstr("<nav")));  // One exercise needs no contents.
}

TEST(RenderHtml, AModelledSpeedHasItsRange) {
  auto report = report::pictured_copy();
  EXPECT_THAT(render(report), Not(HasSubstr("(model:")));
  for (auto& gate : report.exercises[0].gates) {
    if (gate.gate.is_performance()) gate.gate.model_error = gate.gate.model_margin = 0.25;
  }
  EXPECT_THAT(render(report), HasSubstr("0.1 <small>(model: 0.08 to 0.13)</small>"));
}

TEST(RenderHtml, PicturesBesideAVerdictOfAGpuSayThatTheyAreTheSimulators) {
  auto report = report::pictured_copy();
  EXPECT_THAT(render(report), Not(HasSubstr("The pictures are simulated")));
  report.backend = run::Backend::kGpu;
  EXPECT_THAT(render(report), HasSubstr("The pictures are simulated"));
  report.exercises[0].pictures.reset();
  EXPECT_THAT(render(report), Not(HasSubstr("The pictures are simulated")));
}

TEST(RenderHtml, AGateThatIsSparedSaysWhyItPasses) {
  auto report = report::pictured_copy();
  auto& speed = report.exercises[0].gates[1];
  speed.gate.device = "k40";
  speed.gate.model_error = speed.gate.model_margin = 0.1;
  speed.worst->value = 0.59;  // 0.59 / 0.9 is above 0.6.
  speed.decision = report::GateOutcome::kPassed;
  EXPECT_THAT(
      render(report),
      HasSubstr("0.59 misses &gt;= 0.6, but by less than the time model&#39;s margin on k40 "
                "(10 %), so it passes."));
}

TEST(RenderHtml, AGateOnInstructionsHasTheLinesThatExecuteMost) {
  auto report = report::pictured_copy();
  auto& item = report.exercises[0];
  EXPECT_THAT(render(report), Not(HasSubstr("the lines that execute most")));
  item.lines[0].instructions = {{item.file, 2, 30}, {"", 0, 10}};
  EXPECT_THAT(render(report),
              HasSubstr("<h4>loads: the lines that execute most</h4>\n"
                        "<pre>line         instructions  of all\n"
                        "2                      30    75 %  | out[i] = in[i * 32];\n"
                        "other lines            10    25 %\n</pre>"));
}

TEST(RenderHtml, NothingIsLoadedFromElsewhere) {
  const auto page = render(report::pictured_copy());
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_EQ(1U, count(page, "<link"));  // An empty icon, so that browsers do not request one.
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(RenderHtml, SeveralExercisesHaveATableOfContents) {
  auto report = report::pictured_copy();
  report.exercises.push_back(report.exercises[0]);
  report.exercises[1].exercise = "transpose";
  const auto page = render(report);
  EXPECT_THAT(page, HasSubstr("<a href=\"#exercise-1\">coalescing/transpose</a>"));
  EXPECT_EQ(2U, count(page, "<section class=\"exercise\""));
}

TEST(RenderHtml, AMapOfWrongElementsHasItsTextTwice) {
  auto report = report::pictured_copy();
  report.exercises[0].pictures->wrong = report::small_map();
  const auto page = render(report);
  EXPECT_EQ(2U, count(page, report::small_map().text));
  EXPECT_THAT(page, HasSubstr("<rect class=\"wrong\" x=\"0\" y=\"1\" width=\"4\" height=\"1\"/>"));
  EXPECT_THAT(page,
              HasSubstr("<rect class=\"unwritten\" x=\"0\" y=\"2\" width=\"4\" height=\"1\"/>"));
}

// Showing all of them would reveal the answers. The text report also shows two per question.
TEST(RenderHtml, OfWrongAnswersTheFirstTwoOfAQuestionAreShown) {
  auto report = report::slow_copy();
  auto& item = report.exercises[0];
  for (int i = 1; i <= 5; ++i) {
    item.wrong_answers.push_back({"loads", "stride " + std::to_string(i), 9, "Because."});
  }
  const auto page = render(report);
  EXPECT_THAT(page, HasSubstr("<li>stride 2: 9 is wrong. Because.</li>\n<li>and 3 more</li>"));
  EXPECT_THAT(page, Not(HasSubstr("stride 3")));
}

TEST(RenderHtml, WhatToDoNextStandsBehindTheFindingThatItIsAbout) {
  auto report = report::slow_copy();
  auto& item = report.exercises[0];
  item.diagnostics = {{base::DiagnosticKind::kTrap, {item.file, 2, 3}, "it trapped", {}, {}}};
  const auto page = render(report);
  EXPECT_LT(page.find("it trapped"), page.find("Load along rows."));
  EXPECT_THAT(page, HasSubstr("<h4><span class=\"bad\">trap</span>: line 2</h4>"));
}

TEST(RenderHtml, AnEmptyReportAndOneThatCouldNotBeJudgedArePages) {
  EXPECT_THAT(render({}), HasSubstr("</html>"));
  auto report = report::slow_copy();
  auto& item = report.exercises[0];
  item = {};
  item.tool_trouble = "no compiler";
  EXPECT_THAT(render(report), HasSubstr("no compiler"));
  EXPECT_THAT(render(report), HasSubstr("NOT GRADED"));
}

TEST(RenderHtml, HostileTextStaysText) {
  const std::string attack = "</script><script>alert(1)</script>\x1b[2J\"'><img src=x onerror=a>";
  auto report = report::pictured_copy();
  auto& item = report.exercises[0];
  item.file = attack;
  item.source = attack + "\n// " + std::string(5000000, '<') + "\n";
  item.title = attack;
  item.next = attack;
  item.hint = attack;
  item.printed = attack;
  item.left_out = attack;
  item.warnings = {attack};
  item.tool_trouble = attack;
  item.diagnostics = {{base::DiagnosticKind::kCompileError, {attack, 1, 1}, attack, {}, {}},
                      {base::DiagnosticKind::kCompileError, {item.file, 2, 900}, attack, {}, {}}};
  item.pictures->lines[0].line.where.file = attack;
  item.pictures->lines[0].line.memory.name = attack;
  item.wrong_answers = {{attack, attack, 3, attack}};
  report.notes = {attack};
  const auto page = render(report);
  EXPECT_EQ(2U, count(page, "<script"));  // The data and the page's own script.
  EXPECT_EQ(2U, count(page, "</script"));
  EXPECT_EQ(0U, count(page, "<img"));
  EXPECT_EQ(0U, count(page, "\x1b"));
  EXPECT_GT(200000U, page.size());
}

}  // namespace warpgrade::grader::html::render_html_test
