// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/autolab.h"

#include <nlohmann/json.hpp>

#include "grader/report/formats/exercise_text.h"

namespace warpgrade::grader::report {

std::string render_autolab(const Report& report) {
  auto out = report_heading(report) + "\n";
  auto scores = nlohmann::ordered_json::object();
  for (const auto& item : report.exercises) {
    out += '\n';
    if (is_judged(item)) {
      out += exercise_text(item, text_share(report));
      scores[exercise_name(item)] = item.points;
    } else {
      out += exercise_name(item) + ": " + missing_grade_text(item) + "\n";
    }
  }
  return out + '\n' + nlohmann::ordered_json{{"scores", std::move(scores)}}.dump() + '\n';
}

}  // namespace warpgrade::grader::report
