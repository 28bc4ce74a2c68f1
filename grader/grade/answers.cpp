// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/answers.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

#include "grader/course/questions.h"
#include "grader/grade/assemble.h"
#include "grader/grade/own_card.h"
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

// The answers in `source`, or the first mistake in it.
std::variant<Answers, base::Diagnostic> parse_answers(const Exercise& exercise,
                                                      const std::string& source,
                                                      const std::string& shown) {
  try {
    const auto root = parse_toml(source, shown);
    Table table(root, shown, "answers");
    Answers out;
    for (const auto& question : exercise.questions) {
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
    return unreadable(error.where(), error.why());
  }
}

// The answers of a submission; nothing where there are none to judge, with the reason in `found`.
std::optional<Answers> read_answers(const GradingTask& task, Findings& found) {
  const auto& content = task.submission.content;
  if (const auto* unread = std::get_if<Unreadable>(&content)) {
    found.tool_trouble = unread->why;
    return std::nullopt;
  }
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&content)) {
    found.diagnostics = *wrong;
    return std::nullopt;
  }
  const auto& source = std::get<compile::CompileRequest>(content).source;
  auto parsed = parse_answers(*task.exercise, source, task.submission.shown);
  if (auto* wrong = std::get_if<base::Diagnostic>(&parsed)) {
    found.diagnostics.push_back(std::move(*wrong));
    return std::nullopt;
  }
  return std::get<Answers>(std::move(parsed));
}

// The gate of a question that is not answered yet.
GateReport unanswered(const Question& question) {
  GateReport out;
  out.gate.id = question.id;
  out.gate.metric = kMetric;
  out.gate.device = question.device;
  out.gate.ideal = static_cast<double>(answer_count(question));
  out.gate.max_points = question.points;
  out.gate.meaning = question.meaning;
  out.bounds.min = out.gate.ideal;
  return out;
}

std::vector<WrongAnswer> wrong_answers(const Question& question,
                                       const std::vector<std::int64_t>& given) {
  const auto right = right_answers(question);
  std::vector<WrongAnswer> out;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (given[i] == right[i]) continue;
    out.push_back({question.id, subject(question, i), given[i], reasoning(question, i, given[i])});
  }
  return out;
}

GateReport answered(const Question& question, std::size_t wrong) {
  auto out = unanswered(question);
  const GateValue right = static_cast<double>(answer_count(question) - wrong);
  out.decision = outcome_of(right, out.bounds);
  out.worst = GateMeasurement{{}, right, *out.decision};
  return out;
}

}  // namespace

ExerciseReport grade_answers(const GradingTask& task, const std::string& own_device) {
  const auto& questions = task.exercise->questions;
  Findings found;
  const auto answers = read_answers(task, found);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!answers) {
      found.gates.push_back(unanswered(questions[i]));
      continue;
    }
    const auto wrong = wrong_answers(questions[i], (*answers)[i]);
    found.gates.push_back(answered(questions[i], wrong.size()));
    found.wrong_answers.insert(found.wrong_answers.end(), wrong.begin(), wrong.end());
  }
  if (answers && found.wrong_answers.empty() && !own_device.empty()) {
    // A card may have the answers of one that is asked of: so nothing is said before those are
    // right.
    found.warnings = answers_on(questions, own_device);
  }
  return assemble(task, std::move(found));
}

}  // namespace warpgrade::grader
