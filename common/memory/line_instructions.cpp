// SPDX-License-Identifier: Apache-2.0
#include "common/memory/line_instructions.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace warpgrade::memory {

std::vector<LineInstructions> instructions_by_line(const ptx::Function& function,
                                                   const run::Result& result) {
  std::map<std::pair<std::string_view, std::uint32_t>, std::uint64_t> sums;
  const auto count = std::min(result.instructions.size(), function.instructions.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto warps = result.instructions[i].warps;
    if (warps == 0) continue;
    const auto& where = ptx::location(function, i);
    sums[{where.file, where.line}] += warps;
  }
  std::vector<LineInstructions> out;
  for (const auto& [where, warps] : sums) {
    out.push_back({std::string(where.first), where.second, warps});
  }
  return out;
}

void add_instructions(const std::vector<LineInstructions>& more,
                      std::vector<LineInstructions>& all) {
  for (const auto& line : more) {
    const auto at = std::lower_bound(all.begin(), all.end(), line,
                                     [](const LineInstructions& a, const LineInstructions& b) {
                                       return std::tie(a.file, a.line) < std::tie(b.file, b.line);
                                     });
    if (at != all.end() && at->file == line.file && at->line == line.line) {
      at->warps += line.warps;
    } else {
      all.insert(at, line);
    }
  }
}

}  // namespace warpgrade::memory
