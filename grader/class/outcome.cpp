// SPDX-License-Identifier: Apache-2.0
#include "grader/class/outcome.h"

#include <optional>
#include <utility>

#include "common/base/finding_text.h"
#include "grader/class/packed_text.h"
#include "grader/class/student_view.h"
#include "grader/html/render_html.h"
#include "grader/report/render_json.h"
#include "grader/report/render_text.h"

namespace warpgrade::grader::class_book {
namespace {

// Why a report cannot be a grade; nullopt if it can.
std::optional<Trouble> trouble_in(const report::ExerciseReport& report) {
  if (!report.tool_trouble.empty()) return Trouble{Trouble::Kind::kNoGrade, report.tool_trouble};
  switch (report.verdict) {
    case report::Verdict::kPass:
    case report::Verdict::kFail:
      return std::nullopt;
    case report::Verdict::kInconclusive:
      return Trouble{
          Trouble::Kind::kNoisy,
          "no measurement was good enough to decide it; grade it again on a quiet machine"};
    case report::Verdict::kError:
      break;
  }
  return Trouble{Trouble::Kind::kNoGrade, report.diagnostics.empty()
                                              ? "the grader could not judge it"
                                              : base::text(report.diagnostics.front())};
}

// The gates whose points the submission has because this card cannot decide them.
std::vector<std::string> waived_in(const report::ExerciseReport& report) {
  std::vector<std::string> out;
  for (const auto& one : report.gates) {
    if (one.gate.is_waived && one.points > 0) out.push_back(one.gate.id);
  }
  return out;
}

}  // namespace

// The page adds little to the cost of its grade: a traced run of a few blocks, and a tenth of its
// bytes.
Outcome::Result result_of(const report::Report& report, const course::Exercise& exercise,
                          double seconds) {
  const auto& one = report.exercises.front();
  if (auto trouble = trouble_in(one)) return *std::move(trouble);
  BookGrade out;
  out.points = one.points;
  out.max_points = one.max_points;
  out.verdict = one.verdict;
  out.reason = one.reason;
  out.device = report.device;
  out.provenance = report.provenance;
  out.seconds = seconds;
  out.report = render_json(report);
  const auto shown = student_view(report, exercise);
  out.text = render_text(shown, text::Style(false));
  out.page = pack_text(html::render(shown));
  out.waived = waived_in(one);
  return out;
}

}  // namespace warpgrade::grader::class_book
