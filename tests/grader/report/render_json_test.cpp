// SPDX-License-Identifier: Apache-2.0
// Renders handmade reports as JSON.
#include "grader/report/render_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "grader/report/render_text.h"
#include "tests/grader/report/reports.h"

namespace warpgrade::grader::report::render_json_test {

using testing::HasSubstr;

TEST(RenderJson, SaysWhoMadeTheReportWithWhatAndWhen) {
  auto report = slow_copy();
  report.provenance = {"1.2.3", "0123abc", "13.0.88", "2026-11-22T14:20:00Z"};
  const auto json = nlohmann::json::parse(render_json(report));
  EXPECT_EQ(nlohmann::json({{"version", "1.2.3"}, {"commit", "0123abc"}}), json.at("grader"));
  EXPECT_EQ("13.0.88", json.at("toolkit"));
  EXPECT_EQ("2026-11-22T14:20:00Z", json.at("time"));
  report.provenance.toolkit.clear();
  EXPECT_TRUE(nlohmann::json::parse(render_json(report)).at("toolkit").is_null());
}

TEST(RenderJson, GradeHasExactlyTheContractsKeys) {
  const auto json = nlohmann::json::parse(render_json(slow_copy()));
  const auto keys = [](const nlohmann::json& object) {
    std::vector<std::string> out;
    for (const auto& item : object.items()) out.push_back(item.key());
    return out;
  };
  EXPECT_THAT(keys(json), testing::UnorderedElementsAre("schema", "grader", "toolkit", "time",
                                                        "backend", "device", "seed", "exercises"));
  EXPECT_EQ("warpgrade.grade/1", json["schema"]);
  const auto& exercise = json["exercises"][0];
  EXPECT_THAT(keys(exercise),
              testing::UnorderedElementsAre(
                  "lab", "exercise", "points", "max_points", "verdict", "reason", "correct",
                  "fraction_of_copy", "fraction_of_roofline", "gates", "diagnostics", "file",
                  "sha256", "difference", "hint", "next", "why", "cause", "lines"));
  EXPECT_EQ("fail", exercise["verdict"]);
  EXPECT_EQ("mechanism", exercise["reason"]);
  EXPECT_EQ(true, exercise["correct"]);
  EXPECT_EQ(3, exercise["points"]);
  EXPECT_THAT(keys(exercise["gates"][0]),
              testing::UnorderedElementsAre("id", "metric", "device", "value", "min", "max",
                                            "points", "passed"));
  EXPECT_EQ(28, exercise["gates"][0]["min"]);
  EXPECT_TRUE(exercise["gates"][0]["max"].is_null());
  EXPECT_EQ(0.1, exercise["fraction_of_copy"]);
  EXPECT_EQ("labs/coalescing/copy.cu", exercise["file"]);
  EXPECT_EQ("ba7816bf", exercise["sha256"]);
  EXPECT_TRUE(exercise["difference"].is_null());
  EXPECT_EQ("hint 1 of 2: Which index?", exercise["hint"]);
  EXPECT_EQ("Load along rows.", exercise["next"]);
}

TEST(RenderJson, TheFirstWrongCaseIsTheDifference) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.sha256.clear();
  for (auto& run : item.cases) run.state = Case::State::kIncorrect;
  item.cases[0].variables = {{"height", 45}, {"scale", 0.5}};
  item.cases[0].difference = {"out[3][5]",     {3, 5},     "17", "nan",
                              "never written", "in words", {},   {}};
  const auto json = nlohmann::json::parse(render_json(report))["exercises"][0];
  EXPECT_EQ(nlohmann::json::parse(R"({
        "case": "square", "variables": {"height": 45, "scale": 0.5}, "element": "out[3][5]",
        "indices": [3, 5], "expected": "17", "got": "nan", "cause": "never written"})"),
            json["difference"]);
  EXPECT_TRUE(json["difference"]["variables"]["height"].is_number_integer());
  EXPECT_TRUE(json["sha256"].is_null());
}

// A gate over several cases; the last case did not run.
TEST(RenderJson, AGateThatIsNotDecidedEarnsNothingAndShowsItsValueSoFar) {
  auto report = slow_copy();
  auto& item = report.exercises[0];
  item.gates[0] = gate("loads", 32, false);
  item.gates[0].decision.reset();
  const auto json = nlohmann::json::parse(render_json(report));
  EXPECT_EQ(32, json["exercises"][0]["gates"][0]["value"]);
  EXPECT_EQ(0, json["exercises"][0]["gates"][0]["points"]);
  EXPECT_THAT(render_text(report, text::Style()), HasSubstr("0/2  not measured"));
}

TEST(RenderJson, ProfileHasExactlyTheContractsKeys) {
  ProfileReport report;
  report.kernel = "copy";
  report.device = "h200";
  report.backend = run::Backend::kSim;
  report.measurement.metrics["a"] = std::numeric_limits<double>::infinity();
  report.measurement.seconds = 2;
  report.measurement.bytes = 10;
  report.measurement.lines = {{"a.cu", 2, {run::Space::kGlobal, run::Operation::kLoad}, 1, 4, 0}};
  base::Diagnostic found;
  found.kind = base::DiagnosticKind::kRace;
  found.message = "bad \xff byte";
  found.block = base::Dim3{1, 2, 3};
  report.diagnostics = {found};
  auto made = nlohmann::json::parse(render_json(report));
  EXPECT_THAT(made["diagnostics_text"].get<std::string>(), HasSubstr("race: bad \\xff byte\n"));
  made.erase("diagnostics_text");
  EXPECT_EQ(nlohmann::json::parse(R"({
        "schema": "warpgrade.profile/1", "kernel": "copy", "device": "h200", "backend": "sim",
        "grid": [1, 1, 1], "block": [1, 1, 1],
        "resources": {"registers_per_thread": 0, "static_shared_bytes": 0,
                      "dynamic_shared_bytes": 0},
        "occupancy": {"blocks_per_sm": 0, "warps_per_sm": 0, "limited_by": ""},
        "metrics": {"a": 0.0},
        "lines": [{"file": "a.cu", "line": 2, "operation": "global load", "requests": 1,
                   "sectors": 4, "wavefronts": 0}],
        "time": {"seconds": 2.0, "bytes": 10, "bytes_per_second": 5.0, "bound_by": ""},
        "simulation": {"seconds": 0.0, "thread_instructions": 0},
        "diagnostics": [{"kind": "race", "severity": "error", "file": "", "line": 0, "message": "bad \\xff byte",
                         "block": [1, 2, 3], "thread": null}]})"),
            made);
}

TEST(RenderJson, ACardsCountersAreTheMetricsAndTheSimulatorsApart) {
  const auto json = nlohmann::json::parse(render_json(counted_on_a_gpu()));
  EXPECT_EQ(nlohmann::json::parse(R"({"both": 16.0, "none": 0.0, "only_gpu": 3.0})"),
            json["metrics"]);
  EXPECT_EQ(nlohmann::json::parse(R"({"both": 17.0, "none": 2.0, "warpgrade__own": 5.0})"),
            json["simulated_metrics"]);
  EXPECT_FALSE(json.contains("counters_missing"));
}

TEST(RenderJson, WithoutTheCardsCountersThereAreNoMetrics) {
  auto report = counted_on_a_gpu();
  report.measurement.metrics.clear();
  report.simulated.metrics.clear();
  report.counters_missing = "ncu is not there";
  const auto json = nlohmann::json::parse(render_json(report));
  EXPECT_TRUE(json["metrics"].is_object() && json["metrics"].empty());
  EXPECT_FALSE(json.contains("simulated_metrics"));
  EXPECT_EQ("ncu is not there", json["counters_missing"]);
}

TEST(RenderJson, AMeasuredFractionHasItsIntervalAndItsSamples) {
  const auto json = nlohmann::json::parse(render_json(on_a_gpu(true)));
  const auto& item = json["exercises"][0];
  EXPECT_EQ("inconclusive", item["verdict"]);
  EXPECT_EQ("tool", item["reason"]);
  EXPECT_DOUBLE_EQ(0.5932, item["fraction_of_copy_low"]);
  EXPECT_DOUBLE_EQ(0.6092, item["fraction_of_copy_high"]);
  EXPECT_EQ(1u, item["warnings"].size());
  EXPECT_FALSE(item["gates"][0].contains("low"));
  const auto& speed = item["gates"][1];
  EXPECT_DOUBLE_EQ(0.5932, speed["low"]);
  EXPECT_DOUBLE_EQ(0.6092, speed["high"]);
  EXPECT_EQ(true, speed["undecided"]);
  EXPECT_EQ(4e-4, speed["seconds_copy_kernel_kernel_copy"][0][3]);
}

TEST(RenderJson, ARooflineHasItsNumbers) {
  const auto copy = nlohmann::json::parse(render_json(slow_copy()))["exercises"][0];
  EXPECT_EQ(0.1, copy["fraction_of_roofline"]);
  EXPECT_FALSE(copy.contains("rooflines"));
  const auto item = nlohmann::json::parse(render_json(with_roofline()))["exercises"][0];
  EXPECT_TRUE(item["fraction_of_copy"].is_null());
  EXPECT_EQ(0.1, item["fraction_of_roofline"]);
  ASSERT_EQ(1U, item["rooflines"].size());
  const auto& roof = item["rooflines"][0];
  EXPECT_EQ("large", roof["case"]);
  EXPECT_EQ(512, roof["variables"]["n"]);
  EXPECT_EQ(4.2e6, roof["bytes"]);
  EXPECT_EQ(268e6, roof["operations"]);
  EXPECT_DOUBLE_EQ(268 / 4.2, roof["intensity"]);
  EXPECT_DOUBLE_EQ(4.2e12, roof["copy_bytes_per_second"]);
  EXPECT_DOUBLE_EQ(67e12, roof["peak_operations_per_second"]);
  EXPECT_EQ("operations", roof["limited_by"]);
}

// Half of the time at line 2, which also loads; the other half at line 3, which only waits.
TEST(RenderJson, StallsAreSharesOfTheTimeOfAllWarps) {
  ProfileReport report;
  report.file = "k.cu";
  auto& measured = report.measurement;
  measured.lines = {{"k.cu", 2, {run::Space::kGlobal, run::Operation::kLoad}, 1, 4}};
  measured.instruction_lines = {{"k.cu", 2, 7}};
  measured.line_activity = {{{"k.cu", 2, 0}, {}}, {{"k.cu", 3, 0}, {}}};
  measured.line_activity[0].clocks[static_cast<std::size_t>(timing::WarpState::kSelected)] = 10;
  measured.line_activity[1].clocks[static_cast<std::size_t>(timing::WarpState::kBarrier)] = 10;
  const auto json = nlohmann::json::parse(render_json(report));
  EXPECT_EQ(R"({"selected": 0.5})"_json, json.at("lines").at(0).at("stalls"));
  EXPECT_EQ(R"([{"file": "k.cu", "line": 2, "warp_instructions": 7, "stalls": {"selected": 0.5}},
                {"file": "k.cu", "line": 3, "warp_instructions": 0, "stalls": {"barrier": 0.5}}])"_json,
            json.at("instruction_lines"));
}

}  // namespace warpgrade::grader::report::render_json_test
