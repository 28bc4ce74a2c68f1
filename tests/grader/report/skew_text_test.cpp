// SPDX-License-Identifier: Apache-2.0
// Sentences on skew, and the reports that contain them.
#include "grader/report/skew_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/html/render_html.h"
#include "grader/report/render_json.h"
#include "grader/report/render_text.h"
#include "tests/grader/report/picture_reports.h"

namespace warpgrade::grader::report::skew_text_test {

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
  item.lines[0].gate = item.gates.at(0).gate.id;
  item.lines[0].bound_by = timing::Bound::kNone;
  item.gates[0].gate.metric = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum";
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

}  // namespace warpgrade::grader::report::skew_text_test
