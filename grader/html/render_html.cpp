// SPDX-License-Identifier: Apache-2.0
// A report, or a profiled launch, as one complete page: it needs no network and no other file.
// In: a report of a grade or of a profile. Out: the content of the text report and the pictures,
// as HTML.
// A submission's text appears as text only: all outside text goes through escaped() or JSON
// without "<". A content security policy allows only the page's own script.
#include "grader/html/render_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/timing/warp_recorder.h"
#include "grader/html/page.h"
#include "grader/report/pictures.h"
#include "grader/report/profile_report.h"
#include "grader/report/render_gates.h"
#include "grader/report/render_measurements.h"
#include "grader/report/report.h"
#include "grader/text/glossary.h"
#include "grader/text/messages.h"

namespace warpgrade::grader::html {
namespace {

std::string place_view(const report::ExerciseReport& item, const base::SourceLocation& where,
                       const std::optional<base::Dim3>& block,
                       const std::optional<base::Dim3>& thread) {
  const bool is_own = where.file == item.file;
  auto out =
      fmt::format("<h5>{}</h5>", escaped(is_own ? fmt::format("line {}", where.line)
                                                : fmt::format("{}:{}", where.file, where.line)));
  std::string who;
  const auto add = [&](const char* what, const std::optional<base::Dim3>& index) {
    if (!index) return;
    who += fmt::format("{}{} {}", who.empty() ? "" : " of ", what, base::text(*index));
  };
  add("thread", thread);
  add("block", block);
  out += paragraph(who);
  if (!is_own) return out;
  auto line = base::line_of(item.source, where.line);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const auto text = base::excerpt(base::escape_controls(line, false, true)).text;
  return text.empty() ? out : out + "<pre>" + escaped(text) + "</pre>";
}

// "thread (1, 0, 0) reads it".
std::string own_access(const base::Diagnostic& found) {
  const auto* race = std::get_if<base::Race>(&found.facts);
  if (race == nullptr) return {};
  return paragraph(
      base::text(base::RelatedPlace{found.where, race->does, found.block, found.thread}), "quiet");
}

}  // namespace

std::string race_view(const report::ExerciseReport& item, const base::Diagnostic& found) {
  if (found.kind != base::DiagnosticKind::kRace || found.related.empty()) return {};
  const auto& other = found.related.front();
  const bool is_one_block = other.block == found.block;
  const bool is_one_place =
      other.where.file == found.where.file && other.where.line == found.where.line;
  const auto* const gap = is_one_block ? "no barrier between them: either may come first"
                                       : "nothing orders two blocks: either may come first";
  return fmt::format(
      "<div class=\"race\" role=\"group\" aria-label=\"The two accesses of the "
      "race{}\"><div>{}{}</div>"
      "<div class=\"gap\"><span aria-hidden=\"true\">&#8644;</span> "
      "{}</div><div>{}{}</div></div>\n",
      is_one_place ? ", in one line" : "", place_view(item, other.where, other.block, other.thread),
      paragraph(base::text(other), "quiet"), gap,
      place_view(item, found.where, found.block, found.thread), own_access(found));
}

namespace {

constexpr std::uint32_t kWholeSource = 24;  // Lines; a longer source is cut to marked parts.
constexpr std::uint32_t kAround = 8;
constexpr std::uint32_t kUnmarkedSource = 160;  // If no line is marked.
constexpr std::size_t kMostShownLines = 600;

// The two cells of a line, in HTML: a row for each kind of access.
struct Margin {
  std::string requests;
  std::string each;
  std::string time;  // of warps
};

std::vector<std::string_view> split(std::string_view source) {
  std::vector<std::string_view> out;
  while (!source.empty()) {
    const auto end = source.find('\n');
    out.push_back(source.substr(0, end));
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
  }
  return out;
}

// Whether a traced request of that line and kind costs more than it must.
bool is_costly_line(const report::Pictures& pictures, const memory::LineCounters& counted) {
  return std::any_of(
      pictures.lines.begin(), pictures.lines.end(), [&](const report::PicturedLine& line) {
        return line.line.where.line == counted.line && line.line.where.file == counted.file &&
               line.line.operation == counted.operation &&
               std::any_of(line.requests.begin(), line.requests.end(), [&](const auto& request) {
                 return is_costly(line, request.costs.front());
               });
      });
}

// A bar of the states in which warps spend their time at a line, and their share.
std::string activity_cell(const timing::LineActivity& line, double all, double most) {
  constexpr double kWidth = 60;
  std::string bar;
  double x = 0;
  for (std::size_t i = 0; i < timing::kWarpStates; ++i) {
    const double wide = kWidth * line.clocks[i] / most;
    if (wide <= 0) continue;
    bar += fmt::format("<rect class=\"state-{}\" x=\"{:.1f}\" width=\"{:.1f}\" height=\"10\"/>", i,
                       x, wide);
    x += wide;
  }
  auto text = fmt::format("issuing {:.0f} %", 100 * line.clocks[0] / all);
  if (const auto waiting = report::waiting_text(line, all); !waiting.empty()) {
    text += ", waiting " + waiting;
  }
  return fmt::format(
      "<svg class=\"states\" role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {1:.0f} 10\"><title>{0}"
      "</title>{2}</svg> {3:.0f} %",
      escaped(text), kWidth, bar, 100 * line.total() / all);
}

void add_activity(const report::ExerciseReport& item,
                  const std::vector<timing::LineActivity>& activity,
                  std::map<std::uint32_t, Margin>& out) {
  constexpr double kLeast = 0.005;
  const double all = report::total_of(activity);
  double most = 0;
  for (const auto& line : activity) most = std::max(most, line.total());
  for (const auto& line : activity) {
    if (line.where.file != item.file || line.where.line == 0 || line.total() < kLeast * all)
      continue;
    out[line.where.line].time = activity_cell(line, all, most);
  }
}

std::map<std::uint32_t, Margin> margins_of(const report::ExerciseReport& item) {
  std::map<std::uint32_t, Margin> out;
  if (!item.pictures) return out;
  for (const auto& line : item.pictures->counted) {
    if (line.file != item.file || line.requests == 0) continue;
    auto& margin = out[line.line];
    const bool is_shared = line.operation.space == run::Space::kShared;
    const auto cost = text::number(static_cast<double>(is_shared ? line.wavefronts : line.sectors) /
                                   static_cast<double>(line.requests));
    const auto* const separator = margin.requests.empty() ? "" : "\n";
    margin.requests += fmt::format("{}{} {}", separator, base::grouped(line.requests),
                                   memory::name(line.operation));
    margin.each += fmt::format("{}<span{}>{} {}{}</span>", separator,
                               is_costly_line(*item.pictures, line) ? " class=\"bad\"" : "", cost,
                               is_shared ? "wavefront" : "sector", cost == "1" ? "" : "s");
  }
  return out;
}

std::set<std::uint32_t> found_lines(const report::ExerciseReport& item) {
  std::set<std::uint32_t> out;
  for (const auto& found : item.diagnostics) {
    if (found.where.file == item.file && found.where.line != 0) out.insert(found.where.line);
  }
  return out;
}

std::set<std::uint32_t> shown_lines(std::uint32_t all,
                                    const std::map<std::uint32_t, Margin>& margins,
                                    const std::set<std::uint32_t>& found) {
  std::set<std::uint32_t> out;
  const auto add = [&](std::uint32_t line) {
    const auto begin = line > kAround ? line - kAround : 1;
    for (auto i = begin; i <= std::min(all, line + kAround); ++i) out.insert(i);
  };
  const bool is_marked = !found.empty() || !margins.empty();
  const auto whole = all <= kWholeSource ? all : is_marked ? 0 : std::min(all, kUnmarkedSource);
  for (std::uint32_t i = 1; i <= whole; ++i) out.insert(i);
  for (const auto line : found) add(line);
  for (const auto& [line, margin] : margins) add(line);
  while (out.size() > kMostShownLines) out.erase(std::prev(out.end()));
  return out;
}

// Only the page of a profile has one source, whose lines other figures name.
std::string row_attributes(std::uint32_t line, bool has_name, bool is_hit, bool touches) {
  auto out = has_name ? fmt::format(" id=\"line-{}\"", line) : std::string();
  if (is_hit) return out + " class=\"hit\"";
  return touches ? out + " class=\"touch\"" : out;
}

}  // namespace

std::string state_key(const timing::StateClocks& shown, Words& words) {
  std::string out;
  for (std::size_t i = 0; i < timing::kWarpStates; ++i) {
    if (shown[i] <= 0) continue;
    out += fmt::format(
        "<span><svg viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"state-{}\" "
        "width=\"10\" "
        "height=\"10\"/></svg> {}</span>\n",
        i, word_link(timing::in_words(static_cast<timing::WarpState>(i)), words));
  }
  return out.empty() ? out : "<p class=\"key\">" + out + "</p>\n";
}

std::string source_view(const report::ExerciseReport& item,
                        const std::vector<timing::LineActivity>& activity) {
  const auto lines = split(item.source);
  auto margins = margins_of(item);
  add_activity(item, activity, margins);
  const bool has_time = !activity.empty();
  const auto found = found_lines(item);
  const auto all = static_cast<std::uint32_t>(lines.size());
  const auto shown = shown_lines(all, margins, found);
  if (shown.empty()) return {};
  std::string rows;
  std::uint32_t last = 0;
  const auto rest = [&](std::uint32_t next) {
    if (next == last + 1) return;
    rows += fmt::format(
        "<tr class=\"rest\"><td></td><td colspan=\"{}\">lines {} to {} left out</td></tr>\n",
        has_time ? 4 : 3, last + 1, next - 1);
  };
  for (const auto line : shown) {
    rest(line);
    last = line;
    const auto margin = margins.find(line);
    const bool is_hit = found.contains(line);
    const bool is_marked = margin != margins.end();
    const bool touches = is_marked && !margin->second.requests.empty();
    const auto text = base::excerpt(base::escape_controls(lines[line - 1], false, true)).text;
    rows += fmt::format(
        "<tr{0}><td class=\"counts\">{1}</td><td class=\"counts requests\">{2}</td><td "
        "class=\"counts\">{3}</td>{4}<td><code>{5}</code></td></tr>\n",
        row_attributes(line, has_time, is_hit, touches), line,
        touches ? margin->second.requests : "", touches ? margin->second.each : "",
        !has_time ? ""
                  : fmt::format("<td class=\"counts time\">{}</td>",
                                is_marked ? margin->second.time : ""),
        escaped(text));
  }
  if (last < all) rest(all + 1);
  return fmt::format(
      "<div class=\"source{}\" tabindex=\"0\" role=\"region\" aria-label=\"Source of "
      "{}\"><table><tr><th "
      "scope=\"col\">line</th><th scope=\"col\" class=\"requests\">requests</th><th "
      "scope=\"col\">per request</th>{}<th scope=\"col\">{}</th></tr>\n{}</table></div>\n",
      margins.empty() ? " uncounted" : "", escaped(item.file),
      has_time ? "<th scope=\"col\">warp time</th>" : "", escaped(item.file), rows);
}

namespace {

// The verdict on an exercise and its reasons: points, findings, results, gates, answers.

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

std::string case_text(const report::Case& run) {
  return fmt::format("{} ({}) on {}", run.name, text::in_words(run.variables), run.device);
}

std::string gate_value(const report::Gate& gate) {
  const auto value = gate.value();
  if (!value) return "-";
  const auto range = gate.model_range();
  if (!range) return text::number(*value);
  return fmt::format("{} <small>(model: {} to {})</small>", text::number(*value),
                     report::ratio_text(range->low), report::ratio_text(range->high));
}

std::string gate_row(const report::Gate& gate) {
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
      css, word, escaped(gate.definition.id), escaped(gate.definition.device), gate_value(gate),
      escaped(render_bound(gate.deciding_bounds())),
      gate.definition.skeleton ? text::number(*gate.definition.skeleton) : std::string("-"),
      gate.definition.points == 0 ? std::string("check")
                                  : fmt::format("{} of {}", gate.points, gate.definition.points),
      sentence(gate.definition.meaning + (gate.has_passed() ? "" : " " + gate.definition.next) +
               spared + lacks));
}

std::string gate_table(const std::vector<const report::Gate*>& gates, const char* name) {
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

/// `<span class="badge ...">PASS</span>`.
static std::string verdict_badge(report::Verdict verdict) {
  const auto [css, text] = badge_of(verdict);
  return fmt::format("<span class=\"badge {}\">{}</span>", css, text);
}

/// Heading and points.
static std::string heading_view(const report::ExerciseReport& item) {
  return fmt::format(
      "<div class=\"head\"><h2>{}/{}</h2>{}<span>{} of {} points</span></div>\n<p>{}</p>\n<p "
      "class=\"quiet\">{}</p>\n",
      escaped(item.lab), escaped(item.exercise), verdict_badge(item.verdict), item.points,
      item.max_points, sentence(item.title), escaped(item.file));
}

/// What is wrong, the next thing to try, and a hint.
static std::string next_view(const report::ExerciseReport& item) {
  if (item.next.empty() && item.hint.empty()) return {};
  const auto why = failure_text(item);
  return "<div class=\"next\">" +
         (why.empty() ? "" : "<p><strong>Why.</strong> " + sentence(why) + "</p>\n") +
         "<p><strong>Next.</strong> " + sentence(item.next) + "</p>\n" + paragraph(item.hint) +
         "</div>\n";
}

/// The messages of the compiler, the checks and the grader itself.
static std::string findings_view(const report::ExerciseReport& item, Words& words) {
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
        word_link(base::name(found.kind), words), escaped(place),
        sentence(base::shown_message(found)), race_view(item, found),
        excerpt_view(item, found.where),
        paragraph(block + (block.empty() || thread.empty() ? "" : ", ") + thread, "quiet"));
  }
  if (item.diagnostics.size() > kMostFindings) {
    out += paragraph(fmt::format("and {} more", item.diagnostics.size() - kMostFindings));
  }
  return out.empty() ? out : "<h3>Findings</h3>\n" + out;
}

/// The number of runs with a right result, and a description of the first wrong one.
static std::string results_view(const report::ExerciseReport& item) {
  if (item.cases.empty()) return {};
  const auto count = [&](report::Case::State state) {
    return std::count_if(item.cases.begin(), item.cases.end(),
                         [state](const report::Case& run) { return run.state == state; });
  };
  const auto right = count(report::Case::State::kPassed);
  const auto not_run = count(report::Case::State::kNotRun);
  const auto all = static_cast<std::ptrdiff_t>(item.cases.size());
  auto out = fmt::format(
      "<h3>Results</h3>\n<p><strong class=\"{}\">Right in {} of {} runs.</strong>{}</p>\n",
      right == all ? "good" : "bad", right, all,
      not_run == 0 ? "" : fmt::format(" {} {} not run.", not_run, not_run == 1 ? "was" : "were"));
  for (const auto& run : item.cases) {
    if (run.state == report::Case::State::kDiagnostic) {
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
    if (run.state == report::Case::State::kIncorrect) wrong_cases.insert(run.name);
    if (run.state == report::Case::State::kPassed) right_cases.insert(run.name);
  }
  const auto list = [](const char* word, const std::set<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? text : paragraph(word + text + ".", "quiet");
  };
  return out + list("Wrong cases: ", wrong_cases) + list("Right cases: ", right_cases);
}

/// The gates that failed, then the others.
static std::string gates_view(const report::ExerciseReport& item) {
  std::vector<const report::Gate*> open;
  std::vector<const report::Gate*> passed;
  for (const auto& gate : item.gates) {
    if (!gate.worst && !gate.decision) continue;
    (gate.has_passed() && gate.points == gate.definition.points ? passed : open).push_back(&gate);
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

/// Wrong answers to questions, with the way to the right ones.
// The first few of each question, as in the text report: the pattern in them teaches, not their
// number.
static std::string answers_view(const report::ExerciseReport& item) {
  std::string out;
  for (const auto& gate : item.gates) {
    std::size_t wrong = 0;
    std::string list;
    for (const auto& answer : item.wrong_answers) {
      if (answer.question != gate.definition.id || ++wrong > kMostAnswers) continue;
      list += fmt::format("<li>{}{}{} is wrong. {}</li>\n", escaped(answer.subject),
                          answer.subject.empty() ? "" : ": ", answer.text(),
                          sentence(answer.reasoning));
    }
    if (wrong == 0) continue;
    if (wrong > kMostAnswers) list += fmt::format("<li>and {} more</li>\n", wrong - kMostAnswers);
    out += fmt::format("<h4>{}</h4>\n<ul>{}</ul>\n", escaped(gate.definition.id), list);
  }
  return out.empty() ? out : "<h3>Wrong answers</h3>\n" + out;
}

/// Remarks, and the text that the kernel printed.
static std::string remarks_view(const report::ExerciseReport& item) {
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

namespace {

std::string contents(const report::Report& report) {
  if (report.exercises.size() < 2) return {};
  std::string items;
  for (std::size_t i = 0; i < report.exercises.size(); ++i) {
    const auto& item = report.exercises[i];
    const auto share = item.max_points == 0 ? 0.0 : 100.0 * item.points / item.max_points;
    items += fmt::format(
        "<li><a href=\"#exercise-{}\">{}/{}</a>{}<span>{} of {}</span><svg viewBox=\"0 0 100 10\" "
        "preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect class=\"track\" width=\"100\" "
        "height=\"10\"/><rect class=\"fill\" width=\"{:.1f}\" height=\"10\"/></svg></li>\n",
        i, escaped(item.lab), escaped(item.exercise), verdict_badge(item.verdict), item.points,
        item.max_points, share);
  }
  return "<nav aria-label=\"Exercises\"><ol>\n" + items + "</ol></nav>\n";
}

std::string section(const report::ExerciseReport& item, std::size_t index, bool is_on_gpu,
                    Words& words) {
  auto out = fmt::format("<section class=\"exercise\" id=\"exercise-{}\">\n", index);
  out += heading_view(item) + findings_view(item, words) + next_view(item) + results_view(item);
  if (item.pictures && item.pictures->wrong) out += wrong_view(*item.pictures->wrong);
  out += gates_view(item) + roofline_view(item) + answers_view(item);
  if (const auto source = source_view(item); !source.empty()) out += "<h3>Source</h3>\n" + source;
  if (item.pictures) {
    if (is_on_gpu) {
      out += paragraph(
          "The pictures are simulated, because a GPU does not report addresses, banks and "
          "partitions. "
          "The verdict and the speed are measured on the GPU.",
          "quiet");
    }
    out += access_view(item);
    if (item.pictures->partitions) out += partition_view(*item.pictures->partitions);
    out += time_view(item, words);
    out += "<script type=\"application/json\">" + picture_data(*item.pictures) + "</script>\n";
  }
  return out + remarks_view(item) + "</section>\n";
}

std::string foot(const report::Report& report) {
  const auto& made = report.provenance;
  auto text = fmt::format("Made by warpgrade {} ({})", made.version, made.commit);
  if (!made.toolkit.empty()) text += ", CUDA compiler " + made.toolkit;
  if (!made.time.empty()) text += ", " + made.time;
  return "<footer>" + paragraph(text + fmt::format(", seed {}.", report.seed)) + "</footer>\n";
}

}  // namespace

std::string render(const report::Report& report) {
  const auto title = report.exercises.size() == 1 ? fmt::format("{}/{}", report.exercises[0].lab,
                                                                report.exercises[0].exercise)
                                                  : std::string("warpgrade report");
  auto out = fmt::format("<h1>{} of {} points</h1>\n<p class=\"quiet\">{} on {}.</p>\n",
                         report.points(), report.max_points(),
                         report.backend == run::Backend::kGpu ? "Graded on the GPU" : "Simulated",
                         escaped(report.device));
  for (const auto& note : report.notes) out += paragraph(note, "quiet");
  out += contents(report);
  Words words;
  for (std::size_t i = 0; i < report.exercises.size(); ++i) {
    out += section(report.exercises[i], i, report.backend == run::Backend::kGpu, words);
  }
  return picture_page(
      fmt::format("{}: {} of {} points", title, report.points(), report.max_points()),
      out + words_view(words) + foot(report));
}

namespace {

// The parts of the report that an exercise's report has too.
report::ExerciseReport as_exercise(const report::ProfileReport& report) {
  report::ExerciseReport out;
  out.file = report.file;
  out.source = report.source;
  out.diagnostics = report.diagnostics;
  out.race_warnings = report.warnings;
  out.left_out = report.left_out;
  out.printed = report.measurement.result.printed;
  out.pictures = report.pictures;
  if (!report.note.empty()) out.warnings.push_back(report.note);
  return out;
}

// `html` is escaped.
std::string row(const std::string& head, const std::string& html) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", head, html);
}

std::string times(const report::ProfileReport& report, Words& words) {
  const auto& measured = report.measurement;
  const bool is_on_gpu = report.backend == run::Backend::kGpu;
  const auto rate = static_cast<double>(measured.bytes) / measured.seconds;
  auto out =
      row(is_on_gpu ? "time, measured" : "time, simulated",
          is_on_gpu ? text::seconds(measured.seconds)
                    : fmt::format("{}{}, bound by {}", text::seconds(measured.seconds),
                                  report::band_text(report),
                                  word_link(report::bound_in_words(measured.bound_by), words)));
  std::vector<std::string> parts;
  for (const auto& [name, seconds] : measured.parts.by_name()) {
    parts.push_back(fmt::format("{} {}", word_link(name, words), text::seconds(seconds)));
  }
  if (!parts.empty()) out += row("parts of the time", fmt::format("{}", fmt::join(parts, ", ")));
  // A single launch has a picture, which contains the cause.
  if (!report.launches.empty() && !report::skew_text(measured.skew).empty()) {
    out += row("cause", escaped(report::skew_text(measured.skew)));
  }
  if (report.simulated_seconds > 0) {
    out += row("time, simulated", text::seconds(report.simulated_seconds));
  }
  return out + row("throughput", fmt::format("{} for {}", text::bytes_per_second(rate),
                                             base::counted(measured.bytes, "byte")));
}

std::string facts(const report::ProfileReport& report, Words& words) {
  const auto& resources = report.resources;
  const auto& occupancy = report.measurement.occupancy;
  auto out = report.measurement.seconds > 0 ? times(report, words) : std::string();
  out += row("grid", base::extent_text(report.launch.grid));
  out += row("block", base::extent_text(report.launch.block));
  out += row("registers per thread", resources.registers_per_thread == 0
                                         ? "unknown"
                                         : std::to_string(resources.registers_per_thread));
  out += row(
      "shared memory per block",
      fmt::format("{} + {} bytes (static + dynamic)", base::grouped(resources.static_shared_bytes),
                  base::grouped(report.launch.dynamic_shared_bytes)));
  out += row("occupancy", fmt::format("{}, {} per SM, limited by {}",
                                      base::counted(occupancy.blocks_per_sm, "block"),
                                      base::counted(occupancy.warps_per_sm, "warp"),
                                      word_link(timing::name(occupancy.limited_by), words)));
  return "<table>" + out + "</table>\n";
}

std::string cell(const memory::Metrics& metrics, const std::string& name) {
  const auto found = metrics.find(name);
  return fmt::format("<td class=\"number\">{}</td>",
                     found == metrics.end() ? "-" : text::number(found->second));
}

// The metrics of the card and of the simulator, side by side if both are known.
std::string metrics_table(const report::ProfileReport& report) {
  const bool is_on_gpu = report.backend == run::Backend::kGpu;
  const auto& own = report.measurement.metrics;
  std::set<std::string> names;
  for (const auto* all : {&own, &report.simulated.metrics}) {
    for (const auto& [name, value] : *all) names.insert(name);
  }
  if (names.empty()) return {};
  std::string rows;
  for (const auto& name : names) {
    const auto entries = text::explained(name);
    const auto meaning =
        entries.empty() ? std::string()
                        : fmt::format("<br><small>{}</small>", sentence(entries.front()->meaning));
    rows += fmt::format("<tr><th scope=\"row\">{}{}</th>{}{}</tr>\n", escaped_name(name), meaning,
                        cell(own, name),
                        is_on_gpu ? cell(report.simulated.metrics, name) : std::string());
  }
  return fmt::format(
      "<details{}><summary>Metrics</summary>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Metrics\"><table><tr><th scope=\"col\">metric</th><th scope=\"col\" "
      "class=\"number\">{}</th>{}</tr>\n{}</table></div></details>\n",
      is_on_gpu ? " open" : "", is_on_gpu ? "card" : "simulated",
      is_on_gpu ? "<th scope=\"col\" class=\"number\">simulated</th>" : "", rows);
}

std::string remarks(const report::ProfileReport& report) {
  std::string out;
  for (const auto& advice : report.time_advice) out += paragraph(advice);
  if (!report.counters_missing.empty()) {
    out += paragraph("No counters of the card: " + report.counters_missing, "quiet");
  }
  if (!report.simulated.reason.empty()) {
    out += paragraph("Not simulated: " + report.simulated.reason, "quiet");
  }
  return out;
}

}  // namespace

std::string render(const report::ProfileReport& report) {
  const auto item = as_exercise(report);
  const bool is_on_gpu = report.backend == run::Backend::kGpu;
  auto out = fmt::format("<h1>{} on {}</h1>\n<section class=\"exercise\">\n",
                         escaped(report.kernel), escaped(report.device));
  Words words;
  out += findings_view(item, words);
  if (!report.launch.kernel.empty()) out += facts(report, words) + remarks(report);
  const auto& activity = report.measurement.line_activity;
  if (const auto source = source_view(item, activity); !source.empty()) {
    timing::StateClocks all{};
    for (const auto& line : activity) {
      for (std::size_t i = 0; i < timing::kWarpStates; ++i) all[i] += line.clocks[i];
    }
    out += "<h3>Source</h3>\n" + source + state_key(all, words);
  }
  if (const auto& timeline = report.measurement.timeline) {
    out += timeline_view(*timeline, report.file, words);
  }
  if (report.roofline) out += roofline_view(*report.roofline);
  if (item.pictures) {
    if (is_on_gpu) {
      out += paragraph(
          "The requests of each line are simulated, because a GPU does not report addresses and "
          "banks.",
          "quiet");
    }
    out += access_view(item) + time_view(item, words);
    out += "<script type=\"application/json\">" + picture_data(*item.pictures) + "</script>\n";
  }
  out += metrics_table(report) + remarks_view(item) + words_view(words) + "</section>\n";
  return picture_page(fmt::format("{} on {}", report.kernel, report.device), out);
}

namespace {

// The first row has the heads; a word of the glossary is a link. Columns from `numbers` on are
// aligned right.
std::string table_of(const report::Rows& rows, const char* name, std::size_t numbers,
                     std::size_t count, Words& words) {
  std::string out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out += "<tr>";
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      const auto text = word_link(rows[i][k], words);
      const auto* css = k >= numbers && k < numbers + count ? " class=\"number\"" : "";
      const auto* scope = i == 0 ? " scope=\"col\"" : k == 0 ? " scope=\"row\"" : "";
      const auto* tag = i == 0 || k == 0 ? "th" : "td";
      out += fmt::format("<{0}{1}{2}>{3}</{0}>", tag, scope, css, text);
    }
    out += "</tr>\n";
  }
  return fmt::format(
      "<div class=\"wide beside-each-other\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{}\"><table>{}</table></div>\n",
      name, out);
}

std::string version_text(const char* letter, const report::ComparedProfile& one) {
  return fmt::format("<p><strong>{}</strong>: {} of {} on {}</p>\n", letter, escaped(one.kernel),
                     escaped(one.file), escaped(one.device));
}

}  // namespace

std::string render(const std::vector<report::CardProfile>& cards) {
  Words words;
  std::string title = "Profiles";
  for (const auto& card : cards) {
    if (card.report)
      title = fmt::format("{} on {}", card.report->kernel, base::counted(cards.size(), "card"));
  }
  auto out = fmt::format("<h1>{}</h1>\n<section class=\"exercise\">\n", escaped(title));
  out += table_of(report::card_rows(cards), "Cards", 3, 2, words);
  for (const auto& card : cards) {
    if (!card.report || card.report->diagnostics.empty()) continue;
    out += fmt::format("<h3>{}</h3>\n", escaped(card.device)) +
           findings_view(as_exercise(*card.report), words);
  }
  return picture_page(title, out + words_view(words) + "</section>\n");
}

std::string render(const report::ComparedProfile& a, const report::ComparedProfile& b) {
  Words words;
  const auto title = fmt::format("{} beside {}", b.file, a.file);
  auto out = fmt::format("<h1>{}</h1>\n<section class=\"exercise\">\n", escaped(title));
  out += version_text("A", a) + version_text("B", b);
  out += table_of(report::compared_rows(a, b), "Differences", 1, 3, words);
  if (a.roofline && b.roofline) out += roofline_view(*a.roofline, *b.roofline);
  if (const auto lines = report::compared_lines(a, b); lines.size() > 1) {
    out += "<h3>Lines</h3>\n" + table_of(lines, "Lines", 3, 4, words);
  }
  return picture_page(title, out + words_view(words) + "</section>\n");
}

}  // namespace warpgrade::grader::html
