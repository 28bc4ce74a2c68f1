// SPDX-License-Identifier: Apache-2.0
#include "grader/html/render_html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/grader/report/picture_reports.h"
#include "tests/grader/report/reports.h"

namespace warpgrade::grader::html::render_html_test {

// Shows the two accesses of a race and the missing order between them.

using testing::HasSubstr;

base::Diagnostic race(const report::ExerciseReport& item) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kRace;
  out.where = {item.file, 2, 3};
  out.block = base::Dim3{0, 0, 0};
  out.thread = base::Dim3{32, 0, 0};
  base::Race facts;
  facts.does = base::Does::kRead;
  out.facts = facts;
  out.related = {{{item.file, 1, 1}, base::Does::kWrite, base::Dim3{0, 0, 0}, base::Dim3{0, 0, 0}}};
  return out;
}

TEST(RaceView, BothAccessesStandWithTheirThreadsAndLines) {
  const auto item = report::slow_copy().exercises[0];
  const auto view = race_view(item, race(item));
  EXPECT_THAT(view, HasSubstr("<h5>line 1</h5><p>thread (0, 0, 0) of block (0, 0, 0)</p>\n<pre>// "
                              "head</pre><p class=\"quiet\">thread (0, 0, 0) writes it</p>"));
  EXPECT_THAT(
      view,
      HasSubstr(
          "<h5>line 2</h5><p>thread (32, 0, 0) of block (0, 0, 0)</p>\n"
          "<pre>out[i] = in[i * 32];</pre><p class=\"quiet\">thread (32, 0, 0) reads it</p>"));
  EXPECT_THAT(view, HasSubstr("no barrier between them"));
}

TEST(RaceView, BlocksHaveNoBarrierToMiss) {
  const auto item = report::slow_copy().exercises[0];
  auto found = race(item);
  found.related[0].block = base::Dim3{1, 0, 0};
  EXPECT_THAT(race_view(item, found), HasSubstr("nothing orders two blocks"));
}

TEST(RaceView, AFindingWithoutAnotherAccessHasNone) {
  const auto item = report::slow_copy().exercises[0];
  auto found = race(item);
  found.related.clear();
  EXPECT_EQ("", race_view(item, found));
}

// Counters are beside their line, and a long source is cut down to the relevant parts.
using testing::Not;

TEST(SourceView, ALineHasItsCounters) {
  const auto page = source_view(report::pictured_copy().exercises[0]);
  EXPECT_THAT(
      page,
      HasSubstr(
          "<tr class=\"touch\"><td class=\"counts\">2</td><td class=\"counts "
          "requests\">10 global load</td><td class=\"counts\"><span "
          "class=\"bad\">32 sectors</span></td><td><code>  out[i] = in[i * 32];</code></td></tr>"));
}

// 40 clocks at line 2, 30 of which wait for memory, and 10 at line 1.
TEST(SourceView, ALineHasItsShareOfTheTimeOfWarps) {
  const auto item = report::pictured_copy().exercises[0];
  std::vector<timing::LineActivity> activity = {{{item.file, 1, 0}, {}}, {{item.file, 2, 0}, {}}};
  activity[0].clocks[0] = 10;
  activity[1].clocks[0] = 10;
  activity[1].clocks[static_cast<std::size_t>(timing::WarpState::kLongScoreboard)] = 30;
  const auto page = source_view(item, activity);
  EXPECT_THAT(page, HasSubstr("<tr id=\"line-2\" class=\"touch\">"));
  EXPECT_THAT(page, HasSubstr("<title>issuing 20 %, waiting for global memory 60 %</title>"));
  EXPECT_THAT(page, HasSubstr("<rect class=\"state-4\" x=\"15.0\" width=\"45.0\" height=\"10\"/>"));
  EXPECT_THAT(page, HasSubstr("</svg> 80 %</td>"));
  EXPECT_THAT(page, HasSubstr("<title>issuing 20 %</title>"));
}

TEST(SourceView, AFindingMarksItsLine) {
  auto report = report::slow_copy();
  auto& item = report.exercises[0];
  item.diagnostics = {{base::DiagnosticKind::kRace, {item.file, 1, 3}, "a race", {}, {}}};
  EXPECT_THAT(source_view(item), HasSubstr("<tr class=\"hit\"><td class=\"counts\">1</td>"));
}

TEST(SourceView, OfALongSourceTheMarkedPartsAreShown) {
  auto report = report::slow_copy();
  auto& item = report.exercises[0];
  item.source.clear();
  for (int i = 1; i <= 100; ++i) item.source += "// line " + std::to_string(i) + "\n";
  item.diagnostics = {{base::DiagnosticKind::kRace, {item.file, 50, 3}, "a race", {}, {}}};
  const auto page = source_view(item);
  EXPECT_THAT(page, HasSubstr("lines 1 to 41 left out"));
  EXPECT_THAT(page, HasSubstr("// line 42<"));
  EXPECT_THAT(page, HasSubstr("// line 58<"));
  EXPECT_THAT(page, HasSubstr("lines 59 to 100 left out"));
}

TEST(SourceView, ALineOfMegabytesIsCut) {
  auto report = report::slow_copy();
  report.exercises[0].source = "// " + std::string(5000000, 'x') + "\n";
  EXPECT_GT(2000U, source_view(report.exercises[0]).size());
}

TEST(SourceView, NoSourceIsNothing) {
  auto report = report::slow_copy();
  report.exercises[0].source.clear();
  EXPECT_EQ("", source_view(report.exercises[0]));
}

// The page of reports of every kind; tests/html opens it in a browser.

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
    if (gate.definition.is_performance()) gate.model_error = gate.model_margin = 0.25;
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
  speed.definition.device = "k40";
  speed.model_error = speed.model_margin = 0.1;
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
  EXPECT_THAT(page, HasSubstr("<h4><span class=\"bad\"><a class=\"word\" "
                              "href=\"#word-trap\">trap</a></span>: line 2</h4>"));
}

TEST(RenderHtml, AnEmptyReportAndOneThatCouldNotBeJudgedArePages) {
  EXPECT_THAT(render(report::Report{}), HasSubstr("</html>"));
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
