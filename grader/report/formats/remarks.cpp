// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/remarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/finding_text.h"
#include "grader/report/formats/exercise_text.h"
#include "grader/report/render_gates.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::report {
namespace {

void add_diagnostics(const ExerciseReport& item, std::vector<Remark>& out) {
  for (const auto& one : item.diagnostics) {
    out.push_back({std::string(base::name(one.kind)), true, one.where, base::shown_message(one),
                   one.related});
  }
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
                                         answer.given, answer.reasoning)),
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
    const auto& about = gate.gate;
    const auto value = gate.value() ? text::number(*gate.value()) : "no such access";
    out.push_back(
        {about.is_performance() ? "performance" : "mechanism",
         false,
         {item.file, busiest_line(item, about.id), 0},
         safe_text(fmt::format("{} on {}: {}, needed {}. {} {}", about.id, about.device, value,
                               render_bound(gate.bounds), about.meaning, about.next)),
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
