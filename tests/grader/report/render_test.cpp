// SPDX-License-Identifier: Apache-2.0
// Renders handmade reports as text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "grader/report/profile_report.h"
#include "grader/report/render_text.h"
#include "tests/grader/report/reports.h"

namespace warpgrade::grader::report::render_test {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(RenderText, ShowsSkeletonYoursIdealGateAndTheLineBehindIt) {
  EXPECT_EQ(
      "warpgrade grade: simulated on h200, seed 7\n"
      "\n"
      "coalescing/copy: A copy\n"
      "FAIL  3 of 7 points  labs/coalescing/copy.cu\n"
      "  why   Line 2 uses 4 of the 32 bytes in each sector that it loads; at least 28 are "
      "needed.\n"
      "  next  Load along rows.\n"
      "        hint 1 of 2: Which index?\n"
      "        More: warpgrade hint coalescing/copy --next\n"
      "  result  right in 2 of 2 runs (h200)\n"
      "  gate   device  skeleton  yours  ideal  needed  points\n"
      "  loads  h200           4      4     32  >= 28      0/2  FAIL\n"
      "  speed  h200         0.1    0.1      1  >= 0.6     0/2  FAIL\n"
      "  loads: What loads counts.\n"
      "    line  operation    requests  per request\n"
      "    2     global load        10   32 sectors  | out[i] = in[i * 32];\n"
      "\n"
      "3 of 7 points, 0 of 1 exercise passed\n",
      render_text(slow_copy(), text::Style()));
}

TEST(RenderText, WhatFailedComesFirstAndGuardsThatPassAreOneLine) {
  auto report = slow_copy();
  auto& gates = report.exercises[0].gates;
  gates = {gate("stores", 32, false), gate("guard_a", 32, false), gate("loads", 4, false),
           gate("guard_b", 32, false), gate("speed_1", 0.7, true)};
  gates[0].lacks = gates[1].lacks = "loads";
  for (const auto quiet : {1, 3, 4}) gates.at(quiet).definition.points = 0;
  EXPECT_THAT(
      render_text(report, text::Style()),
      HasSubstr("points\n"
                "  loads    h200           4      4     32  >= 28      0/2  FAIL\n"
                "  stores   h200           4     32     32  >= 28      0/2  blocked by loads\n"
                "  speed_1  h200         0.1    0.7      1  >= 0.6       -  pass\n"
                "  stores passes, but earns nothing until loads passes.\n"
                "  2 guards pass\n"));
}

TEST(RenderText, SeveralThatWaitForTheSameGateAreOneSentence) {
  auto report = slow_copy();
  auto& gates = report.exercises[0].gates;
  gates = {gate("a", 32, false), gate("b", 32, false), gate("c", 4, false)};
  gates[0].lacks = gates[1].lacks = "c";
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("\n  a, b pass, but earn nothing until c passes.\n"));
}

TEST(RenderText, GatesOnTheSameLinesShowThemOnce) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.gates = {gate("loads", 4, false), gate("fast", 32, false), gate("sectors", 5, false)};
  item.lines.push_back(item.lines[0]);
  item.lines[1].gate = "sectors";
  const auto shown = render_text(report, text::Style());
  EXPECT_THAT(shown, HasSubstr("  loads: What loads counts.\n"
                               "  sectors: What sectors counts.\n"
                               "    line  operation"));
  EXPECT_EQ(shown.find("per request"), shown.rfind("per request"));
  item.lines[1].lines[0].line = 1;
  EXPECT_THAT(render_text(report, text::Style()), HasSubstr("  sectors: What sectors counts.\n"
                                                            "    line  operation"));
}

// Columns of the longest line.
std::size_t width_of(const std::string& text) {
  std::size_t most = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at);
    most = std::max(most, end - at);
    at = end + 1;
  }
  return most;
}

TEST(RenderText, FitsTheWidth) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.source = "// head\n  " + std::string(90, 'x') + ";\n";
  item.next = item.hint =
      "Some words that go on and on, as sentences about memory sometimes do, "
      "until nobody remembers how the sentence began, and further still.";
  item.gates[0].definition.id = "a_gate_with_a_long_name";
  item.lines[0].gate = item.gates[0].definition.id;
  item.gates[0].bounds["square"] = {524288, 1048576};
  item.gates[0].worst = {"square", 4194304.0, GateOutcome::kFailed};
  item.gates[0].definition.skeleton = 4194304;
  item.warnings = {item.next};
  report.notes = {item.next};
  report.exercises.push_back(item);
  for (const std::size_t width : {80, 100, 120}) {
    const auto text = render_text(report, text::Style(false, width));
    EXPECT_GE(width, width_of(text)) << text;
    EXPECT_THAT(text, HasSubstr("524,288 to 1,048,576"));
  }
  EXPECT_THAT(render_text(report, text::Style(false, 100)), HasSubstr("  skeleton  "));
  EXPECT_THAT(render_text(report, text::Style(false, 80)), Not(HasSubstr("  skeleton  ")));
}

TEST(RenderText, ALineThatDoesNotFitStandsBelowItsNumbersOnce) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.source = "// head\n  " + std::string(70, 'x') + ";\n";
  auto& lines = item.lines[0].lines;
  lines.push_back(lines[0]);
  lines[1].operation.operation = run::Operation::kStore;
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("    2     global load         10   32 sectors\n"
                        "    2     global store        10   32 sectors\n"
                        "      | " +
                        std::string(70, 'x') + ";\n"));
}

TEST(RenderText, AGateOnInstructionsShowsTheFiveLinesThatExecuteMost) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.source = "// head\n  while (n >= d) n -= d;\nc\nd\ne\nf\n";
  auto& table = item.lines[0];
  table.lines.clear();
  table.instructions = {{"", 0, 8},          {item.file, 2, 640}, {item.file, 3, 40},
                        {item.file, 4, 0},   {item.file, 5, 60},  {item.file, 6, 52},
                        {"tile.cuh", 9, 200}};
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("  loads: What loads counts.\n"
                        "    line         instructions  of all\n"
                        "    2                     640    64 %  | while (n >= d) n -= d;\n"
                        "    tile.cuh:9            200    20 %\n"
                        "    5                      60     6 %  | e\n"
                        "    6                      52     5 %  | f\n"
                        "    3                      40     4 %  | c\n"
                        "    other lines             8     1 %\n"));
}

TEST(RenderText, SaysAtWhichSizesSpeedsAreGraded) {
  auto report = slow_copy();
  auto& gates = report.exercises[0].gates;
  gates[1].worst->size = "n = 512";
  gates.push_back(gates[1]);
  EXPECT_THAT(render_text(report, text::Style()), HasSubstr("\n  Speed at n = 512.\n"));
  gates[2].worst->size = "n = 1024";
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("\n  Speed at n = 512 and at n = 1024.\n"));
}

TEST(RenderText, NamesTheCaseWhoseSpeedFails) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.reason = Reason::kPerformance;
  item.gates = {gate("speed", 0.1, true)};
  item.gates[0].worst->case_name = "ragged";
  item.cases[1].variables = {{"height", 3}, {"width", 5}};
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("    The deciding case is ragged (height = 3, width = 5)."));
}

TEST(RenderText, ColoursOnlyWhereAsked) {
  EXPECT_THAT(render_text(slow_copy(), text::Style()), Not(HasSubstr("\x1b")));
  EXPECT_THAT(render_text(slow_copy(), text::Style(true)), HasSubstr("\x1b[31mFAIL\x1b[0m"));
}

TEST(RenderText, ShowsTheFirstWrongCaseInFullAndNamesTheOthers) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  Case wrong;
  wrong.name = "wide";
  wrong.variables = {{"height", 1}, {"width", 9}};
  wrong.device = "h200";
  wrong.backend = run::Backend::kSim;
  wrong.state = Case::State::kIncorrect;
  wrong.difference = {"out[0]", {0}, "1", "2", "", "out[0]: expected 1, got 2", {}, {}};
  item.cases.push_back(wrong);
  wrong.name = "tall";
  item.cases.push_back(wrong);
  wrong.device = "k40";
  item.cases.push_back(wrong);
  item.gates.clear();
  item.reason = Reason::kIncorrect;
  item.cause->why = "out[0]: expected 1, got 2";
  item.result_lines = {2};
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("  why   out[0]: expected 1, got 2\n"
                        "  next  Load along rows.\n"
                        "        hint 1 of 2: Which index?\n"
                        "        More: warpgrade hint coalescing/copy --next\n"
                        "  results are stored in:\n"
                        "      2 |   out[i] = in[i * 32];\n"
                        "  result  right in 2 of 5 runs (h200, k40)\n"
                        "  wrong in case wide (height = 1, width = 9) on h200\n"
                        "  also wrong: tall\n"
                        "  right: square, ragged\n"));
}

TEST(RenderText, ACaseOnACardSaysThatItWasThere) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.cases[0].backend = run::Backend::kGpu;
  item.cases[0].state = Case::State::kDiagnostic;
  item.cases[1].backend = run::Backend::kGpu;
  item.cases[1].state = Case::State::kIncorrect;
  item.cases[1].variables = {{"n", 9}};
  EXPECT_THAT(render_text(report, text::Style()),
              AllOf(HasSubstr("  result  right in 0 of 2 runs (h200 on the GPU)\n"),
                    HasSubstr("  stopped in case square () on h200 on the GPU\n"),
                    HasSubstr("  wrong in case ragged (n = 9) on h200 on the GPU\n")));
}

TEST(RenderText, ADiagnosticHasItsLineAndCaret) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  base::Diagnostic found;
  found.kind = base::DiagnosticKind::kTrap;
  found.where = {item.file, 2, 12};
  found.message = "stopped\x1b[2J";
  item.diagnostics = {found};
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("labs/coalescing/copy.cu:2:12: trap: stopped\\x1b[2J\n"
                        "    2 |   out[i] = in[i * 32];\n"
                        "      |            ^\n"));
}

TEST(RenderText, WhatAKernelPrintsCannotPassForTheReport) {
  auto report = slow_copy();
  report.exercises[0].printed_case = "square";
  report.exercises[0].printed = "PASS  10 of 10 points\n\x1b[1mbold\n";
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("  output of case square:\n    | PASS  10 of 10 points\n"
                        "    | \\x1b[1mbold\n"));
}

TEST(RenderText, OnlyTheFirstLinesPrintedAreShown) {
  auto report = slow_copy();
  for (int i = 0; i < 25; ++i) report.exercises[0].printed += "x\n";
  EXPECT_THAT(render_text(report, text::Style()), HasSubstr("    | x\n    and 5 more lines\n"));
}

TEST(RenderText, APlaceInAHeaderShowsNoLineOfTheSubmission) {
  auto report = slow_copy();
  base::Diagnostic diagnostic;
  diagnostic.kind = base::DiagnosticKind::kCompileError;
  diagnostic.where = {"tile.h", 2, 1};
  diagnostic.message = "no";
  report.exercises[0].diagnostics = {diagnostic};
  EXPECT_THAT(render_text(report, text::Style()),
              AllOf(HasSubstr("tile.h:2:1: compile_error: no\n"), Not(HasSubstr("2 |   out[i]"))));
}

TEST(RenderText, AMissIsNeverShownAsItsBound) {
  auto report = slow_copy();
  report.exercises[0].gates = {gate("speed", 0.59999, true)};
  EXPECT_THAT(render_text(report, text::Style()), HasSubstr("0.59999      1  >= 0.6"));
}

TEST(RenderText, ACardsCountersStandBesideTheSimulators) {
  const auto text = render_text(counted_on_a_gpu(), text::Style());
  EXPECT_THAT(text, HasSubstr("\n  metric          card  simulated  difference\n"
                              "  both              16         17      +6.2 %\n"
                              "  none               0          2          +2\n"
                              "  only_gpu           3          -           -\n"
                              "  warpgrade__own     -          5           -\n"));
  EXPECT_THAT(text, Not(HasSubstr("no counters of the card")));
}

TEST(RenderText, ACardWithoutCountersSaysWhy) {
  auto report = counted_on_a_gpu();
  report.measurement.metrics.clear();
  report.simulated.metrics.clear();
  report.counters_missing = "ncu is not there";
  const auto text = render_text(report, text::Style());
  EXPECT_THAT(text, HasSubstr("\n  no counters of the card: ncu is not there\n"));
  EXPECT_THAT(text, Not(HasSubstr("simulated")));
}

TEST(RenderText, WhatCouldNotBeSimulatedSaysWhy) {
  auto report = counted_on_a_gpu();
  report.simulated = {{}, "unsupported: clusters"};
  EXPECT_THAT(render_text(report, text::Style()),
              AllOf(HasSubstr("  both        16          -           -\n"),
                    HasSubstr("\n  not simulated: unsupported: clusters\n")));
}

TEST(Terminal, NumbersAreShortAndUnitsScaled) {
  EXPECT_EQ("1,048,576", text::number(1048576));
  EXPECT_EQ("0.294", text::number(0.29351));
  EXPECT_EQ("-", text::number(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_EQ("1.23 us", text::seconds(1.23e-6));
  EXPECT_EQ("30.9 ns", text::seconds(30.9e-9));
  EXPECT_EQ("4.8 TB/s", text::bytes_per_second(4.8e12));
  EXPECT_EQ("86.4 GB/s", text::bytes_per_second(86.4e9));
}

TEST(Terminal, TextIsWrappedAtWords) {
  EXPECT_EQ("  one two\n  three\n", text::wrapped("one two three", 2, false, 10));
  EXPECT_EQ("one two\n  three\n", text::wrapped("one two three", 2, true, 10));
  EXPECT_EQ("  averylongword\n", text::wrapped("averylongword", 2, false, 10));
}

TEST(RenderText, AMeasuredFractionHasItsErrorAndWarnings) {
  const auto text = render_text(on_a_gpu(false), text::Style());
  EXPECT_THAT(
      text, HasSubstr("speed  h200 (GPU)       0.1  0.601 +- 0.001      1  >= 0.6     2/2  pass"));
  EXPECT_THAT(text, HasSubstr("  case large: 2 samples were measured again: the card was slowed"));
}

// 0.1 is 0.75 to 1.25 times the true fraction.
TEST(RenderText, ASimulatedSpeedHasItsBand) {
  auto report = slow_copy();
  EXPECT_THAT(render_text(report, text::Style()), Not(HasSubstr("(model:")));
  auto& speed_gate = report.exercises[0].gates[1];
  speed_gate.model_error = speed_gate.model_margin = 0.25;
  EXPECT_THAT(render_text(report, text::Style()),
              HasSubstr("Simulated: speed 0.10 (0.08 to 0.13).\n"));
}

TEST(RenderText, AnUndecidedGateIsNoFailure) {
  const auto text = render_text(on_a_gpu(true), text::Style());
  EXPECT_THAT(text, HasSubstr("INCONCLUSIVE  5 of 7 points"));
  EXPECT_THAT(text, HasSubstr("0.601 +- 0.008      1  >= 0.6     0/2  NOT DECIDED"));
  EXPECT_THAT(text, Not(HasSubstr("FAIL")));
}

}  // namespace warpgrade::grader::report::render_test
