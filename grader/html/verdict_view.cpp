// SPDX-License-Identifier: Apache-2.0
#include "grader/html/verdict_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "grader/html/html_text.h"
#include "grader/html/race_view.h"
#include "grader/report/failure_text.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_lines.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::html {
namespace {

constexpr std::size_t kMostFindings = 20;
constexpr std::size_t kMostAnswers = 2;     // Per question.
constexpr std::size_t kMostPrinted = 4000;  // Bytes.

using Badge = std::pair<const char*, const char*>;  // Its class and its text.

Badge badge_of(report::Verdict verdict) {
  switch (verdict) {
    case report::Verdict::kPass:
      return {"good", "PASS"};
    case report::Verdict::kFail:
      return {"bad", "FAIL"};
    case report::Verdict::kInconclusive:
      return {"open", "INCONCLUSIVE"};
    case report::Verdict::kError:
      break;
  }
  return {"open", "NOT GRADED"};
}

std::string thread_text(const char* what, const std::optional<base::Dim3>& index) {
  return index ? fmt::format("{} {}", what, base::text(*index)) : std::string();
}

std::string case_text(const report::CaseResult& run) {
  return fmt::format("{} ({}) on {}", run.name, text::in_words(run.variables), run.device);
}

std::string gate_value(const report::GateReport& gate) {
  const auto value = gate.value();
  if (!value) return "-";
  const auto range = gate.model_range();
  if (!range) return text::number(*value);
  return fmt::format("{} <small>(model: {} to {})</small>", text::number(*value),
                     report::ratio_text(range->low), report::ratio_text(range->high));
}

std::string gate_row(const report::GateReport& gate) {
  const auto* word = gate.has_passed() ? "pass" : gate.has_failed() ? "fail" : "undecided";
  const auto lacks = gate.lacks.empty()
                         ? std::string()
                         : fmt::format(" It earns nothing until {} passes.", gate.lacks);
  const auto spared = gate.is_spared() ? " " + spared_text(gate) : std::string();
  const auto* css = gate.has_passed() ? "good" : gate.has_failed() ? "bad" : "open";
  return fmt::format(
      "<tr><td class=\"{}\">{}</td><th scope=\"row\">{}</th><td>{}</td><td "
      "class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td "
      "class=\"number\">{}</td><td>{}</td></tr>\n",
      css, word, escaped(gate.gate.id), escaped(gate.gate.device), gate_value(gate),
      escaped(render_bound(gate.bounds)),
      gate.gate.skeleton ? text::number(*gate.gate.skeleton) : std::string("-"),
      gate.gate.max_points == 0 ? std::string("check")
                                : fmt::format("{} of {}", gate.points, gate.gate.max_points),
      sentence(gate.gate.meaning + (gate.has_passed() ? "" : " " + gate.gate.next) + spared +
               lacks));
}

std::string gate_table(const std::vector<const report::GateReport*>& gates, const char* name) {
  std::string rows;
  for (const auto* gate : gates) rows += gate_row(*gate);
  return fmt::format(
      "<div class=\"wide gates\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><tr><th "
      "scope=\"col\"></th><th scope=\"col\">gate</th><th scope=\"col\">device</th><th "
      "scope=\"col\" "
      "class=\"number\">yours</th><th scope=\"col\" class=\"number\">needed</th><th scope=\"col\" "
      "class=\"number\">skeleton</th><th scope=\"col\" class=\"number\">points</th><th "
      "scope=\"col\">meaning</th></tr>\n{}</table></div>\n",
      name, rows);
}

// The lines that execute most, if a gate on the number of instructions fails. The source view shows
// only memory accesses.
std::string instruction_view(const report::ExerciseReport& item) {
  std::string out;
  for (const auto& table : item.lines) {
    if (table.instructions.empty()) continue;
    const auto text = report::render_instructions(table.instructions, item.file, item.source, 0,
                                                  text::Style(false, 100));
    out += fmt::format("<h4>{}: the lines that execute most</h4>\n<pre>{}</pre>\n",
                       escaped(table.gate), escaped(text, true));
  }
  return out;
}

// The source line with a caret under the column; empty if the place is not in the submission.
std::string excerpt_view(const report::ExerciseReport& item, const base::SourceLocation& where) {
  if (where.file != item.file || where.line == 0) return {};
  const auto line = base::escape_controls(base::line_of(item.source, where.line), false, true);
  if (line.empty()) return {};
  const auto column = where.column == 0 ? 0 : where.column - 1;
  const auto shown = base::excerpt(line, column);
  auto out = fmt::format("<pre>{:>5} | {}", where.line, escaped(shown.text));
  if (where.column != 0) out += "\n      | " + std::string(shown.column, ' ') + "^";
  return out + "</pre>\n";
}

}  // namespace

std::string verdict_badge(report::Verdict verdict) {
  const auto [css, text] = badge_of(verdict);
  return fmt::format("<span class=\"badge {}\">{}</span>", css, text);
}

std::string heading_view(const report::ExerciseReport& item) {
  return fmt::format(
      "<div class=\"head\"><h2>{}/{}</h2>{}<span>{} of {} points</span></div>\n<p>{}</p>\n<p "
      "class=\"quiet\">{}</p>\n",
      escaped(item.lab), escaped(item.exercise), verdict_badge(item.verdict), item.points,
      item.max_points, sentence(item.title), escaped(item.file));
}

std::string next_view(const report::ExerciseReport& item) {
  if (item.next.empty() && item.hint.empty()) return {};
  const auto why = failure_text(item);
  return "<div class=\"next\">" +
         (why.empty() ? "" : "<p><strong>Why.</strong> " + sentence(why) + "</p>\n") +
         "<p><strong>Next.</strong> " + sentence(item.next) + "</p>\n" + paragraph(item.hint) +
         "</div>\n";
}

std::string findings_view(const report::ExerciseReport& item) {
  std::string out;
  if (!item.tool_trouble.empty()) {
    out += "<div class=\"finding\"><h4>This grader could not judge it</h4>" +
           paragraph(item.tool_trouble) + "</div>\n";
  }
  for (std::size_t i = 0; i < std::min(item.diagnostics.size(), kMostFindings); ++i) {
    const auto& found = item.diagnostics[i];
    const auto line = fmt::format("line {}", found.where.line);
    const auto place = found.where.line == 0           ? found.where.file
                       : found.where.file == item.file ? line
                                                       : line + " of " + found.where.file;
    const auto block = thread_text("block", found.block);
    const auto thread = thread_text("thread", found.thread);
    out += fmt::format(
        "<div class=\"finding\"><h4><span class=\"bad\">{}</span>: "
        "{}</h4>\n<p>{}</p>\n{}{}{}</div>\n",
        base::name(found.kind), escaped(place), sentence(base::shown_message(found)),
        race_view(item, found), excerpt_view(item, found.where),
        paragraph(block + (block.empty() || thread.empty() ? "" : ", ") + thread, "quiet"));
  }
  if (item.diagnostics.size() > kMostFindings) {
    out += paragraph(fmt::format("and {} more", item.diagnostics.size() - kMostFindings));
  }
  return out.empty() ? out : "<h3>Findings</h3>\n" + out;
}

std::string results_view(const report::ExerciseReport& item) {
  if (item.cases.empty()) return {};
  const auto count = [&](report::CaseResult::State state) {
    return std::count_if(item.cases.begin(), item.cases.end(),
                         [state](const report::CaseResult& run) { return run.state == state; });
  };
  const auto right = count(report::CaseResult::State::kPassed);
  const auto not_run = count(report::CaseResult::State::kNotRun);
  const auto all = static_cast<std::ptrdiff_t>(item.cases.size());
  auto out = fmt::format(
      "<h3>Results</h3>\n<p><strong class=\"{}\">Right in {} of {} runs.</strong>{}</p>\n",
      right == all ? "good" : "bad", right, all,
      not_run == 0 ? "" : fmt::format(" {} {} not run.", not_run, not_run == 1 ? "was" : "were"));
  for (const auto& run : item.cases) {
    if (run.state == report::CaseResult::State::kDiagnostic) {
      out += paragraph("Stopped in case " + case_text(run) + ".");
    }
  }
  const auto* wrong = item.first_incorrect();
  if (wrong == nullptr) return out;
  out += paragraph("Wrong in case " + case_text(*wrong) + ":");
  if (wrong->difference) out += paragraph(wrong->difference->text);
  std::set<std::string> wrong_cases;
  std::set<std::string> right_cases;
  for (const auto& run : item.cases) {
    if (run.state == report::CaseResult::State::kIncorrect) wrong_cases.insert(run.name);
    if (run.state == report::CaseResult::State::kPassed) right_cases.insert(run.name);
  }
  const auto list = [](const char* word, const std::set<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? text : paragraph(word + text + ".", "quiet");
  };
  return out + list("Wrong cases: ", wrong_cases) + list("Right cases: ", right_cases);
}

std::string gates_view(const report::ExerciseReport& item) {
  std::vector<const report::GateReport*> open;
  std::vector<const report::GateReport*> passed;
  for (const auto& gate : item.gates) {
    if (!gate.worst && !gate.decision) continue;
    (gate.has_passed() && gate.points == gate.gate.max_points ? passed : open).push_back(&gate);
  }
  if (open.empty() && passed.empty()) return {};
  std::string out = "<h3>Gates</h3>\n";
  if (!open.empty()) out += gate_table(open, "Gates without points");
  out += instruction_view(item);
  if (passed.empty()) return out;
  return out + fmt::format("<details{}><summary>{} gate{} passed</summary>\n{}</details>\n",
                           open.empty() ? " open" : "", passed.size(),
                           passed.size() == 1 ? "" : "s", gate_table(passed, "Passed gates"));
}

// The first few of each question, as in the text report: the pattern in them teaches, not their
// number.
std::string answers_view(const report::ExerciseReport& item) {
  std::string out;
  for (const auto& gate : item.gates) {
    std::size_t wrong = 0;
    std::string list;
    for (const auto& answer : item.wrong_answers) {
      if (answer.question != gate.gate.id || ++wrong > kMostAnswers) continue;
      list +=
          fmt::format("<li>{}{}{} is wrong. {}</li>\n", escaped(answer.subject),
                      answer.subject.empty() ? "" : ": ", answer.given, sentence(answer.reasoning));
    }
    if (wrong == 0) continue;
    if (wrong > kMostAnswers) list += fmt::format("<li>and {} more</li>\n", wrong - kMostAnswers);
    out += fmt::format("<h4>{}</h4>\n<ul>{}</ul>\n", escaped(gate.gate.id), list);
  }
  return out.empty() ? out : "<h3>Wrong answers</h3>\n" + out;
}

std::string remarks_view(const report::ExerciseReport& item) {
  std::string out;
  for (const auto& warning : item.warnings) out += paragraph(warning);
  out += paragraph(item.left_out);
  const auto add_printed = [&](std::string_view text, const std::string& by) {
    if (text.empty()) return;
    out += fmt::format("<p>Printed in case {}{}:</p><pre>{}{}</pre>\n", escaped(item.printed_case),
                       escaped(by), escaped(text.substr(0, kMostPrinted), true),
                       text.size() > kMostPrinted ? "\n..." : "");
  };
  add_printed(item.printed_first, " by " + item.printed_thread);
  add_printed(item.printed, item.printed_first.empty() ? "" : " by the other threads");
  return out.empty() ? out : "<h3>Remarks</h3>\n" + out;
}

}  // namespace warpgrade::grader::html
