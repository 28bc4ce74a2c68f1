// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/classroom50.h"

#include <nlohmann/json.hpp>

#include "grader/report/formats/exercise_text.h"

namespace warpgrade::grader::report {

std::string render_classroom50(const Report& report, const Environment& environment) {
  const auto value = [&](const std::string& name, const std::string& otherwise) {
    auto text = safe_text(environment(name));
    return text.empty() ? safe_text(environment(otherwise)) : text;
  };
  auto tests = nlohmann::ordered_json::array();
  std::uint32_t score = 0;
  std::uint32_t most = 0;
  for (const auto& item : report.exercises) {
    const bool judged = is_judged(item);
    const auto points = judged ? item.points : 0;
    const auto max_points = judged ? item.max_points : 0;
    score += points;
    most += max_points;
    tests.push_back({{"test-name", exercise_name(item)},
                     {"passed", item.verdict == Verdict::kPass},
                     {"score", points},
                     {"max-score", max_points},
                     {"output", judged ? exercise_text(item, text_share(report))
                                       : missing_grade_text(item) + "\n"}});
  }
  const auto type = environment("ASSIGNMENT_TYPE");
  return dump_lines({{"schema", "classroom50/result/v1"},
                     {"classroom", value("CLASSROOM", "")},
                     {"assignment", value("ASSIGNMENT", "")},
                     {"assignment_type", type == "group" ? "group" : "individual"},
                     {"owner", value("OWNER", "USERNAME")},
                     {"submission", value("SUBMISSION_TAG", "")},
                     {"commit", value("COMMIT_URL", "")},
                     {"release", value("RELEASE_URL", "")},
                     {"review", value("REVIEW_URL", "COMMIT_URL")},
                     {"datetime", report.provenance.time},
                     {"score", score},
                     {"max-score", most},
                     {"tests", std::move(tests)}});
}

}  // namespace warpgrade::grader::report
