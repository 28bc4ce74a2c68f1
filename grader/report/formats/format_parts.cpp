// SPDX-License-Identifier: Apache-2.0
// Parts that several formats share: texts of an exercise, remarks about single places, and the
// variables of a service.
// In: the report of an exercise. Out: its name, its report as a terminal shows it, why it has no
// grade, and a list of remarks with their lines.
// All texts are valid UTF-8 without control characters other than newlines, for every submission.
#include "grader/report/formats/format_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/diagnostic.h"
#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_measurements.h"
#include "grader/report/render_text.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {

std::string process_environment(const std::string& name) {
  const auto* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

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

/// How many exercises of `report` are not judged.
static std::size_t missing_grades(const Report& report) {
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

Remark remark_of(const base::Diagnostic& diagnostic) {
  return {std::string(base::name(diagnostic.kind)), diagnostic.severity == base::Severity::kError,
          diagnostic.where, base::shown_message(diagnostic), diagnostic.related};
}

namespace {

void add_diagnostics(const ExerciseReport& item, std::vector<Remark>& out) {
  for (const auto& one : item.diagnostics) out.push_back(remark_of(one));
}

void add_wrong_result(const ExerciseReport& item, std::vector<Remark>& out) {
  const auto* wrong = item.first_incorrect();
  if (wrong == nullptr) return;
  const auto line = item.result_lines.empty() ? 0 : item.result_lines.front();
  out.push_back({"incorrect",
                 true,
                 {item.file, line, 0},
                 fmt::format("wrong in case {}: {}", safe_text(wrong->name),
                             wrong->difference ? safe_text(wrong->difference->text) : ""),
                 {}});
}

void add_wrong_answers(const ExerciseReport& item, std::vector<Remark>& out) {
  constexpr std::size_t kMost = 10;
  for (std::size_t i = 0; i < std::min(item.wrong_answers.size(), kMost); ++i) {
    const auto& answer = item.wrong_answers[i];
    out.push_back({"wrong_answer",
                   true,
                   {item.file, 0, 0},
                   safe_text(fmt::format("{}{}{}: {} is wrong. {}", answer.question,
                                         answer.subject.empty() ? "" : ", ", answer.subject,
                                         answer.text(), answer.reasoning)),
                   {}});
  }
}

// The line of the submission with the most sectors and wavefronts behind the gate, or with the most
// instructions if it counts instructions; 0 for none.
std::uint32_t busiest_line(const ExerciseReport& item, const std::string& gate) {
  std::uint32_t line = 0;
  std::uint64_t most = 0;
  for (const auto& table : item.lines) {
    if (table.gate != gate) continue;
    const auto note = [&](const std::string& file, std::uint32_t number, std::uint64_t work) {
      if (file != item.file || (line != 0 && work <= most)) return;
      line = number;
      most = work;
    };
    for (const auto& row : table.lines) note(row.file, row.line, row.sectors + row.wavefronts);
    for (const auto& row : table.instructions) note(row.file, row.line, row.warps);
  }
  return line;
}

void add_failed_gates(const ExerciseReport& item, std::vector<Remark>& out) {
  if (!item.wrong_answers.empty()) return;  // Their gates add no information.
  for (const auto& gate : item.gates) {
    if (!gate.has_failed()) continue;
    const auto& about = gate.definition;
    const auto value = gate.value() ? text::number(*gate.value()) : "no such access";
    out.push_back(
        {about.judges_time() ? "performance" : "mechanism",
         false,
         {item.file, busiest_line(item, about.id), 0},
         safe_text(fmt::format("{} on {}: {}, needed {}. {} {}", about.id, about.device, value,
                               render_bound(gate.deciding_bounds()), about.meaning, about.next)),
         {}});
  }
}

}  // namespace

std::vector<Remark> remarks_of(const ExerciseReport& item) {
  std::vector<Remark> out;
  if (item.verdict != Verdict::kFail) return out;
  add_diagnostics(item, out);
  add_wrong_result(item, out);
  add_wrong_answers(item, out);
  add_failed_gates(item, out);
  return out;
}

}  // namespace warpgrade::grader::report
