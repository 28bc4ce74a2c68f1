// SPDX-License-Identifier: Apache-2.0
#include "grader/grade/grading.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/error.h"
#include "common/base/text.h"
#include "common/measure/bottleneck.h"
#include "common/measure/card_profile.h"
#include "grader/course/questions.h"
#include "grader/grade/execute/execution.h"
#include "grader/grade/explain/explanation.h"
#include "grader/grade/judge/judged.h"
#include "grader/grade/plan/plan.h"
#include "grader/grade/time/timed_runs.h"
#include "grader/report/report.h"
#include "grader/text/toml_reader.h"

namespace warpgrade::grader::grade {
namespace {

// The question without its device and its latency, which belongs to the device.
course::QuestionRule of_any_card(const course::Question& question) {
  auto out = question.rule;
  if (auto* law = std::get_if<course::LittlesLaw>(&out)) law->latency_ns = 0;
  return out;
}

bool asks_the_same(const course::Question& a, const course::Question& b) {
  return of_any_card(a) == of_any_card(b);
}

// The remark on a question about another device, answered for the device of `there`.
struct AnswerThere {
  const course::Question& there;

  std::string operator()(const course::SharedWavefronts& rule) const {
    if (!course::explains_wavefronts(there.device)) return {};
    std::string list;
    for (const auto answer : right_answers(there)) {
      list += fmt::format("{}{}", list.empty() ? "" : ", ", answer);
    }
    return fmt::format("On {} words of {} bytes at strides 1 to {} take {} wavefronts.",
                       there.device, rule.word_bytes, rule.strides, list);
  }
  std::string operator()(const course::CoarseningFactor& rule) const {
    const auto best = static_cast<std::uint32_t>(right_answers(there).front());
    const auto made = coarsened(device::find(there.device), rule, best);
    return fmt::format(
        "On {} the best factor at {} level is {}: {} blocks of {} threads and {} bytes fit on a "
        "multiprocessor, {} active threads.",
        there.device, rule.level == course::CoarseningLevel::kThread ? "thread" : "block", best,
        made.occupancy.blocks_per_sm, made.block.threads, made.block.shared_bytes,
        made.active_threads());
  }
  // Only occupancy: the latency in the question belongs to another card.
  std::string operator()(const course::LittlesLaw& law) const {
    const auto warps = resident_warps(there.device, law.block);
    if (law.asked != course::InFlight::kWarps || warps == 0) return {};
    return fmt::format("On {} {} warps of such blocks are resident on a multiprocessor.",
                       there.device, warps);
  }
  // The student can profile the launch there.
  std::string operator()(const course::LaunchProfile& /*rule*/) const { return {}; }
};

}  // namespace

std::vector<std::string> answers_on(const std::vector<course::Question>& questions,
                                    const std::string& device) {
  std::vector<std::string> out;
  for (auto one = questions.begin(); one != questions.end(); ++one) {
    const bool is_asked_of_it =
        std::any_of(questions.begin(), questions.end(), [&](const course::Question& other) {
          return other.device == device && asks_the_same(*one, other);
        });
    const bool is_said = std::any_of(questions.begin(), one, [&](const course::Question& other) {
      return asks_the_same(*one, other);
    });
    if (is_asked_of_it || is_said) continue;
    course::Question there = *one;
    there.device = device;
    auto text = std::visit(AnswerThere{there}, there.rule);
    if (!text.empty()) out.push_back(std::move(text));
  }
  return out;
}

namespace {

constexpr std::string_view kMetric = "answers_right";
// The skeletons' files have 0 for each number and ? for each word, and no answer is 0. The method
// is only for a student who has tried.
constexpr std::int64_t kNoAnswer = 0;
constexpr std::string_view kNoWord = "?";

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
  if (const auto words = course::answer_words(question); !words.empty()) {
    if (table.text(question.id) == kNoWord) return {kNoAnswer};
    return {static_cast<std::int64_t>(table.choice(question.id, words.subspan(1))) + 1};
  }
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
    for (const auto& question : questions) table.accept(question.id);
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

// The answers of a submission; faults go to `report`.
Answers read_answers(const std::vector<course::Question>& questions,
                     const cases::Submission& submission, report::ExerciseReport& report) {
  const auto& content = submission.content;
  Answers none(questions.size());
  if (const auto* unread = std::get_if<cases::Unreadable>(&content)) {
    report.tool_trouble = unread->why;
    return none;
  }
  if (const auto* wrong = std::get_if<std::vector<base::Diagnostic>>(&content)) {
    report.diagnostics = *wrong;
    return none;
  }
  const auto& source = std::get<compile::CompileRequest>(content).source;
  return parse_answers(questions, source, submission.shown, report.diagnostics);
}

// The gate of a question that is not answered yet.
report::Gate unanswered(const course::Question& question) {
  report::Gate out;
  auto& gate = out.definition;
  gate.id = question.id;
  gate.metric = kMetric;
  gate.device = question.device;
  gate.ideal = static_cast<double>(answer_count(question));
  gate.points = question.points;
  gate.meaning = question.meaning;
  out.bounds[{}].min = gate.ideal;
  return out;
}

std::vector<report::WrongAnswer> wrong_answers(const course::Question& question,
                                               const std::vector<std::int64_t>& given) {
  const auto right = right_answers(question);
  std::vector<report::WrongAnswer> out;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (is_right(question, given[i], right[i])) continue;
    out.push_back({question.id, subject(question, i), given[i],
                   given[i] == kNoAnswer ? "Replace it by your own answer."
                                         : reasoning(question, i, given[i])});
    const auto words = course::answer_words(question);
    if (words.empty()) continue;
    out.back().word = given[i] == kNoAnswer ? kNoWord : words[static_cast<std::size_t>(given[i])];
  }
  return out;
}

report::Gate answered(const course::Question& question, std::size_t wrong) {
  auto out = unanswered(question);
  const report::GateValue right = static_cast<double>(answer_count(question) - wrong);
  out.decision = outcome_of(right, out.deciding_bounds());
  out.worst = report::GateMeasurement{{}, right, *out.decision};
  return out;
}

}  // namespace

// The questions, with the facts that their answers follow from.
static std::vector<course::Question> with_facts(const GradingTask& task,
                                                const LaunchFactsOf& facts) {
  const auto& form = std::get<course::QuestionsExercise>(task.exercise->form);
  auto out = form.questions;
  for (auto& question : out) {
    auto* profile = std::get_if<course::LaunchProfile>(&question.rule);
    if (profile == nullptr) continue;
    profile->facts = facts(*task.lab, form.launch_of(profile->kernel), question.device);
    const bool is_limit = profile->asked == course::ProfileAsked::kLimit;
    if (!is_limit || profile->facts.bottleneck != measure::Bottleneck::kUnknown) continue;
    throw base::ToolError(
        fmt::format("no single limit of `{}` on {} is known: ask about another launch",
                    profile->kernel, question.device));
  }
  return out;
}

report::ExerciseReport grade_answers(const GradingTask& task, const std::string& own_device,
                                     const LaunchFactsOf& facts) {
  const auto questions = with_facts(task, facts);
  auto report = report_on(task);
  const auto answers = read_answers(questions, task.submission, report);
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (!answers[i]) {
      report.gates.push_back(unanswered(questions[i]));
      continue;
    }
    const auto wrong = wrong_answers(questions[i], *answers[i]);
    report.gates.push_back(answered(questions[i], wrong.size()));
    report.wrong_answers.insert(report.wrong_answers.end(), wrong.begin(), wrong.end());
  }
  const bool is_read = report.diagnostics.empty() && report.tool_trouble.empty();
  if (is_read && report.wrong_answers.empty() && !own_device.empty()) {
    // The student's own card may have the same answers as a device in a question, so the report
    // explains them only after all answers are right.
    report.warnings = answers_on(questions, own_device);
  }
  judge_answers(report);
  add_advice(*task.exercise, report);
  return report;
}

Grading::Grading(const GradingServices& services, const GradingTask& task,
                 const std::string& only_device)
    : task_(task),
      own_device_(only_device == measure::kUnknownCard ? "" : only_device),
      launch_facts_(services.launch_facts) {
  if (task.exercise->kernel() == nullptr) return;
  plan_.emplace(plan_grade(services, task, only_device));
  begin_compilations(*plan_);
}

report::ExerciseReport Grading::grade() const {
  return plan_ ? grade_kernel() : grade_answers(task_, own_device_, launch_facts_);
}

report::ExerciseReport Grading::grade_kernel() const {
  auto execution = execute(*plan_);
  auto gates = time_cases(*plan_, execution);
  auto report = judge_cases(*plan_, execution, std::move(gates));
  explain(*plan_, execution.cases, report);
  return report;
}

}  // namespace warpgrade::grader::grade
