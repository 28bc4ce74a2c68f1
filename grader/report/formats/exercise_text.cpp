// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/exercise_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/text.h"
#include "grader/report/render_text.h"
#include "grader/report/skew_text.h"

namespace warpgrade::grader::report {

std::string exercise_name(const ExerciseReport& item) {
  return safe_text(item.lab + "/" + item.exercise);
}

bool is_judged(const ExerciseReport& item) {
  return item.verdict == Verdict::kPass || item.verdict == Verdict::kFail;
}

std::string missing_grade_text(const ExerciseReport& item) {
  if (item.verdict == Verdict::kInconclusive) {
    for (const auto& gate : item.gates) {
      if (const auto why = unmodelled_text(gate.unmodelled()); !why.empty())
        return "Not decided: " + why;
    }
    return "Not decided: grade it again on a quiet machine.";
  }
  return "Not graded: " +
         (item.tool_trouble.empty() ? "the grader failed" : safe_text(item.tool_trouble));
}

std::size_t missing_grades(const Report& report) {
  return static_cast<std::size_t>(
      std::count_if(report.exercises.begin(), report.exercises.end(),
                    [](const ExerciseReport& item) { return !is_judged(item); }));
}

std::string report_heading(const Report& report) {
  const auto& made = report.provenance;
  auto out = fmt::format("warpgrade {} ({}), {} on {}, seed {}", safe_text(made.version),
                         safe_text(made.commit),
                         report.backend == run::Backend::kGpu ? "measured" : "simulated",
                         safe_text(report.device), report.seed);
  if (const auto missing = missing_grades(report); missing != 0) {
    out += fmt::format(
        "\n{} of {} exercises could not be judged. That is not a zero: have this submission graded "
        "again.",
        missing, report.exercises.size());
  }
  return out;
}

std::string exercise_text(const ExerciseReport& item, std::size_t most_bytes) {
  Report alone;
  alone.exercises = {item};
  auto text = safe_text(render_text(alone, text::Style()));
  // The first paragraph and the last are on all exercises.
  text.erase(0, text.find("\n\n") + 2);
  text.erase(text.rfind("\n\n") + 1);
  if (text.size() <= most_bytes) return text;
  const auto end = text.rfind('\n', most_bytes);
  text.erase(end == std::string::npos ? 0 : end + 1);
  return text + "... the rest of the report is cut off\n";
}

std::size_t text_share(const Report& report) {
  // In JSON a quote or a newline has two bytes.
  constexpr std::size_t kAll = 450'000;
  return kAll / std::max<std::size_t>(report.exercises.size(), 1);
}

std::string safe_text(std::string_view text) {
  return base::escape_controls(text, /*keep_newlines=*/true);
}

std::string dump_lines(const nlohmann::ordered_json& json) {
  // Texts are already valid UTF-8; `replace` is a precaution.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace warpgrade::grader::report
