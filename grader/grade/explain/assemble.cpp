// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/explain/assemble.h"

#include <utility>

#include "grader/grade/explain/advice.h"

namespace warpgrade::grader::grade {
namespace {

std::vector<report::GateReport> awarded(std::vector<report::GateReport> gates,
                                        const std::vector<Award>& awards) {
  for (std::size_t i = 0; i < gates.size(); ++i) {
    gates[i].points = awards[i].points;
    gates[i].lacks = awards[i].lacks;
  }
  return gates;
}

}  // namespace

report::ExerciseReport assemble(const GradingTask& task, Judged judged) {
  Findings found = std::move(judged.found);
  const auto& judgement = judged.judgement;
  const auto& exercise = *task.exercise;
  const auto& submission = task.submission;
  auto advice = advice_for(found, judgement, exercise);
  report::ExerciseReport out;
  out.lab = task.lab->id;
  out.exercise = exercise.id;
  out.title = exercise.title;
  out.file = submission.shown;
  out.sha256 = submission.sha256;
  if (const auto* source = std::get_if<compile::CompileRequest>(&submission.content)) {
    out.source = source->source;
  }
  out.points = judgement.points;
  out.max_points = judgement.max_points;
  out.verdict = judgement.verdict;
  out.reason = judgement.reason;
  out.correct = judgement.correct;
  out.warnings = std::move(found.warnings);
  out.left_out = std::move(found.left_out);
  out.tool_trouble = std::move(found.tool_trouble);
  out.cases = std::move(found.cases);
  out.gates = awarded(std::move(found.gates), judgement.awards);
  out.rooflines = std::move(found.rooflines);
  out.counted = std::move(found.counted);
  out.diagnostics = std::move(found.diagnostics);
  out.race_warnings = std::move(found.race_warnings);
  out.lines = std::move(found.lines);
  out.wrong_answers = std::move(found.wrong_answers);
  out.result_lines = std::move(found.result_lines);
  out.pictures = std::move(found.pictures);
  out.printed = std::move(found.printed);
  out.printed_thread = std::move(found.printed_thread);
  out.printed_first = std::move(found.printed_first);
  out.printed_case = std::move(found.printed_case);
  out.next = std::move(advice.next);
  out.hint = std::move(advice.hint);
  return out;
}

}  // namespace warpgrade::grader::grade
