// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "common/base/text.h"
#include "grader/report/render_counters.h"
#include "grader/text/suggestions.h"

namespace warpgrade::grader {
namespace {

// A value that would be shown like the bound it misses gets the digits that tell them apart.
std::string yours(const GateResult& gate) {
  if (!gate.value) return gate.measured ? "none" : "-";
  if (gate.low && gate.high && std::isfinite(*gate.high)) {
    return fmt::format("{:.3f} +- {:.3f}", *gate.value, (*gate.high - *gate.low) / 2);
  }
  auto out = number(*gate.value);
  for (const auto& limit : {gate.min, gate.max}) {
    if (limit && *limit != *gate.value && number(*limit) == out) {
      out = fmt::format("{:.6g}", *gate.value);
    }
  }
  return out;
}

std::string heading(const ExerciseReport& item, const Style& style) {
  const bool passed = item.verdict == Verdict::kPass;
  const auto word = passed                            ? style(Colour::kGreen, "PASS")
                    : item.verdict == Verdict::kError ? style(Colour::kYellow, "NOT GRADED")
                    : item.verdict == Verdict::kInconclusive
                        ? style(Colour::kYellow, "INCONCLUSIVE")
                        : style(Colour::kRed, "FAIL");
  return fmt::format("{}: {}\n{}  {} of {} points  {}\n",
                     style(Colour::kBold, item.lab + "/" + item.exercise), item.title, word,
                     item.points, item.max_points, base::escape_controls(item.file));
}

// A card and its simulation may differ, so it is told which of the two it was.
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

// The first wrong case in full; of the others which they are, since shapes tell causes apart.
std::string results(const ExerciseReport& item, const Style& style) {
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
                  style(right == total ? Colour::kGreen : Colour::kRed,
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
      out += fmt::format("  stopped in case {} ({}) on {}\n", run.name, run.variables, place(run));
    }
    if (run.state != CaseResult::State::kIncorrect) continue;
    if (first == nullptr) {
      first = &run;
      out += fmt::format("  wrong in case {} ({}) on {}:\n{}", run.name, run.variables, place(run),
                         wrapped(base::escape_controls(run.difference), 4));
    } else if (run.name != first->name) {
      note(others, run.name);
    }
  }
  if (!others.empty())
    out += wrapped("wrong, too: " + joined(std::span<const std::string>(others)), 2);
  if (first != nullptr && !right_cases.empty()) {
    out += wrapped("right: " + joined(std::span<const std::string>(right_cases)), 2);
  }
  return out;
}

std::string source_line(const ExerciseReport& item, std::uint32_t line) {
  const auto text = base::escape_controls(base::line_of(item.source, line), false, true);
  return fmt::format("  {:>5} | {}\n", line, base::excerpt(text).text);
}

std::string gate_table(const ExerciseReport& item, const Style& style) {
  Columns table({true, true, false, false, false, true, false, true});
  table.add({"gate", "device", "skeleton", "yours", "ideal", "gate", "points"});
  for (std::size_t column = 0; column < 7; ++column) table.colour(0, column, Colour::kDim);
  for (const auto& gate : item.gates) {
    const auto row = table.size();
    const auto where = gate.backend == run::Backend::kGpu ? gate.device + " (GPU)" : gate.device;
    const auto mark = !gate.measured       ? std::string("not measured")
                      : gate.waived        ? std::string("waived")
                      : gate.undecided     ? std::string("NOT DECIDED")
                      : !gate.passed       ? std::string("FAIL")
                      : gate.lacks.empty() ? std::string("pass")
                                           : "pass, of no use without " + gate.lacks;
    table.add(
        {gate.id, where, number(gate.skeleton), yours(gate), number(gate.ideal), render_bound(gate),
         gate.max_points == 0 ? "-" : fmt::format("{}/{}", gate.points, gate.max_points), mark});
    const bool good = gate.passed && gate.lacks.empty();
    const auto colour = !gate.measured   ? Colour::kDim
                        : gate.undecided ? Colour::kYellow
                        : good           ? Colour::kGreen
                                         : Colour::kRed;
    table.colour(row, 3, colour);
    table.colour(row, 7, colour);
  }
  return table.text(2, style);
}

// The first few of each question: the pattern in them teaches, not their number.
std::string wrong_answers(const ExerciseReport& item) {
  constexpr std::size_t kMostShown = 2;
  std::string out;
  for (const auto& gate : item.gates) {
    std::vector<const WrongAnswer*> wrong;
    for (const auto& answer : item.wrong_answers) {
      if (answer.question == gate.id) wrong.push_back(&answer);
    }
    if (wrong.empty()) continue;
    out += wrapped(fmt::format("{}: {}", gate.id, gate.meaning), 2);
    for (std::size_t i = 0; i < std::min(wrong.size(), kMostShown); ++i) {
      const auto& answer = *wrong[i];
      out +=
          wrapped(fmt::format("{}{}not {}. {}", answer.subject, answer.subject.empty() ? "" : ": ",
                              answer.given, answer.reasoning),
                  4);
    }
    if (wrong.size() > kMostShown) {
      out += wrapped(fmt::format("and {} more", wrong.size() - kMostShown), 4);
    }
  }
  return out;
}

std::string failed_gates(const ExerciseReport& item, const Style& style) {
  std::string out;
  for (const auto& gate : item.gates) {
    // Where the mechanism fails, slowness is a consequence: the table above shows it.
    const bool explain = gate.is_performance == (item.reason == Reason::kPerformance);
    if (!gate.measured || gate.passed || gate.undecided || !explain) continue;
    out += wrapped(fmt::format("{}: {}{}", gate.id, gate.meaning,
                               gate.value ? "" : " The kernel makes no such access at all."),
                   2);
    for (const auto& table : item.lines) {
      if (table.gate != gate.id) continue;
      out += render_lines(table.lines, item.file, item.source, 4, style);
      if (!table.bound_by.empty()) {
        out += wrapped(fmt::format("bound by {} ({})", table.bound_by, render_shares(table.shares)),
                       4);
      }
    }
  }
  return out;
}

// Each line behind a bar, so that a kernel cannot print what looks like a line of the report.
std::string printed(const ExerciseReport& item) {
  constexpr std::uint32_t kMostLines = 20;
  if (item.printed.empty()) return {};
  auto out = fmt::format("  printed in case {}:\n", item.printed_case);
  std::uint32_t lines = 0;
  std::string_view rest = item.printed;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (++lines <= kMostLines) out += fmt::format("    | {}\n", base::escape_controls(line));
  }
  if (lines > kMostLines) out += fmt::format("    and {} more lines\n", lines - kMostLines);
  return out;
}

// The card's counters of each case; a reason for which there are none stands once for all cases.
std::string gpu_counters(const ExerciseReport& item) {
  std::string out;
  std::vector<std::string> reasons;
  for (const auto& counted : item.counted) {
    if (counted.reason.empty()) {
      out += fmt::format("  counted by the card in case {} ({}), no part of the grade:\n{}",
                         counted.name, counted.variables,
                         render_counters(counted.gpu, counted.simulated, 4));
      continue;
    }
    if (std::find(reasons.begin(), reasons.end(), counted.reason) != reasons.end()) continue;
    reasons.push_back(counted.reason);
    std::vector<std::string> names;
    for (const auto& other : item.counted) {
      if (other.reason == counted.reason) names.push_back(other.name);
    }
    out += wrapped(fmt::format("no counters of the card for {}: {}",
                               joined(std::span<const std::string>(names)),
                               base::escape_controls(counted.reason)),
                   2);
  }
  return out;
}

std::string render_exercise(const ExerciseReport& item, const Style& style) {
  auto out = heading(item, style);
  for (const auto& diagnostic : item.diagnostics) {
    // A place in a header is not in the submission's text.
    const bool own = diagnostic.where.file == item.file;
    out += base::render(diagnostic, own ? std::string_view(item.source) : std::string_view());
  }
  out += results(item, style) + printed(item);
  if (!item.result_lines.empty()) {
    out += "  results are written in:\n";
    for (const auto line : item.result_lines) out += source_line(item, line);
  }
  const bool any_measured = std::any_of(item.gates.begin(), item.gates.end(),
                                        [](const GateResult& gate) { return gate.measured; });
  if (any_measured) {
    out += gate_table(item, style);
    out += item.wrong_answers.empty() ? failed_gates(item, style) : wrong_answers(item);
  }
  out += gpu_counters(item);
  for (const auto& warning : item.warnings) out += wrapped(warning, 2);
  if (!item.next.empty()) {
    out +=
        fmt::format("  {}  {}", style(Colour::kBold, "next"), wrapped(item.next, 8, /*hang=*/true));
  }
  if (!item.hint.empty()) out += wrapped(item.hint, 8);
  return out;
}

}  // namespace

std::string render_lines(const std::vector<memory::LineCounters>& lines, const std::string& file,
                         const std::string& source, std::size_t indent, const Style& style) {
  Columns table({true, true, false, false, false, false, true});
  table.add(
      {"line", "operation", "requests", "sectors/request", "wavefronts/request", "", "source"});
  for (std::size_t column = 0; column < 7; ++column) table.colour(0, column, Colour::kDim);
  // The sectors that an access of one 4-byte word a lane needs, and one pass a request.
  constexpr double kGoodSectors = 4;
  constexpr double kGoodWavefronts = 1;
  for (const auto& line : lines) {
    const auto each = [&](std::uint64_t sum) {
      return line.requests == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(line.requests);
    };
    const bool is_shared = line.operation.space == run::Space::kShared;
    const auto row = table.size();
    const bool own = line.file == file;
    const auto text = own ? base::line_of(source, line.line) : std::string_view{};
    const auto begin = text.find_first_not_of(" \t");
    table.add(
        {own ? fmt::format("{}", line.line)
             : fmt::format("{}:{}", base::escape_controls(line.file), line.line),
         memory::name(line.operation), fmt::format("{}", line.requests),
         is_shared ? "-" : number(each(line.sectors)),
         is_shared ? number(each(line.wavefronts)) : "-", "|",
         base::excerpt(base::escape_controls(
                           begin == std::string_view::npos ? "" : text.substr(begin), false, true))
             .text});
    if (!is_shared && each(line.sectors) > kGoodSectors) table.colour(row, 3, Colour::kRed);
    if (is_shared && each(line.wavefronts) > kGoodWavefronts) table.colour(row, 4, Colour::kRed);
  }
  return table.text(indent, style);
}

std::string render_bound(const GateResult& gate) {
  if (gate.min && gate.max && *gate.min == *gate.max) return fmt::format("= {}", number(*gate.min));
  if (gate.min && gate.max) return fmt::format("{} to {}", number(*gate.min), number(*gate.max));
  return gate.min ? fmt::format(">= {}", number(*gate.min))
                  : fmt::format("<= {}", number(*gate.max));
}

std::string render_shares(const std::vector<timing::Share>& shares) {
  std::string out;
  for (const auto& share : shares) {
    if (!(share.seconds > 0)) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", share.resource, seconds(share.seconds));
  }
  return out;
}

std::string render_text(const Report& report, const Style& style) {
  std::string out = fmt::format("warpgrade grade: {} on {}, seed {}\n",
                                report.backend == run::Backend::kGpu ? "GPU" : "simulated",
                                report.device, report.seed);
  for (const auto& note : report.notes) out += wrapped(note, 0);
  for (const auto& item : report.exercises) {
    out += '\n';
    out += render_exercise(item, style);
  }
  const auto points = report.points();
  const auto most = report.max_points();
  const auto all = report.exercises.size();
  const auto passed =
      std::count_if(report.exercises.begin(), report.exercises.end(),
                    [](const auto& item) { return item.verdict == Verdict::kPass; });
  const bool complete = static_cast<std::size_t>(passed) == all;
  out += fmt::format(
      "\n{}, {} of {} exercise{} passed\n",
      style(complete ? Colour::kGreen : Colour::kRed, fmt::format("{} of {} points", points, most)),
      passed, all, all == 1 ? "" : "s");
  return out;
}

}  // namespace warpgrade::grader
