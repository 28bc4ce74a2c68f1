// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "common/base/text.h"

namespace warpgrade::grader {
namespace {

// The sectors that an access of one 4-byte word a lane needs, and one wavefront a request.
constexpr double kGoodSectors = 4;
constexpr double kGoodWavefronts = 1;
constexpr std::size_t kLeastSource = 24;

// Sectors a request, or wavefronts of shared memory.
double each_request(const memory::LineCounters& line) {
  const auto sum = line.operation.space == run::Space::kShared ? line.wavefronts : line.sectors;
  return line.requests == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(line.requests);
}

std::vector<std::string> counted(const memory::LineCounters& line, const std::string& file) {
  const auto each = each_request(line);
  const bool is_shared = line.operation.space == run::Space::kShared;
  return {line.file == file ? fmt::format("{}", line.line)
                            : fmt::format("{}:{}", base::escape_controls(line.file), line.line),
          memory::name(line.operation), fmt::format("{}", line.requests),
          fmt::format("{} {}{}", number(each), is_shared ? "wavefront" : "sector",
                      each == 1 ? "" : "s")};
}

// The line's text without what it is indented by; empty where it is in another file.
std::string source_text(const memory::LineCounters& line, const std::string& file,
                        const std::string& source) {
  const auto text = line.file == file ? base::line_of(source, line.line) : std::string_view{};
  const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
  return base::escape_controls(text.substr(begin), false, true);
}

Columns count_table(const std::vector<memory::LineCounters>& lines, const std::string& file) {
  const std::vector<std::string> heads = {"line", "operation", "requests", "a request takes"};
  Columns table({true, true, false, false});
  table.add(heads);
  for (std::size_t column = 0; column < heads.size(); ++column) {
    table.colour(0, column, Colour::kDim);
  }
  for (const auto& line : lines) {
    const bool is_shared = line.operation.space == run::Space::kShared;
    if (each_request(line) > (is_shared ? kGoodWavefronts : kGoodSectors)) {
      table.colour(table.size(), heads.size() - 1, Colour::kRed);
    }
    table.add(counted(line, file));
  }
  return table;
}

}  // namespace

std::string render_lines(const std::vector<memory::LineCounters>& lines, const std::string& file,
                         const std::string& source, std::size_t indent, const Style& style) {
  const auto table = count_table(lines, file);
  const auto beside = indent + table.width() + std::string_view("  | ").size();
  const bool all_fit = std::ranges::all_of(lines, [&](const auto& line) {
    return beside + base::columns_of(source_text(line, file, source)) <= style.width();
  });
  const auto below = indent + std::string_view("  | ").size();
  const auto rows = table.text(indent, style);
  std::string out = rows.substr(0, rows.find('\n') + 1);
  auto rest = std::string_view(rows).substr(out.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(row.size() + 1);
    out += row;
    const auto text = source_text(lines[i], file, source);
    const bool next_has_it = i + 1 < lines.size() && !all_fit &&
                             lines[i + 1].file == lines[i].file &&
                             lines[i + 1].line == lines[i].line;
    if (all_fit) out += "  | " + text;
    out += '\n';
    if (all_fit || next_has_it || text.empty()) continue;
    const auto room = std::max(style.width(), below + kLeastSource) - below;
    out += fmt::format("{}  | {}\n", std::string(indent, ' '), base::excerpt(text, 0, room).text);
  }
  return out;
}

std::string render_shares(const std::vector<timing::Share>& shares) {
  std::string out;
  for (const auto& share : shares) {
    if (!(share.seconds > 0)) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", share.resource, seconds(share.seconds));
  }
  return out;
}

}  // namespace warpgrade::grader
