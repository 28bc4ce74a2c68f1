// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/answers.h"

#include <fmt/format.h>

#include "common/base/error.h"
#include "grader/course/questions.h"
#include "grader/grade/rubric.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader {
namespace {

constexpr std::string_view kMetric = "answers_right";

using Answers = std::vector<std::vector<std::int64_t>>;

base::Diagnostic unreadable(const base::SourceLocation& where, const std::string& why) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kCompileError;
  out.where = where;
  out.message = why;
  return out;
}

// The answers to each question, or what is wrong with the file.
std::variant<Answers, std::vector<base::Diagnostic>> read_answers(const GradingTask& task,
                                                                  std::string& text) {
  auto source = read_submission(task.submission);
  if (auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&source)) return std::move(*wrong);
  text = std::get<compile::CompileRequest>(source).source;
  try {
    const auto root = parse_toml(text, task.submission.shown);
    Table table(root, task.submission.shown, "answers");
    Answers out;
    for (const auto& question : task.exercise->questions) {
      out.push_back(table.integers(question.id));
      const auto wanted = answer_count(question);
      if (out.back().size() == wanted) continue;
      table.fail(question.id,
                 fmt::format("{} answer{} asked for, but there {} {}", wanted,
                             wanted == 1 ? " is" : "s are", out.back().size() == 1 ? "is" : "are",
                             out.back().size()));
    }
    table.finish();
    return out;
  } catch (const TomlError& error) {
    return std::vector{unreadable(error.where(), error.why())};
  }
}

GateResult gate_of(const Question& question) {
  GateResult out;
  out.id = question.id;
  out.metric = kMetric;
  out.device = question.device;
  out.min = static_cast<double>(answer_count(question));
  out.ideal = *out.min;
  out.max_points = question.points;
  out.meaning = question.meaning;
  return out;
}

void compare(const Question& question, const std::vector<std::int64_t>& given, GateResult& gate,
             std::vector<WrongAnswer>& wrong) {
  const auto right = right_answers(question);
  std::size_t count = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (given[i] == right[i]) {
      ++count;
    } else {
      wrong.push_back(
          {question.id, subject(question, i), given[i], reasoning(question, i, given[i])});
    }
  }
  gate.measured = true;
  gate.value = static_cast<double>(count);
  gate.passed = within(gate, *gate.value);
}

}  // namespace

ExerciseReport grade_answers(const GradingTask& task) {
  const auto& exercise = *task.exercise;
  ExerciseReport report;
  report.lab = task.lab->id;
  report.exercise = exercise.id;
  report.title = exercise.title;
  report.file = task.submission.shown;
  for (const auto& question : exercise.questions) report.gates.push_back(gate_of(question));
  std::variant<Answers, std::vector<base::Diagnostic>> answers;
  try {
    answers = read_answers(task, report.source);
  } catch (const base::ToolError& error) {
    report.tool_trouble = error.what();
  }
  if (!report.tool_trouble.empty()) {
    // Nothing is compared.
  } else if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&answers)) {
    report.diagnostics = *wrong;
  } else {
    for (std::size_t i = 0; i < exercise.questions.size(); ++i) {
      compare(exercise.questions[i], std::get<Answers>(answers)[i], report.gates[i],
              report.wrong_answers);
    }
  }
  judge_answers(report);
  return report;
}

}  // namespace warpgrade::grader
