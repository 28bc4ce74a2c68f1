// SPDX-License-Identifier: Apache-2.0
// Reports beside the source: GitHub Actions, and SARIF 2.1.0 for editors and code scanners.
// In: a report and its remarks (format_parts.h). Out: annotations on lines of the files, and a
// summary for a step of GitHub Actions.
// A diagnostic is an error, a failed gate a warning. No line of a submission can act as a command
// of the service.
#include "grader/report/formats/annotations.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "common/base/finding_text.h"
#include "common/base/text.h"
#include "common/base/utf8.h"
#include "grader/report/formats/format_parts.h"
#include "grader/report/report.h"

namespace warpgrade::grader::report {
namespace {

// The data of a command; a property's needs two characters more.
std::string command_text(std::string_view text, bool is_property = false) {
  std::string out;
  for (const char c : text) {
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','))) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string workspace_path(const std::string& file, const std::string& workspace) {
  const auto folder = workspace.ends_with('/') ? workspace : workspace + '/';
  const bool inside = !workspace.empty() && file.starts_with(folder);
  return safe_text(inside ? file.substr(folder.size()) : file);
}

std::string annotation(const ExerciseReport& item, const Remark& remark,
                       const std::string& workspace) {
  auto out = fmt::format("::{} file={}", remark.is_error ? "error" : "warning",
                         command_text(workspace_path(remark.where.file, workspace), true));
  if (remark.where.line != 0) out += fmt::format(",line={}", remark.where.line);
  if (remark.where.line != 0 && remark.where.column != 0) {
    out += fmt::format(",col={}", remark.where.column);
  }
  out += fmt::format(",title={}", command_text(exercise_name(item) + " " + remark.rule, true));
  return out + "::" + command_text(remark.message) + '\n';
}

// Text between fences that are longer than any row of backticks in it.
std::string fenced(const std::string& text) {
  std::size_t longest = 0;
  std::size_t row = 0;
  for (const char c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const std::string fence(std::max<std::size_t>(longest + 1, 3), '`');
  return fence + "text\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + '\n';
}

std::string verdict_word(const ExerciseReport& item) {
  switch (item.verdict) {
    case Verdict::kPass:
      return ":white_check_mark: pass";
    case Verdict::kFail:
      return fmt::format(":x: {}", name(item.reason));
    case Verdict::kInconclusive:
      return ":warning: not decided";
    case Verdict::kError:
      return ":warning: not graded";
  }
  return {};
}

}  // namespace

std::string render_github(const Report& report) {
  auto out = fmt::format(
      "## warpgrade: {} of {} points\n\n{}\n| exercise | verdict | points |\n"
      "|---|---|---|\n",
      report.points(), report.max_points(), fenced(report_heading(report)));
  for (const auto& item : report.exercises) {
    const auto points =
        is_judged(item) ? fmt::format("{} of {}", item.points, item.max_points) : "none yet";
    out += fmt::format("| `{}` | {} | {} |\n", exercise_name(item), verdict_word(item), points);
  }
  for (const auto& item : report.exercises) {
    if (item.verdict == Verdict::kPass) continue;
    out += fmt::format("\n<details><summary>{}</summary>\n\n{}\n</details>\n", exercise_name(item),
                       fenced(is_judged(item) ? exercise_text(item, text_share(report))
                                              : missing_grade_text(item)));
  }
  return out;
}

std::string github_annotations(const Report& report, const Environment& environment) {
  constexpr int kMost = 10;
  std::string out;
  int count = 0;
  const auto workspace = environment("GITHUB_WORKSPACE");
  for (const bool errors : {true, false}) {
    for (const auto& item : report.exercises) {
      for (const auto& remark : remarks_of(item)) {
        if (remark.is_error != errors || count == kMost) continue;
        out += annotation(item, remark, workspace);
        ++count;
      }
    }
  }
  return out;
}

std::string github_stop_commands(const std::string& secret) {
  return "::stop-commands::" + secret + '\n';
}

std::string github_resume_commands(const std::string& secret) { return "::" + secret + "::\n"; }

namespace {

using Json = nlohmann::ordered_json;

// A path as a URI reference (RFC 3986): keeps characters that a path may contain and escapes the
// others byte by byte. An absolute path gets the scheme, since a reference must not begin with two
// slashes.
std::string uri_of(const std::string& file) {
  constexpr std::string_view kKept = "-._~/";
  std::string out = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || kKept.find(c) != std::string_view::npos;
    out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// The 1-based column in code points of the byte at `column`; 0 if the line is unknown.
std::size_t code_point_column(const ExerciseReport& item, const base::SourceLocation& where) {
  if (where.column == 0 || where.file != item.file) return 0;
  const auto line = base::line_of(item.source, where.line);
  if (where.column > line.size() + 1) return 0;
  auto before = line.substr(0, where.column - 1);
  std::size_t column = 1;
  for (; !before.empty(); ++column) {
    before.remove_prefix(std::max<std::size_t>(base::utf8_length(before), 1));
  }
  return column;
}

Json location(const ExerciseReport& item, const base::SourceLocation& where) {
  Json physical = {{"artifactLocation", {{"uri", uri_of(where.file)}}}};
  if (where.line != 0) physical["region"] = {{"startLine", where.line}};
  const auto column = code_point_column(item, where);
  if (where.line != 0 && column != 0) physical["region"]["startColumn"] = column;
  return {{"physicalLocation", std::move(physical)}};
}

// SARIF has two rules that its schema does not contain. Ids of related locations are unique in a
// result. A message names them by [text](id); ours does not.
Json related_locations(const ExerciseReport& item, const Remark& remark) {
  auto out = Json::array();
  for (const auto& place : remark.related) {
    out.push_back(location(item, place.where));
    out.back()["id"] = out.size();
    out.back()["message"] = {{"text", safe_text(base::text(place))}};
  }
  return out;
}

// Brackets are escaped, since [text](id) is a link in a message.
std::string plain_message(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

struct Rule {
  std::string_view id;
  std::string_view text;
};

constexpr auto kRules = std::to_array<Rule>({
    {"out_of_bounds", "An access outside of a buffer or a variable."},
    {"misaligned", "An access whose address is not a multiple of its size."},
    {"uninitialized_read", "A read of uninitialised memory."},
    {"input_modified", "A write to an input."},
    {"race", "Two unordered accesses, at least one of them a write."},
    {"divergent_barrier", "A barrier that not all threads of a block reach."},
    {"deadlock", "Threads that wait for each other."},
    {"runaway", "A kernel that reaches its limit of work or time."},
    {"trap", "A failed assertion or a trap."},
    {"unsupported", "An instruction that the simulator does not know."},
    {"compile_error", "The file does not compile."},
    {"incorrect", "A wrong result."},
    {"wrong_answer", "A wrong answer."},
    {"mechanism", "The memory is not used as the exercise requires."},
    {"performance", "The kernel is too slow."},
});

Json rules() {
  auto out = Json::array();
  for (const auto& rule : kRules) {
    out.push_back({{"id", rule.id}, {"shortDescription", {{"text", rule.text}}}});
  }
  return out;
}

Json result_of(const ExerciseReport& item, const Remark& remark) {
  const auto rule = std::find_if(kRules.begin(), kRules.end(),
                                 [&](const Rule& one) { return one.id == remark.rule; });
  Json out = {{"ruleId", remark.rule}};
  if (rule != kRules.end()) out["ruleIndex"] = rule - kRules.begin();
  out["level"] = remark.is_error ? "error" : "warning";
  out["message"] = {{"text", plain_message(remark.message)}};
  out["locations"] = Json::array();
  if (!remark.where.file.empty()) out["locations"].push_back(location(item, remark.where));
  if (!remark.related.empty()) out["relatedLocations"] = related_locations(item, remark);
  return out;
}

Json notification(const std::string& text) {
  return {{"level", "error"}, {"message", {{"text", plain_message(text)}}}};
}

// The file with these results. The invocation is successful without notifications.
std::string sarif_file(Json results, Json notifications, const Provenance& made) {
  Json driver = {{"name", "warpgrade"}};
  if (!made.version.empty()) driver["version"] = safe_text(made.version);
  driver["rules"] = rules();
  const bool complete = notifications.empty();
  return dump_lines(
      {{"$schema",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
        "sarif-schema-2.1.0.json"},
       {"version", "2.1.0"},
       {"runs", Json::array({{{"tool", {{"driver", std::move(driver)}}},
                              {"columnKind", "unicodeCodePoints"},
                              {"invocations", Json::array({{{"executionSuccessful", complete},
                                                            {"toolExecutionNotifications",
                                                             std::move(notifications)}}})},
                              {"results", std::move(results)}}})}});
}

}  // namespace

std::string render_sarif(const Report& report) {
  auto results = Json::array();
  auto notifications = Json::array();
  for (const auto& item : report.exercises) {
    for (const auto& remark : remarks_of(item)) {
      results.push_back(result_of(item, remark));
      results.back()["properties"] = {{"exercise", exercise_name(item)}};
    }
    if (is_judged(item)) continue;
    notifications.push_back(notification(exercise_name(item) + ": " + missing_grade_text(item)));
  }
  return sarif_file(std::move(results), std::move(notifications), report.provenance);
}

std::string render_sarif(const ProfileReport& report, const Provenance& made) {
  ExerciseReport item;
  item.file = report.file;
  item.source = report.source;
  auto results = Json::array();
  auto notifications = Json::array();
  for (const auto* all : {&report.diagnostics, &report.warnings}) {
    for (const auto& one : *all) {
      results.push_back(result_of(item, remark_of(one)));
      results.back()["properties"] = {{"kernel", safe_text(report.kernel)}};
      if (one.kind != base::DiagnosticKind::kUnsupported) continue;
      notifications.push_back(notification(base::shown_message(one)));
    }
  }
  return sarif_file(std::move(results), std::move(notifications), made);
}

}  // namespace warpgrade::grader::report
