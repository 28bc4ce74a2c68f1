// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "common/base/text.h"
#include "grader/report/failure_text.h"
#include "grader/report/render_counters.h"
#include "grader/report/render_diagnostic.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_summary.h"
#include "grader/text/program_call.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader::report {
namespace {

std::string heading(const ExerciseReport& item, const text::Style& style) {
  return fmt::format("{}: {}\n{}  {} of {} points  {}\n",
                     style(text::Colour::kBold, item.lab + "/" + item.exercise), item.title,
                     style(colour_of(item.verdict), word_of(item.verdict)), item.points,
                     item.max_points, base::escape_controls(item.file));
}

// Results on a card and in its simulation may differ, so the text names one of the two.
std::string place(const CaseResult& run) {
  return run.backend == run::Backend::kGpu ? run.device + " on the GPU" : run.device;
}

std::string devices(const ExerciseReport& item) {
  std::vector<std::string> seen;
  for (const auto& run : item.cases) {
    const auto name = place(run);
    if (std::find(seen.begin(), seen.end(), name) == seen.end()) seen.push_back(name);
  }
  std::string out;
  for (const auto& name : seen) out += (out.empty() ? "" : ", ") + name;
  return out;
}

// The first wrong case with its variables; only the names of the others, since shapes reveal the
// cause.
std::string results(const ExerciseReport& item, const text::Style& style) {
  if (item.cases.empty()) return {};
  const auto count = [&](CaseResult::State state) {
    return std::count_if(item.cases.begin(), item.cases.end(),
                         [state](const CaseResult& run) { return run.state == state; });
  };
  const auto right = count(CaseResult::State::kPassed);
  const auto not_run = count(CaseResult::State::kNotRun);
  const auto total = static_cast<std::ptrdiff_t>(item.cases.size());
  std::string out =
      fmt::format("  result  {}\n",
                  style(right == total ? text::Colour::kGreen : text::Colour::kRed,
                        fmt::format("right in {} of {} runs ({}){}", right, total, devices(item),
                                    not_run == 0 ? "" : fmt::format(", {} not run", not_run))));
  const CaseResult* first = nullptr;
  std::vector<std::string> others;
  std::vector<std::string> right_cases;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& run : item.cases) {
    if (run.state == CaseResult::State::kPassed) note(right_cases, run.name);
    if (run.state == CaseResult::State::kDiagnostic) {
      out += fmt::format("  stopped in case {} ({}) on {}\n", run.name,
                         text::in_words(run.variables), place(run));
    }
    if (run.state != CaseResult::State::kIncorrect) continue;
    if (first == nullptr) {
      first = &run;
      out += fmt::format("  wrong in case {} ({}) on {}\n", run.name, text::in_words(run.variables),
                         place(run));
    } else if (run.name != first->name) {
      note(others, run.name);
    }
  }
  if (!others.empty())
    out += text::wrapped("also wrong: " + text::joined(std::span<const std::string>(others)), 2,
                         false, style.width());
  if (first != nullptr && !right_cases.empty()) {
    out += text::wrapped("right: " + text::joined(std::span<const std::string>(right_cases)), 2,
                         false, style.width());
  }
  return out;
}

std::string source_line(const ExerciseReport& item, std::uint32_t line) {
  const auto text = base::escape_controls(base::line_of(item.source, line), false, true);
  return fmt::format("  {:>5} | {}\n", line, base::excerpt(text).text);
}

// A label and its text, which hangs below it.
std::string labelled(std::string_view label, const std::string& text, const text::Style& style) {
  return fmt::format("  {}{}{}", style(text::Colour::kBold, std::string(label)),
                     std::string(6 - label.size(), ' '),
                     text::wrapped(text, 8, /*hang=*/true, style.width()));
}

// The next step, and the hint that the student may read.
std::string next_step(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  if (!item.next.empty()) out += labelled("next", item.next, style);
  if (!item.hint.empty()) {
    out += text::wrapped(item.hint, 8, false, style.width());
    out += fmt::format("        More: {} hint {}/{} --next\n", text::program_call(), item.lab,
                       item.exercise);
  }
  return out;
}

// The first few of the first questions: the pattern in them teaches, not their number.
std::string wrong_answers(const ExerciseReport& item, const text::Style& style) {
  constexpr std::size_t kMostShown = 2;
  constexpr std::size_t kMostOfAll = 6;
  std::string out;
  std::vector<std::string> others;
  std::size_t shown_so_far = 0;
  for (const auto& gate : item.gates) {
    std::vector<const WrongAnswer*> wrong;
    for (const auto& answer : item.wrong_answers) {
      if (answer.question == gate.gate.id) wrong.push_back(&answer);
    }
    if (wrong.empty()) continue;
    if (shown_so_far >= kMostOfAll) {
      others.push_back(gate.gate.id);
      continue;
    }
    shown_so_far += std::min(wrong.size(), kMostShown);
    out += text::wrapped(fmt::format("{}: {}", gate.gate.id, gate.gate.meaning), 2, false,
                         style.width());
    for (std::size_t i = 0; i < std::min(wrong.size(), kMostShown); ++i) {
      const auto& answer = *wrong[i];
      out += text::wrapped(
          fmt::format("{}{}{} is wrong. {}", answer.subject, answer.subject.empty() ? "" : ": ",
                      answer.given, answer.reasoning),
          4, false, style.width());
    }
    if (wrong.size() > kMostShown) {
      out += fmt::format("    and {} more\n", wrong.size() - kMostShown);
    }
  }
  if (!others.empty()) {
    out += text::wrapped("also wrong: " + text::joined(std::span<const std::string>(others)), 2,
                         false, style.width());
  }
  return out;
}

// Each line after a bar, so that a kernel's output cannot look like a line of the report.
std::string printed_lines(std::string_view rest) {
  constexpr std::uint32_t kMostLines = 20;
  constexpr std::size_t kMostColumns = 500;
  std::string out;
  std::uint32_t lines = 0;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (++lines > kMostLines) continue;
    const auto shown = base::excerpt(base::escape_controls(line), 0, kMostColumns);
    out += fmt::format("    | {}\n", shown.text);
  }
  if (lines > kMostLines) out += fmt::format("    and {} more lines\n", lines - kMostLines);
  return out;
}

std::string printed(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  if (!item.printed_first.empty()) {
    out += text::wrapped(
        fmt::format("output of case {} by {}:", item.printed_case, item.printed_thread), 2, false,
        style.width());
    out += printed_lines(item.printed_first);
  }
  if (item.printed.empty()) return out;
  out += fmt::format("  output of case {}{}:\n", item.printed_case,
                     item.printed_first.empty() ? "" : " by the other threads");
  return out + printed_lines(item.printed);
}

// The card's counters of each case; prints a reason for missing ones once for all cases.
std::string gpu_counters(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  std::vector<std::string> reasons;
  for (const auto& counted : item.counted) {
    if (counted.reason.empty()) {
      out += fmt::format("  counted by the card in case {} ({}), no part of the grade:\n{}",
                         counted.name, text::in_words(counted.variables),
                         render_counters(counted.gpu, counted.simulated, 4));
      continue;
    }
    if (std::find(reasons.begin(), reasons.end(), counted.reason) != reasons.end()) continue;
    reasons.push_back(counted.reason);
    std::vector<std::string> names;
    for (const auto& other : item.counted) {
      if (other.reason == counted.reason) names.push_back(other.name);
    }
    out += text::wrapped(fmt::format("no counters of the card for {}: {}",
                                     text::joined(std::span<const std::string>(names)),
                                     base::escape_controls(counted.reason)),
                         2, false, style.width());
  }
  return out;
}

std::string render_exercise(const ExerciseReport& item, const text::Style& style) {
  auto out = heading(item, style);
  for (const auto* all : {&item.diagnostics, &item.race_warnings}) {
    for (const auto& diagnostic : *all) {
      // A place in a header is not in the submission's text.
      const bool own = diagnostic.where.file == item.file;
      out += render_diagnostic(diagnostic, own ? item.source : "", style);
    }
  }
  if (const auto text = failure_text(item); !text.empty()) out += labelled("why", text, style);
  out += next_step(item, style);
  if (!item.result_lines.empty()) {
    out += "  results are stored in:\n";
    for (const auto line : item.result_lines) out += source_line(item, line);
  }
  out += results(item, style) + printed(item, style);
  out += render_gates(item, style);
  out += item.wrong_answers.empty() ? render_failed_gates(item, style) : wrong_answers(item, style);
  out += gpu_counters(item, style);
  for (const auto& warning : item.warnings) out += text::wrapped(warning, 2, false, style.width());
  if (!item.left_out.empty()) out += text::wrapped(item.left_out, 2, false, style.width());
  return out;
}

}  // namespace

std::string render_text(const Report& report, const text::Style& style) {
  std::string out = fmt::format("warpgrade grade: {} on {}, seed {}\n",
                                report.backend == run::Backend::kGpu ? "GPU" : "simulated",
                                report.device, report.seed);
  for (const auto& note : report.notes) out += text::wrapped(note, 0, false, style.width());
  for (const auto& item : report.exercises) {
    out += '\n';
    out += render_exercise(item, style);
  }
  out += '\n' + render_summary(report, style);
  return out;
}

}  // namespace warpgrade::grader::report
