// SPDX-License-Identifier: Apache-2.0
// Profiles side by side: a row per card, and two versions with their differences and matched lines.
#include "grader/report/profile_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "grader/report/render_json.h"

namespace warpgrade::grader::report {
namespace profile_comparison_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using Line = ComparedProfile::Line;
constexpr auto kNone = std::nullopt;

CardProfile card(const std::string& name, double seconds) {
  CardProfile out{name, 4e12, ProfileReport(), {}};
  auto& report = *out.report;
  report.kernel = "k";
  report.device = name;
  report.file = "k.cu";
  report.source = "first\n  out[i] = in[i];\n";
  report.launch.kernel = "k";
  report.band = ProfileReport::Band{seconds * 0.8, seconds * 1.25};
  auto& measured = report.measurement;
  measured.seconds = seconds;
  measured.bound_by = timing::Bound::kDram;
  measured.occupancy = {8, 64, timing::Limit::kWarps};
  // 2 MB in 1 us are 2 TB/s: half of the peak of 4 TB/s.
  measured.metrics = {{"dram__bytes_read.sum", 1.5e6},
                      {"dram__bytes_write.sum", 0.5e6},
                      {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 512}};
  auto& line = measured.lines.emplace_back();
  line.file = "k.cu";
  line.line = 2;
  line.operation = {run::Space::kGlobal, run::Operation::kLoad};
  line.requests = 4;
  line.sectors = 16;
  return out;
}

TEST(ProfileComparison, ACardHasItsTimeBoundAndSharesOfThePeak) {
  auto refused = CardProfile{"g80", 0, std::nullopt, "a block has 1 to 512 threads on g80"};
  const auto rows = card_rows({card("h200", 1e-6), refused});
  ASSERT_EQ(3U, rows.size());
  EXPECT_THAT(rows[1], ElementsAre("h200", "1 us (800 ns to 1.25 us)", "dram", "50 %", "-",
                                   "64 warps, limited by warps"));
  EXPECT_EQ("a block has 1 to 512 threads on g80", rows[2][2]);
}

TEST(ProfileComparison, DifferencesComeFirstAndTheLargestRatioLeads) {
  auto a = compared(*card("h200", 1e-6).report);
  auto b = compared(*card("h200", 2e-6).report);
  b.metrics["dram__bytes_read.sum"] = 3e6;
  b.metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 64;
  const auto rows = compared_rows(a, b);
  EXPECT_THAT(rows[1], ElementsAre("time", "1 us", "2 us", "2.00"));
  ASSERT_EQ(8U, rows.size());
  EXPECT_THAT(rows[6],
              ElementsAre("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "512", "64", "0.12"));
  EXPECT_THAT(rows[7], ElementsAre("dram__bytes_read.sum", "1,500,000", "3,000,000", "2.00"));
  EXPECT_THAT(render_text(a, b, text::Style()), HasSubstr("1 metric is alike and not listed"));
}

TEST(ProfileComparison, AnEarlierProfileReadsLikeItsReport) {
  auto report = *card("h200", 1e-6).report;
  report.roofline = ProfileRoofline{1e-6, {2e6, 4e12}, {4e6, {}}, {{"f32", 1e6, 5e13}}, false};
  const auto fresh = compared(report);
  auto earlier = read_profile(render_json(report), "old.json");
  EXPECT_EQ("old.json", earlier.file);
  EXPECT_EQ(fresh.lines, earlier.lines);
  EXPECT_EQ("out[i] = in[i];", earlier.lines.at(0).text);
  EXPECT_EQ(4, earlier.lines.at(0).per_request);
  EXPECT_EQ(compared_rows(fresh, fresh), compared_rows(earlier, earlier));
  ASSERT_TRUE(earlier.roofline);
  EXPECT_EQ(roofline_rows(*fresh.roofline), roofline_rows(*earlier.roofline));
  EXPECT_THROW(read_profile("{}", "x.json"), base::UsageError);
  EXPECT_THROW(read_profile("no JSON", "x.json"), base::UsageError);
}

// Half an operation per byte of DRAM allows 2 TFLOP/s. Version B does twice as many in the same
// time.
TEST(ProfileComparison, RatesOfOperationsAreCompared) {
  auto a = compared(*card("h200", 1e-6).report);
  auto b = a;
  a.roofline = ProfileRoofline{1e-6, {2e6, 4e12}, {}, {{"f32", 1e6, 5e13}}, false};
  b.roofline = ProfileRoofline{1e-6, {4e6, 4e12}, {}, {{"f32", 2e6, 5e13}, {"f64", 1, {}}}, false};
  const auto rows = compared_rows(a, b);
  EXPECT_THAT(rows, Contains(ElementsAre("f32", "1 TFLOP/s, 0.50 of the roof",
                                         "2 TFLOP/s, 1.00 of the roof", "2.00")));
  EXPECT_THAT(rows, Contains(ElementsAre("f64", "-", "1 MFLOP/s", "-")));
}

TEST(ProfileComparison, LinesAreMatchedByTextThenByOperation) {
  const auto line = [](const char* operation, const char* text) {
    Line out;
    out.operation = operation;
    out.text = text;
    return out;
  };
  const std::vector<Line> a = {line("global load", "x = in[i];"),
                               line("global store", "out[i] = x;")};
  // A tile was put between: its store has no partner, and the load of another text has one.
  const std::vector<Line> b = {line("global load", "x = in[j];"),
                               line("shared store", "tile[t] = x;"),
                               line("global store", "out[i] = x;")};
  EXPECT_THAT(matched_lines(a, b), ElementsAre(Pair(0U, 0U), Pair(kNone, 1U), Pair(1U, 2U)));
  EXPECT_THAT(matched_lines(a, {}), ElementsAre(Pair(0U, kNone), Pair(1U, kNone)));
  // Equal texts win over the order.
  EXPECT_THAT(matched_lines({a[1], a[0]}, {a[0]}), ElementsAre(Pair(0U, kNone), Pair(1U, 0U)));
}

}  // namespace profile_comparison_test
}  // namespace warpgrade::grader::report
