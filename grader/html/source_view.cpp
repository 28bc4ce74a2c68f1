// SPDX-License-Identifier: Apache-2.0
#include "grader/html/source_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "common/base/counted.h"
#include "common/base/text.h"
#include "grader/html/html_text.h"
#include "grader/report/picture_text.h"
#include "grader/text/terminal.h"

namespace warpgrade::grader::html {
namespace {

constexpr std::uint32_t kWholeSource = 24;  // Lines; a longer source is cut to marked parts.
constexpr std::uint32_t kAround = 8;
constexpr std::uint32_t kUnmarkedSource = 160;  // If no line is marked.
constexpr std::size_t kMostShownLines = 600;

// The two cells of a line, in HTML: a row for each kind of access.
struct Margin {
  std::string requests;
  std::string each;
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

}  // namespace

std::string source_view(const report::ExerciseReport& item) {
  const auto lines = split(item.source);
  const auto margins = margins_of(item);
  const auto found = found_lines(item);
  const auto all = static_cast<std::uint32_t>(lines.size());
  const auto shown = shown_lines(all, margins, found);
  if (shown.empty()) return {};
  std::string rows;
  std::uint32_t last = 0;
  const auto rest = [&](std::uint32_t next) {
    if (next == last + 1) return;
    rows += fmt::format(
        "<tr class=\"rest\"><td></td><td colspan=\"3\">lines {} to {} left out</td></tr>\n",
        last + 1, next - 1);
  };
  for (const auto line : shown) {
    rest(line);
    last = line;
    const auto margin = margins.find(line);
    const bool is_hit = found.contains(line);
    const bool touches = margin != margins.end();
    const auto text = base::excerpt(base::escape_controls(lines[line - 1], false, true)).text;
    rows += fmt::format(
        "<tr{}><td class=\"counts\">{}</td><td class=\"counts requests\">{}</td><td "
        "class=\"counts\">{}</td><td><code>{}</code></td></tr>\n",
        is_hit    ? " class=\"hit\""
        : touches ? " class=\"touch\""
                  : "",
        line, touches ? margin->second.requests : "", touches ? margin->second.each : "",
        escaped(text));
  }
  if (last < all) rest(all + 1);
  return fmt::format(
      "<div class=\"source{}\" tabindex=\"0\" role=\"region\" aria-label=\"Source of "
      "{}\"><table><tr><th "
      "scope=\"col\">line</th><th scope=\"col\" class=\"requests\">requests</th><th "
      "scope=\"col\">per request</th><th scope=\"col\">{}</th></tr>\n{}</table></div>\n",
      margins.empty() ? " uncounted" : "", escaped(item.file), escaped(item.file), rows);
}

}  // namespace warpgrade::grader::html
