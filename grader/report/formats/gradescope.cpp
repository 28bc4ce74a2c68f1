// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/gradescope.h"

#include <nlohmann/json.hpp>

#include "grader/report/formats/exercise_text.h"

namespace warpgrade::grader::report {
namespace {

nlohmann::ordered_json gradescope_test(const ExerciseReport& item, std::size_t most_bytes) {
  nlohmann::ordered_json out = {{"name", exercise_name(item)}};
  if (is_judged(item)) {
    out["score"] = item.points;
    out["max_score"] = item.max_points;
    out["status"] = item.verdict == Verdict::kPass ? "passed" : "failed";
  }
  out["output"] =
      is_judged(item) ? exercise_text(item, most_bytes) : missing_grade_text(item) + "\n";
  out["output_format"] = "text";
  out["visibility"] = "visible";
  out["extra_data"] = {{"reason", name(item.reason)}, {"sha256", item.sha256}};
  return out;
}

}  // namespace

std::string render_gradescope(const Report& report) {
  auto tests = nlohmann::ordered_json::array();
  std::uint32_t score = 0;
  for (const auto& item : report.exercises) {
    if (is_judged(item)) score += item.points;
    tests.push_back(gradescope_test(item, text_share(report)));
  }
  return dump_lines({{"score", score},
                     {"output", report_heading(report)},
                     {"output_format", "text"},
                     {"visibility", "visible"},
                     {"stdout_visibility", "hidden"},
                     {"tests", std::move(tests)}});
}

}  // namespace warpgrade::grader::report
