// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_gates.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "common/base/text.h"
#include "grader/report/render_measurements.h"
#include "grader/report/report.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::report {
namespace {

// A value that would print like the bound it misses gets enough digits to differ.
std::string yours(const Gate& gate) {
  const auto value = gate.value();
  if (!value) return gate.decision && gate.unmodelled().empty() ? "none" : "-";
  const auto* interval = gate.interval();
  if (interval != nullptr && std::isfinite(interval->high)) {
    return fmt::format("{:.3f} +- {:.3f}", *value, (interval->high - interval->low) / 2);
  }
  auto out = text::number(*value);
  const auto bounds = gate.deciding_bounds();
  for (const auto& limit : {bounds.min, bounds.max}) {
    if (limit && *limit != *value && text::number(*limit) == out)
      out = fmt::format("{:.6g}", *value);
  }
  return out;
}

// The last column of the table.
std::string mark(const Gate& gate) {
  if (!gate.decision) return "not measured";
  if (gate.waiver) return "waived";
  if (gate.has_failed()) return "FAIL";
  if (!gate.has_passed()) return "NOT DECIDED";
  if (!gate.lacks.empty()) return "blocked by " + gate.lacks;
  return gate.is_spared() ? "pass, see below" : "pass";
}

// A passing gate without points carries no information, except for a speed, which belongs to a
// picture.
bool is_quiet(const Gate& gate) {
  return gate.has_passed() && !gate.waiver && gate.definition.points == 0 &&
         !gate.definition.is_performance();
}

// The gates of a table; failed ones come first.
std::vector<const Gate*> shown_gates(const ExerciseReport& item) {
  std::vector<const Gate*> out;
  for (const auto& gate : item.gates) {
    if (!is_quiet(gate)) out.push_back(&gate);
  }
  std::stable_partition(out.begin(), out.end(),
                        [](const Gate* gate) { return !gate->has_passed(); });
  return out;
}

std::string guards(const ExerciseReport& item) {
  const auto count = std::ranges::count_if(item.gates, is_quiet);
  if (count == 0) return {};
  return fmt::format("  {} guard{} pass{}\n", count, count == 1 ? "" : "s", count == 1 ? "es" : "");
}

// Gates that pass without earning points, and the gates that they wait for.
std::string lacking_gates(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  std::vector<std::string> done;
  for (const auto& first : item.gates) {
    if (first.lacks.empty() || std::ranges::find(done, first.lacks) != done.end()) continue;
    done.push_back(first.lacks);
    std::vector<std::string> ids;
    for (const auto& gate : item.gates) {
      if (gate.lacks == first.lacks && !is_quiet(gate)) ids.push_back(gate.definition.id);
    }
    if (ids.empty()) continue;
    const bool one = ids.size() == 1;
    out += text::wrapped(
        fmt::format("{} pass{}, but earn{} nothing until {} passes.", fmt::join(ids, ", "),
                    one ? "es" : "", one ? "s" : "", first.lacks),
        2, false, style.width());
  }
  return out;
}

text::Colour gate_colour(const Gate& gate) {
  if (!gate.decision) return text::Colour::kDim;
  if (gate.decision == GateOutcome::kUndecided) return text::Colour::kYellow;
  return gate.has_passed() && gate.lacks.empty() ? text::Colour::kGreen : text::Colour::kRed;
}

std::string margin_of_model(const Gate& gate) {
  const auto what = gate.kind ? fmt::format(" of {}", device::many(*gate.kind)) : "";
  return fmt::format("the time model's margin{} on {} ({:.0f} %)", what, gate.definition.device,
                     100 * gate.model_margin);
}

std::string spared_gates(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  for (const auto& gate : item.gates) {
    if (!gate.is_spared()) continue;
    out += text::wrapped(fmt::format("{}: {}", gate.definition.id, spared_text(gate)), 2, false,
                         style.width());
  }
  return out;
}

std::string undecided_gates(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  for (const auto& gate : item.gates) {
    const auto why = unmodelled_text(gate.unmodelled());
    if (why.empty()) continue;
    out += text::wrapped(fmt::format("{}: {}", gate.definition.id, why), 2, false, style.width());
  }
  return out;
}

// The sizes at which speeds are graded, if they differ from the counters' sizes.
std::string sizes(const ExerciseReport& item, const text::Style& style) {
  std::vector<std::string> all;
  for (const auto& gate : item.gates) {
    if (!gate.worst || gate.worst->size.empty()) continue;
    if (std::ranges::find(all, gate.worst->size) == all.end()) all.push_back(gate.worst->size);
  }
  if (all.empty()) return {};
  return text::wrapped(fmt::format("Speed at {}.", fmt::join(all, " and at ")), 2, false,
                       style.width());
}

// Speeds of the time model, each with the range of its error.
std::string modelled_speeds(const ExerciseReport& item, const text::Style& style) {
  std::vector<std::string> all;
  for (const auto& gate : item.gates) {
    const auto range = gate.model_range();
    if (!range) continue;
    all.push_back(fmt::format("{} {} ({} to {})", gate.definition.id, ratio_text(*gate.value()),
                              ratio_text(range->low), ratio_text(range->high)));
  }
  if (all.empty()) return {};
  return text::wrapped(fmt::format("Simulated: {}.", fmt::join(all, ", ")), 2, false,
                       style.width());
}

std::string roofline_lines(const ExerciseReport& item, const text::Style& style) {
  std::string out;
  for (const auto& one : item.cases) {
    if (one.roofline) out += text::wrapped(roofline_text(one), 2, false, style.width());
  }
  return out;
}

// The columns of a table of gates: on a narrow terminal, the least important ones go first.
struct Shown {
  bool skeleton = true;
  bool ideal = true;
};

text::Columns gate_table(const std::vector<const Gate*>& gates, const Shown& shown) {
  std::vector<bool> left = {true, true};
  std::vector<std::string> heads = {"gate", "device"};
  if (shown.skeleton) heads.emplace_back("skeleton");
  const auto own = heads.size();
  heads.emplace_back("yours");
  if (shown.ideal) heads.emplace_back("ideal");
  left.resize(heads.size());
  left.insert(left.end(), {true, false, true});
  heads.insert(heads.end(), {"needed", "points"});
  text::Columns table(left);
  for (std::size_t column = 0; column < heads.size(); ++column)
    table.colour(0, column, text::Colour::kDim);
  table.add(heads);
  for (const auto* gate : gates) {
    const auto& what = gate->definition;
    const bool on_gpu = gate->backend == run::Backend::kGpu;
    std::vector<std::string> cells = {what.id, on_gpu ? what.device + " (GPU)" : what.device};
    if (shown.skeleton) cells.push_back(what.skeleton ? text::number(*what.skeleton) : "-");
    cells.push_back(yours(*gate));
    if (shown.ideal) cells.push_back(text::number(what.ideal));
    cells.push_back(render_bound(gate->deciding_bounds()));
    cells.push_back(what.points == 0 ? "-" : fmt::format("{}/{}", gate->points, what.points));
    cells.push_back(mark(*gate));
    table.colour(table.size(), own, gate_colour(*gate));
    table.colour(table.size(), cells.size() - 1, gate_colour(*gate));
    table.add(std::move(cells));
  }
  return table;
}

// Whether `table` has the same lines as `other`, so that showing it again is useless.
bool same_lines(const LineTable& table, const LineTable& other) {
  return table.device == other.device && table.bound_by == other.bound_by &&
         table.skew == other.skew && table.instructions == other.instructions &&
         std::ranges::equal(table.lines, other.lines, [](const auto& a, const auto& b) {
           return a.file == b.file && a.line == b.line && a.operation == b.operation;
         });
}

const LineTable* lines_of(const ExerciseReport& item, const Gate& gate) {
  const auto found = std::ranges::find(item.lines, gate.definition.id, &LineTable::gate);
  return found == item.lines.end() ? nullptr : &*found;
}

// Names the case of the speed and its size, if there are several cases.
std::string slowest_case(const ExerciseReport& item, const Gate& gate) {
  if (!gate.definition.is_performance() || !gate.worst || !gate.worst->size.empty()) return {};
  const auto found = std::ranges::find(item.cases, gate.worst->case_name, &Case::name);
  if (found == item.cases.end()) return {};
  return fmt::format("The deciding case is {} ({}). ", found->name,
                     text::in_words(found->variables));
}

std::string explained(const ExerciseReport& item, const Gate& gate, const text::Style& style) {
  auto out = text::wrapped(fmt::format("{}: {}{}", gate.definition.id, gate.definition.meaning,
                                       gate.value() ? "" : " The kernel has no such access."),
                           2, false, style.width());
  auto how = slowest_case(item, gate);
  if (gate.model_margin > 0) {
    how += fmt::format("It misses its bound by more than {}.", margin_of_model(gate));
  }
  if (!how.empty()) out += text::wrapped(how, 4, false, style.width());
  return out;
}

// Bounds of at least this size are on counts, which are whole numbers.
constexpr double kLeastCount = 1000;

double least_whole(double bound) { return bound < kLeastCount ? bound : std::ceil(bound); }

double most_whole(double bound) { return bound < kLeastCount ? bound : std::floor(bound); }

// The gates that are the reason of the failure. If the mechanism fails, slowness is a consequence:
// the table shows it.
std::vector<const Gate*> decisive_failures(const ExerciseReport& item) {
  std::vector<const Gate*> out;
  for (const auto& gate : item.gates) {
    const bool is_decisive = gate.definition.judges_time() == (item.reason == Reason::kPerformance);
    if (gate.has_failed() && is_decisive) out.push_back(&gate);
  }
  return out;
}

}  // namespace

std::string render_gates(const ExerciseReport& item, const text::Style& style) {
  const bool any_measured = std::any_of(item.gates.begin(), item.gates.end(),
                                        [](const Gate& gate) { return gate.decision; });
  if (!any_measured) return {};
  const auto gates = shown_gates(item);
  const auto fits = [&](const text::Columns& table) { return table.width() + 2 <= style.width(); };
  auto table = gate_table(gates, {});
  if (!fits(table)) table = gate_table(gates, {.skeleton = false});
  if (!fits(table)) table = gate_table(gates, {.skeleton = false, .ideal = false});
  return (gates.empty() ? "" : table.text(2, style)) + lacking_gates(item, style) + guards(item) +
         sizes(item, style) + roofline_lines(item, style) + modelled_speeds(item, style) +
         spared_gates(item, style) + undecided_gates(item, style);
}

std::string render_failed_gates(const ExerciseReport& item, const text::Style& style) {
  auto failed = decisive_failures(item);
  std::string out;
  while (!failed.empty()) {
    // Gates on the same lines appear together, and the lines once.
    const auto* lines = lines_of(item, *failed.front());
    const auto others = std::stable_partition(failed.begin(), failed.end(), [&](const Gate* gate) {
      const auto* own = lines_of(item, *gate);
      return own == lines || (own != nullptr && lines != nullptr && same_lines(*own, *lines));
    });
    for (auto gate = failed.begin(); gate != others; ++gate) {
      out += explained(item, **gate, style);
    }
    failed.erase(failed.begin(), others);
    if (lines == nullptr) continue;
    out += lines->instructions.empty()
               ? render_lines(lines->lines, item.file, item.source, 4, style)
               : render_instructions(lines->instructions, item.file, item.source, 4, style);
    if (lines->bound_by != timing::Bound::kNone) {
      out += text::wrapped(fmt::format("bound by {} ({})", bound_in_words(lines->bound_by),
                                       render_shares(lines->shares)),
                           4, false, style.width());
    }
    out += text::wrapped(skew_text(lines->skew), 4, false, style.width());
    out += text::wrapped(inexact_time_text(lines->unmodelled), 4, false, style.width());
  }
  return out;
}

std::string spared_text(const Gate& gate) {
  if (!gate.is_spared()) return {};
  return fmt::format("{} misses {}, but by less than {}, so it passes.", yours(gate),
                     render_bound(gate.deciding_bounds()), margin_of_model(gate));
}

std::string render_bound(const GateBounds& bounds) {
  if (!bounds.min && !bounds.max) return "-";
  const auto least = bounds.min ? text::number(least_whole(*bounds.min)) : "";
  const auto most = bounds.max ? text::number(most_whole(*bounds.max)) : "";
  if (bounds.min && bounds.max && *bounds.min == *bounds.max) return fmt::format("= {}", least);
  if (bounds.min && bounds.max) return fmt::format("{} to {}", least, most);
  return bounds.min ? fmt::format(">= {}", least) : fmt::format("<= {}", most);
}

std::string failure_text(const ExerciseReport& item) {
  const bool is_own_text = item.reason == Reason::kCompile || item.reason == Reason::kTool;
  if (item.cause && !is_own_text) return base::escape_controls(item.cause->why);
  if (item.wrong_answers.empty()) return {};
  const auto& first = item.wrong_answers.front();
  const auto count = item.wrong_answers.size();
  return fmt::format("{}{} {}{}{}: {} is wrong", base::counted(count, "wrong answer"),
                     count == 1 ? ":" : "; the first is", first.question,
                     first.subject.empty() ? "" : ", ", first.subject, first.text());
}

namespace {

std::string trouble_of(const base::Diagnostic& diagnostic) {
  const auto what = diagnostic.kind == base::DiagnosticKind::kCompileError
                        ? std::string("does not compile")
                        : std::string(base::name(diagnostic.kind));
  const auto& where = diagnostic.where;
  return where.line == 0 ? what : fmt::format("{}, line {}", what, where.line);
}

std::string trouble_of(const Gate& gate) {
  const auto value = gate.value();
  return fmt::format("{} is {}, needs {}", gate.definition.id,
                     value ? text::number(*value) : "none", render_bound(gate.deciding_bounds()));
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
  const auto is_reason = [&](const Gate& gate) {
    return gate.has_failed() &&
           gate.definition.judges_time() == (item.reason == Reason::kPerformance);
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
