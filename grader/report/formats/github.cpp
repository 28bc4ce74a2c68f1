// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formats/github.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/report/formats/exercise_text.h"
#include "grader/report/formats/remarks.h"

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

}  // namespace warpgrade::grader::report
