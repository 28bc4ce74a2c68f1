// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"
#include "grader/report/render_gates.h"

namespace warpgrade::grader::report {
namespace {

std::string trouble_of(const base::Diagnostic& diagnostic) {
  const auto what = diagnostic.kind == base::DiagnosticKind::kCompileError
                        ? std::string("does not compile")
                        : std::string(base::name(diagnostic.kind));
  const auto& where = diagnostic.where;
  return where.line == 0 ? what : fmt::format("{}, line {}", what, where.line);
}

std::string trouble_of(const GateReport& gate) {
  const auto value = gate.value();
  return fmt::format("{} is {}, needs {}", gate.gate.id, value ? text::number(*value) : "none",
                     render_bound(gate.bounds));
}

std::string total(const Report& report, const text::Style& style) {
  const auto all = report.exercises.size();
  const auto passed =
      std::ranges::count(report.exercises, Verdict::kPass, &ExerciseReport::verdict);
  const bool complete = static_cast<std::size_t>(passed) == all;
  return fmt::format("{}, {} of {} exercise{} passed\n",
                     style(complete ? text::Colour::kGreen : text::Colour::kRed,
                           fmt::format("{} of {} points", report.points(), report.max_points())),
                     passed, all, all == 1 ? "" : "s");
}

}  // namespace

std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPass:
      return "PASS";
    case Verdict::kFail:
      return "FAIL";
    case Verdict::kInconclusive:
      return "INCONCLUSIVE";
    case Verdict::kError:
      break;
  }
  return "NOT GRADED";
}

text::Colour colour_of(Verdict verdict) {
  if (verdict == Verdict::kPass) return text::Colour::kGreen;
  return verdict == Verdict::kFail ? text::Colour::kRed : text::Colour::kYellow;
}

std::string first_trouble(const ExerciseReport& item) {
  if (item.verdict == Verdict::kPass) return {};
  if (item.verdict == Verdict::kInconclusive) return "right, but its speed could not be decided";
  if (item.verdict == Verdict::kError) {
    return item.tool_trouble.empty() ? "could not be judged" : item.tool_trouble;
  }
  if (!item.diagnostics.empty()) return trouble_of(item.diagnostics.front());
  if (!item.wrong_answers.empty()) {
    const auto count = item.wrong_answers.size();
    return fmt::format("{} wrong answer{}", count, count == 1 ? "" : "s");
  }
  if (const auto* wrong = item.first_incorrect()) return "wrong result in case " + wrong->name;
  const auto is_reason = [&](const GateReport& gate) {
    return gate.has_failed() && gate.gate.is_performance() == (item.reason == Reason::kPerformance);
  };
  const auto failed = std::ranges::find_if(item.gates, is_reason);
  return failed == item.gates.end() ? "" : trouble_of(*failed);
}

std::string bar(std::uint32_t points, std::uint32_t most) {
  constexpr std::size_t kCells = 10;
  const auto full = most == 0 ? 0 : std::min<std::size_t>(kCells * points / most, kCells);
  return std::string(full, '#') + std::string(kCells - full, '.');
}

std::string render_brief(const Report& report, const text::Style& style) {
  text::Columns table({true, true, false, true, true});
  for (const auto& item : report.exercises) {
    table.colour(table.size(), 0, colour_of(item.verdict));
    table.colour(table.size(), 3, colour_of(item.verdict));
    table.add({std::string(word_of(item.verdict)), item.lab + "/" + item.exercise,
               fmt::format("{}/{}", item.points, item.max_points),
               bar(item.points, item.max_points)});
  }
  const auto used = table.width() + 2;
  const auto room = std::max<std::size_t>(style.width(), used + 20) - used;
  std::string out;
  std::size_t i = 0;
  const auto lines = table.text(0, style);
  for (std::string_view rest = lines; !rest.empty(); ++i) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    const auto trouble = first_trouble(report.exercises[i]);
    out += line;
    if (!trouble.empty()) {
      out += "  " + base::excerpt(base::escape_controls(trouble), 0, room).text;
    }
    out += '\n';
  }
  return out;
}

std::string render_summary(const Report& report, const text::Style& style) {
  const bool several = report.exercises.size() > 1;
  return (several ? render_brief(report, style) + '\n' : std::string()) + total(report, style);
}

}  // namespace warpgrade::grader::report
