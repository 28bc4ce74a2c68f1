// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/prairielearn.h"

#include <nlohmann/json.hpp>

#include "grader/report/formats/exercise_text.h"

namespace warpgrade::grader::report {
namespace {

double share_of_points(const Report& report) {
  if (report.max_points() == 0) return report.exit_code() == 0 ? 1.0 : 0.0;
  return static_cast<double>(report.points()) / report.max_points();
}

}  // namespace

std::string render_prairielearn(const Report& report) {
  auto tests = nlohmann::ordered_json::array();
  auto missing = nlohmann::ordered_json::array();
  for (const auto& item : report.exercises) {
    if (!is_judged(item)) {
      missing.push_back(exercise_name(item) + ": " + missing_grade_text(item));
      continue;
    }
    tests.push_back({{"name", exercise_name(item)},
                     {"points", item.points},
                     {"max_points", item.max_points},
                     {"output", exercise_text(item, text_share(report))}});
  }
  nlohmann::ordered_json out = {{"gradable", missing.empty()}};
  if (missing.empty()) {
    out["score"] = share_of_points(report);
  } else {
    out["format_errors"] = std::move(missing);
  }
  out["message"] = report_heading(report);
  out["tests"] = std::move(tests);
  return dump_lines(out);
}

}  // namespace warpgrade::grader::report
