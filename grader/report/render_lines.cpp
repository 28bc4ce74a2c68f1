// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "common/base/counted.h"
#include "common/base/text.h"

namespace warpgrade::grader::report {
namespace {

// The sectors of a request with one 4-byte word per lane, and one wavefront per request.
constexpr double kGoodSectors = 4;
constexpr double kGoodWavefronts = 1;
constexpr std::size_t kLeastSource = 24;

// Sectors per request, or wavefronts of shared memory.
double each_request(const memory::LineCounters& line) {
  const auto sum = line.operation.space == run::Space::kShared ? line.wavefronts : line.sectors;
  return line.requests == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(line.requests);
}

// "12" in the submission, "tile.cuh:12" elsewhere.
std::string line_name(const std::string& at_file, std::uint32_t line, const std::string& file) {
  return at_file == file ? fmt::format("{}", line)
                         : fmt::format("{}:{}", base::escape_controls(at_file), line);
}

std::vector<std::string> counted(const memory::LineCounters& line, const std::string& file) {
  const auto each = each_request(line);
  const bool is_shared = line.operation.space == run::Space::kShared;
  return {line_name(line.file, line.line, file), memory::name(line.operation),
          base::grouped(line.requests),
          fmt::format("{} {}{}", text::number(each), is_shared ? "wavefront" : "sector",
                      each == 1 ? "" : "s")};
}

// The text of line `number` of `at_file` without indentation; empty if `at_file` is not `file`,
// whose text is `source`.
std::string source_text(const std::string& at_file, std::uint32_t number, const std::string& file,
                        const std::string& source) {
  const auto text = at_file == file ? base::line_of(source, number) : std::string_view{};
  const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
  return base::escape_controls(text.substr(begin), false, true);
}

text::Columns count_table(const std::vector<memory::LineCounters>& lines, const std::string& file) {
  const std::vector<std::string> heads = {"line", "operation", "requests", "per request"};
  text::Columns table({true, true, false, false});
  table.add(heads);
  for (std::size_t column = 0; column < heads.size(); ++column) {
    table.colour(0, column, text::Colour::kDim);
  }
  for (const auto& line : lines) {
    const bool is_shared = line.operation.space == run::Space::kShared;
    if (each_request(line) > (is_shared ? kGoodWavefronts : kGoodSectors)) {
      table.colour(table.size(), heads.size() - 1, text::Colour::kRed);
    }
    table.add(counted(line, file));
  }
  return table;
}

// The table with one of `texts` beside each row below the head, or below the row if it is too wide.
// Prints a repeated text once.
std::string with_source(const text::Columns& table, const std::vector<std::string>& texts,
                        std::size_t indent, const text::Style& style) {
  constexpr std::string_view kBar = "  | ";
  const auto beside = indent + table.width() + kBar.size();
  const bool all_fit = std::ranges::all_of(
      texts, [&](const auto& text) { return beside + base::columns_of(text) <= style.width(); });
  const auto below = indent + kBar.size();
  const auto rows = table.text(indent, style);
  std::string out = rows.substr(0, rows.find('\n') + 1);
  auto rest = std::string_view(rows).substr(out.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(row.size() + 1);
    out += row;
    const auto& text = texts[i];
    if (all_fit && !text.empty()) out += fmt::format("{}{}", kBar, text);
    out += '\n';
    const bool next_has_it = i + 1 < texts.size() && texts[i + 1] == text;
    if (all_fit || next_has_it || text.empty()) continue;
    const auto room = std::max(style.width(), below + kLeastSource) - below;
    out +=
        fmt::format("{}{}{}\n", std::string(indent, ' '), kBar, base::excerpt(text, 0, room).text);
  }
  return out;
}

}  // namespace

std::string render_lines(const std::vector<memory::LineCounters>& lines, const std::string& file,
                         const std::string& source, std::size_t indent, const text::Style& style) {
  std::vector<std::string> texts;
  for (const auto& line : lines) texts.push_back(source_text(line.file, line.line, file, source));
  return with_source(count_table(lines, file), texts, indent, style);
}

std::string render_instructions(std::vector<memory::LineInstructions> lines,
                                const std::string& file, const std::string& source,
                                std::size_t indent, const text::Style& style) {
  constexpr std::size_t kMostLines = 5;
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.warps > b.warps; });
  std::uint64_t all = 0;
  for (const auto& line : lines) all += line.warps;
  auto others = all;
  text::Columns table({true, false, false});
  const auto add = [&](std::string name, std::uint64_t warps) {
    const auto share = all == 0 ? 0 : static_cast<double>(warps) / static_cast<double>(all);
    table.add({std::move(name), base::grouped(warps), fmt::format("{:.0f} %", 100 * share)});
  };
  table.add({"line", "instructions", "of all"});
  for (std::size_t column = 0; column < 3; ++column) table.colour(0, column, text::Colour::kDim);
  std::vector<std::string> texts;
  for (const auto& line : lines) {
    if (texts.size() == kMostLines || line.line == 0) continue;
    add(line_name(line.file, line.line, file), line.warps);
    texts.push_back(source_text(line.file, line.line, file, source));
    others -= line.warps;
  }
  if (others != 0) {
    add("other lines", others);
    texts.emplace_back();
  }
  return with_source(table, texts, indent, style);
}

std::string_view bound_in_words(timing::Bound bound) {
  if (bound == timing::Bound::kBlocksNotFollowed) return "blocks outside the timed sample";
  return timing::name(bound);
}

std::string ratio_text(double ratio) {
  return ratio > 0 && ratio < 0.01 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.2f}", ratio);
}

std::string render_shares(const std::vector<timing::Share>& shares) {
  std::string out;
  for (const auto& share : shares) {
    if (!(share.seconds > 0)) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", bound_in_words(share.resource),
                       text::seconds(share.seconds));
  }
  return out;
}

}  // namespace warpgrade::grader::report
