// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_measurements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/html/render_html.h"
#include "grader/report/render_json.h"
#include "grader/report/render_text.h"
#include "tests/grader/report/picture_reports.h"
#include "tests/grader/report/reports.h"

namespace warpgrade::grader::report::render_measurements_test {

// Sentences on skew, and the reports that contain them.

using testing::HasSubstr;
using testing::Not;

const timing::Imbalance kImbalance{7000, 286.5625, 38.7e-6};
const std::string kImbalanceText =
    "Imbalance: the longest warp issues 7,000 instructions, the mean warp 287. One warp runs for "
    "38.7 us. Divide its work among more warps.";

TEST(SkewText, NamesTheCauseWithItsNumbers) {
  EXPECT_EQ(kImbalanceText, skew_text(kImbalance));
  EXPECT_EQ(
      "Contention: 12 of the 31 lanes of an atomic on shared memory use the same word on average, "
      "one after another. Add up equal values first, or give lanes copies of the word.",
      skew_text(timing::Contention{run::Space::kShared, 31.2, 12.4}));
  EXPECT_THAT(skew_text(timing::Contention{run::Space::kGlobal, 32, 32}),
              HasSubstr("32 of the 32 lanes of an atomic on global memory"));
  EXPECT_EQ("", skew_text({}));
}

// slow_copy() that fails for its speed, bound by `skew`.
Report slow_by(const timing::Skew& skew) {
  auto report = pictured_copy();
  auto& item = report.exercises[0];
  item.reason = Reason::kPerformance;
  item.lines[0].gate = "speed";
  item.lines[0].bound_by = timing::Bound::kLatency;
  item.lines[0].skew = skew;
  item.pictures->times[0].skew = skew;
  return report;
}

TEST(SkewText, IsInTheReportTheJsonAndThePage) {
  const auto report = slow_by(kImbalance);
  EXPECT_THAT(render_text(report, text::Style(false, 200)),
              HasSubstr("\n    " + kImbalanceText + "\n"));
  EXPECT_THAT(html::render(report), HasSubstr(">" + kImbalanceText + "</p>"));
  const auto json = nlohmann::json::parse(render_json(report))["exercises"][0]["skews"];
  ASSERT_EQ(1U, json.size());
  EXPECT_EQ("speed", json[0]["gate"]);
  EXPECT_EQ((nlohmann::json{{"kind", "imbalance"},
                            {"longest_warp_instructions", 7000},
                            {"mean_warp_instructions", 286.5625},
                            {"longest_warp_seconds", 38.7e-6},
                            {"text", kImbalanceText}}),
            json[0]["skew"]);
}

// A counter gate has no bottleneck of the time model, and shows the contention that it counts.
TEST(SkewText, ExplainsTheGateOfACounter) {
  auto report = slow_by(timing::Contention{run::Space::kShared, 32, 28.9});
  auto& item = report.exercises[0];
  item.reason = Reason::kMechanism;
  item.lines[0].gate = item.gates.at(0).definition.id;
  item.lines[0].bound_by = timing::Bound::kNone;
  item.gates[0].definition.metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum";
  const auto text = render_text(report, text::Style(false, 200));
  EXPECT_THAT(text,
              HasSubstr("\n    Contention: 29 of the 32 lanes of an atomic on shared memory"));
  EXPECT_THAT(text, Not(HasSubstr("bound by")));
}

TEST(SkewText, IsNotThereWithoutSkew) {
  const auto report = slow_by({});
  EXPECT_THAT(render_text(report, text::Style(false, 200)), Not(HasSubstr("Imbalance")));
  EXPECT_FALSE(nlohmann::json::parse(render_json(report))["exercises"][0].contains("skews"));
}

TEST(UnmodelledText, SaysInWhichDirectionTheTimeIsOff) {
  using timing::Unmodelled;
  timing::UnmodelledSet parts;
  EXPECT_EQ("", unmodelled_text(parts));
  parts.add(Unmodelled::kMemoryDuringWaits, 2e-6, 1e-6);
  EXPECT_EQ(
      "The time model does not time the load of memory while blocks wait for each other exactly, "
      "so "
      "the kernel can be slower than its simulated time.",
      inexact_time_text(parts));
  EXPECT_THAT(unmodelled_text(parts.only(/*longer=*/false)), HasSubstr("can be faster than"));
  parts.add(Unmodelled::kSleepsOfWaits);
  EXPECT_THAT(unmodelled_text(parts),
              HasSubstr("another thread is done, so the kernel is slower than its simulated time. "
                        "Only a GPU decides its speed: grade it with --backend gpu."));
}

// A gate on a modelled speed that is not decided: in the text, the JSON and the exit code.
TEST(UnmodelledText, IsInTheReportOfAnUndecidedGate) {
  auto report = on_a_gpu(/*undecided=*/true);
  timing::UnmodelledSet parts;
  parts.add(timing::Unmodelled::kSleepsOfWaits);
  auto& gate = report.exercises[0].gates[1];
  gate.worst = {"large", NotModelled{parts}, GateOutcome::kUndecided};
  const auto text = render_text(report, text::Style(false, 300));
  EXPECT_THAT(text, HasSubstr("NOT DECIDED"));
  EXPECT_THAT(text, HasSubstr("  speed: " + unmodelled_text(parts) + "\n"));
  const auto item = nlohmann::json::parse(render_json(report))["exercises"][0];
  EXPECT_EQ("inconclusive", item["verdict"]);
  EXPECT_EQ("tool", item["reason"]);
  EXPECT_TRUE(item["gates"][1]["value"].is_null());
  EXPECT_EQ(false, item["gates"][1]["passed"]);
  EXPECT_EQ(3, report.exit_code());
}

// L2 merges requests: a note beside the failed speed.
TEST(UnmodelledText, IsANoteBesideAFailedSpeed) {
  auto report = slow_by({});
  report.exercises[0].lines[0].unmodelled.add(timing::Unmodelled::kRequestsOfManyUnits, 0);
  EXPECT_THAT(render_text(report, text::Style(false, 200)),
              HasSubstr("several multiprocessors for the same line exactly, so the kernel can be "
                        "faster than its simulated time.\n"));
}

TEST(SkewText, OfALaunchIsPartOfItsTime) {
  ProfileReport report;
  report.measurement.skew = timing::Contention{run::Space::kGlobal, 32, 32};
  EXPECT_EQ((nlohmann::json{{"kind", "contention"},
                            {"space", "global"},
                            {"lanes", 32},
                            {"lanes_on_one_word", 32},
                            {"text", skew_text(report.measurement.skew)}}),
            nlohmann::json::parse(render_json(report))["time"]["skew"]);
}

// A card's counters in graded reports, as text and as JSON.

Case counted(const std::string& name) {
  Case out;
  out.name = name;
  out.variables = {{"n", 8}};
  out.device = "h200";
  out.counted = measure::GpuCounters{{{"both", 16}, {"none", 0}, {"only_gpu", 3}}, {}};
  out.simulated = {{"both", 17}, {"none", 2}, {"warpgrade__own", 5}};
  return out;
}

Case not_counted(const std::string& name, const std::string& reason) {
  auto out = counted(name);
  out.counted = measure::GpuCounters{{}, reason};
  return out;
}

Report report_with(const std::vector<Case>& all) {
  Report report;
  report.exercises.emplace_back().cases = all;
  return report;
}

TEST(RenderCounters, TheCardsStandBesideTheSimulators) {
  EXPECT_THAT(render_text(report_with({counted("large")}), text::Style()),
              HasSubstr("  counted by the card in case large (n = 8), no part of the grade:\n"
                        "    metric          card  simulated  difference\n"
                        "    both              16         17      +6.2 %\n"
                        "    none               0          2          +2\n"
                        "    only_gpu           3          -           -\n"
                        "    warpgrade__own     -          5           -\n"));
}

TEST(RenderCounters, AReasonStandsOnceForAllCases) {
  const auto text = render_text(
      report_with({not_counted("one", "ncu is missing"), not_counted("two", "it took too long"),
                   not_counted("three", "ncu is missing")}),
      text::Style());
  EXPECT_THAT(text, HasSubstr("  no counters of the card for one, three: ncu is missing\n"
                              "  no counters of the card for two: it took too long\n"
                              "\n"));
  EXPECT_THAT(text, Not(HasSubstr("counted by the card")));
}

TEST(RenderCounters, JsonHasThemUnderTheKeysOfAProfile) {
  const auto json = nlohmann::json::parse(
      render_json(report_with({counted("large"), not_counted("small", "ncu is missing")})));
  EXPECT_EQ(nlohmann::json::parse(R"([
      {"case": "large", "device": "h200",
       "metrics": {"both": 16.0, "none": 0.0, "only_gpu": 3.0},
       "simulated_metrics": {"both": 17.0, "none": 2.0, "warpgrade__own": 5.0}},
      {"case": "small", "device": "h200", "metrics": {},
       "simulated_metrics": {"both": 17.0, "none": 2.0, "warpgrade__own": 5.0},
       "counters_missing": "ncu is missing"}])"),
            json["exercises"][0]["counters"]);
}

TEST(RenderCounters, JsonHasNoSuchKeyWhereNobodyAsked) {
  const auto json = nlohmann::json::parse(render_json(report_with({})));
  EXPECT_FALSE(json["exercises"][0].contains("counters"));
}

// The lines of a report about the roofline.

TEST(RooflineText, IsASentenceBelowTheGates) {
  EXPECT_THAT(
      render_text(with_roofline(), text::Style(false, 200)),
      HasSubstr("  On h200, 268 MFLOP over 4.2 MB is 63.8 FLOP per byte: arithmetic is the "
                "limit, at 67 TFLOP/s. The kernel reaches 6.7 TFLOP/s, 0.10 of the roof.\n"));
}

// 42 MB at 4.2 TB/s take 10 us, longer than the operations.
TEST(RooflineText, NamesMemoryIfBytesAreTheLimit) {
  Case item;
  item.device = "h200";
  item.roofline = measure::Roofline{42e6, 268e6, 10e-6, 4e-6, 20e-6};
  EXPECT_THAT(roofline_text(item), HasSubstr("memory is the limit, at 4.2 TB/s"));
  EXPECT_THAT(roofline_text(item), HasSubstr("0.50 of the roof."));
}

// 200 clocks of warps: 120 at line 2, of which 20 issue and 100 wait for memory; 79 at line 1; 1 at
// line 3.
std::vector<timing::LineActivity> activity() {
  std::vector<timing::LineActivity> out = {
      {{"k.cu", 1, 0}, {}}, {{"k.cu", 2, 0}, {}}, {{"k.cu", 3, 0}, {}}};
  out[0].clocks[static_cast<std::size_t>(timing::WarpState::kBarrier)] = 79;
  out[1].clocks[static_cast<std::size_t>(timing::WarpState::kSelected)] = 20;
  out[1].clocks[static_cast<std::size_t>(timing::WarpState::kLongScoreboard)] = 94;
  out[1].clocks[static_cast<std::size_t>(timing::WarpState::kMathPipeThrottle)] = 6;
  out[2].clocks[static_cast<std::size_t>(timing::WarpState::kSelected)] = 1;
  return out;
}

TEST(Activity, IsByLineWithWhatWarpsWaitFor) {
  EXPECT_EQ("for global memory 47 %, for a pipe 3 %", waiting_text(activity()[1], 200));
  EXPECT_EQ(
      "  line  warp time  issuing  waiting\n"
      "  2          60 %     10 %  for global memory 47 %, for a pipe 3 %  | second\n"
      "  1          40 %      0 %  at barriers 40 %  | first\n",
      render_activity(activity(), "k.cu", "first\nsecond\nthird\n", 2, text::Style()));
  EXPECT_EQ("", render_activity({}, "k.cu", "", 2, text::Style()));
}

}  // namespace warpgrade::grader::report::render_measurements_test
