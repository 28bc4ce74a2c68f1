// SPDX-License-Identifier: Apache-2.0
// A card's counters in graded reports, as text and as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/report/render_json.h"
#include "grader/report/render_text.h"

namespace warpgrade::grader::report::render_counters_test {

using testing::HasSubstr;
using testing::Not;

CountedCase counted(const std::string& name) {
  CountedCase out;
  out.name = name;
  out.variables = {{"n", 8}};
  out.device = "h200";
  out.gpu = {{"both", 16}, {"none", 0}, {"only_gpu", 3}};
  out.simulated = {{"both", 17}, {"none", 2}, {"warpgrade__own", 5}};
  return out;
}

CountedCase not_counted(const std::string& name, const std::string& reason) {
  auto out = counted(name);
  out.gpu.clear();
  out.reason = reason;
  return out;
}

Report report_with(const std::vector<CountedCase>& all) {
  Report report;
  report.exercises.emplace_back().counted = all;
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

}  // namespace warpgrade::grader::report::render_counters_test
