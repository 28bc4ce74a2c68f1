// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/answers.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

#include "common/base/counted.h"
#include "grader/course/questions.h"
#include "grader/grade/explain/assemble.h"
#include "grader/grade/own_card.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::grade {
namespace {

constexpr std::string_view kMetric = "answers_right";

// The answers to each question; nullopt if they could not be read.
using Answers = std::vector<std::optional<std::vector<std::int64_t>>>;

base::Diagnostic unreadable(const base::TomlError& error) {
  base::Diagnostic out;
  out.kind = base::DiagnosticKind::kCompileError;
  out.where = error.where();
  out.message = error.why();
  return out;
}

std::vector<std::int64_t> answers_to(const course::Question& question, text::Table& table) {
  auto out = table.integers(question.id);
  const auto wanted = answer_count(question);
  if (out.size() != wanted) {
    table.fail(question.id,
               fmt::format("expected {}, found {}", base::counted(wanted, "answer"), out.size()));
  }
  return out;
}

// The answers in `source`. A mistake in one answer costs only that answer; text that is not TOML
// costs all of them.
Answers parse_answers(const std::vector<course::Question>& questions, const std::string& source,
                      const std::string& shown, std::vector<base::Diagnostic>& mistakes) {
  Answers out(questions.size());
  try {
    const auto root = base::parse_toml(source, shown);
    text::Table table(root, shown, "answers");
    for (const auto& question : questions) table.may_have(question.id);
    bool has_unknown_key = false;
    try {
      table.finish();
    } catch (const base::TomlError& error) {
      has_unknown_key = true;
      mistakes.push_back(unreadable(error));
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      // An unknown key is most likely a misspelling of the missing one.
      if (has_unknown_key && !table.has(questions[i].id)) continue;
      try {
        out[i] = answers_to(questions[i], table);
      } catch (const base::TomlError& error) {
        mistakes.push_back(unreadable(error));
      }
    }
  } catch (const base::TomlError& error) {
    mistakes.push_back(unreadable(error));
  }
  return out;
}

// The answers of a submission; faults go to `found`.
Answers read_answers(const std::vector<course::Question>& questions,
                     const cases::Submission& submission, Findings& found) {
  const auto& content = submission.content;
  Answers none(questions.size());
  if (const auto* unread = std::get_if<cases::Unreadable>(&content)) {
    found.tool_trouble = unread->why;
    return none;
  }
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&content)) {
    found.diagnostics = *wrong;
    return none;
  }
  const auto& source = std::get<compile::CompileRequest>(content).source;
  return parse_answers(questions, source, submission.shown, found.diagnostics);
}

// The gate of a question that is not answered yet.
report::GateReport unanswered(const course::Question& question) {
  report::GateReport out;
  out.gate.id = question.id;
  out.gate.metric = kMetric;
  out.gate.device = question.device;
  out.gate.ideal = static_cast<double>(answer_count(question));
  out.gate.max_points = question.points;
  out.gate.meaning = question.meaning;
  out.bounds.min = out.gate.ideal;
  return out;
}

std::vector<report::WrongAnswer> wrong_answers(const course::Question& question,
                                               const std::vector<std::int64_t>& given) {
  const auto right = right_answers(question);
  std::vector<report::WrongAnswer> out;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (given[i] == right[i]) continue;
    out.push_back({question.id, subject(question, i), given[i], reasoning(question, i, given[i])});
  }
  return out;
}

report::GateReport answered(const course::Question& question, std::size_t wrong) {
  auto out = unanswered(question);
  const report::GateValue right = static_cast<double>(answer_count(question) - wrong);
  out.decision = outcome_of(right, out.bounds);
  out.worst = report::GateMeasurement{{}, right, *out.decision};
  return out;
}

}  // namespace

report::ExerciseReport grade_answers(const GradingTask& task, const std::string& own_device) {
  const auto& questions = std::get<course::QuestionsExercise>(task.exercise->form).questions;
  Findings found;
  const auto answers = read_answers(questions, task.submission, found);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!answers[i]) {
      found.gates.push_back(unanswered(questions[i]));
      continue;
    }
    const auto wrong = wrong_answers(questions[i], *answers[i]);
    found.gates.push_back(answered(questions[i], wrong.size()));
    found.wrong_answers.insert(found.wrong_answers.end(), wrong.begin(), wrong.end());
  }
  const bool is_read = found.diagnostics.empty() && found.tool_trouble.empty();
  if (is_read && found.wrong_answers.empty() && !own_device.empty()) {
    // The student's own card may have the same answers as a device in a question, so the report
    // explains them only after all answers are right.
    found.warnings = answers_on(questions, own_device);
  }
  auto judgement = judge_answers(found);
  return assemble(task, {std::move(found), std::move(judgement)});
}

}  // namespace warpgrade::grader::grade
