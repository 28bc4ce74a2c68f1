// SPDX-License-Identifier: Apache-2.0
#include "grader/class/student_view.h"

#include <algorithm>
#include <set>
#include <string>

namespace warpgrade::grader::class_book {
namespace {

using State = report::CaseResult::State;

constexpr const char* kElsewhere =
    "It also goes wrong in a case that is not shown. Try sizes of your own: one row, one column, "
    "sides that are not a multiple of 32, primes.";

bool has_failed(const report::CaseResult& run) {
  return run.state == State::kIncorrect || run.state == State::kDiagnostic;
}

// Findings are in the order of the cases, each place once, so only the first is sure to come from
// the first case that stopped. The later ones may come from hidden cases.
void hide_findings(report::ExerciseReport& item, bool first_is_shown) {
  for (std::size_t i = 0; i < item.diagnostics.size(); ++i) {
    auto& one = item.diagnostics[i];
    if (one.kind == base::DiagnosticKind::kCompileError || (i == 0 && first_is_shown)) continue;
    base::Diagnostic shown;
    shown.kind = one.kind;
    shown.where = one.where;
    shown.message = first_is_shown ? "here, too" : "in a case that is not shown";
    one = std::move(shown);
  }
}

void hide_secret_cases(report::ExerciseReport& item, const std::set<std::string>& secret) {
  const auto is_secret = [&](const auto& one) { return secret.contains(one.name); };
  const auto stopped =
      std::ranges::find(item.cases, State::kDiagnostic, &report::CaseResult::state);
  const bool first_is_shown = stopped != item.cases.end() && !is_secret(*stopped);
  bool failed = false;
  bool stopped_secretly = false;
  for (const auto& run : item.cases) {
    failed = failed || (is_secret(run) && has_failed(run));
    stopped_secretly = stopped_secretly || (is_secret(run) && run.state == State::kDiagnostic);
  }
  if (stopped_secretly) hide_findings(item, first_is_shown);
  std::erase_if(item.cases, is_secret);
  std::erase_if(item.counted, is_secret);
  std::erase_if(item.warnings, [&](const std::string& text) {
    return std::ranges::any_of(
        secret, [&](const std::string& name) { return text.starts_with("case " + name + ":"); });
  });
  if (secret.contains(item.printed_case)) {
    for (auto* text : {&item.printed, &item.printed_first, &item.printed_thread}) text->clear();
  }
  if (item.pictures) {
    std::erase_if(item.pictures->times, is_secret);
    if (secret.contains(item.pictures->case_name)) item.pictures.reset();
  }
  if (!failed) return;
  item.warnings.emplace_back(kElsewhere);
  if (std::ranges::any_of(item.cases, has_failed)) return;
  item.result_lines.clear();
  item.next =
      "All cases that are shown are right, and one that is not shown is wrong: try sizes of "
      "your own.";
}

}  // namespace

report::Report student_view(report::Report report, const course::Exercise& exercise) {
  const auto* kernel = exercise.kernel();
  if (kernel == nullptr) return report;
  std::set<std::string> secret;
  for (const auto& one : kernel->cases) {
    if (one.secret) secret.insert(one.name);
  }
  if (secret.empty()) return report;
  for (auto& item : report.exercises) hide_secret_cases(item, secret);
  return report;
}

}  // namespace warpgrade::grader::class_book
