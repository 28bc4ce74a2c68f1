// SPDX-License-Identifier: Apache-2.0
#include "grader/report/render_lines.h"

#include <fmt/format.h>

#include <string_view>

#include "common/base/text.h"

namespace warpgrade::grader {

std::string render_lines(const std::vector<memory::LineCounters>& lines, const std::string& file,
                         const std::string& source, std::size_t indent, const Style& style) {
  Columns table({true, true, false, false, false, false, true});
  table.add(
      {"line", "operation", "requests", "sectors/request", "wavefronts/request", "", "source"});
  for (std::size_t column = 0; column < 7; ++column) table.colour(0, column, Colour::kDim);
  // The sectors that an access of one 4-byte word a lane needs, and one wavefront a request.
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

std::string render_shares(const std::vector<timing::Share>& shares) {
  std::string out;
  for (const auto& share : shares) {
    if (!(share.seconds > 0)) continue;
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", share.resource, seconds(share.seconds));
  }
  return out;
}

}  // namespace warpgrade::grader
