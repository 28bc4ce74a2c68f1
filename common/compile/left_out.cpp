// SPDX-License-Identifier: Apache-2.0
#include "common/compile/left_out.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/text.h"

namespace warpgrade::compile {

bool is_include(const LeftOut& item) {
  return item.name.starts_with('<') || item.name.starts_with('"');
}

std::string describe(const std::vector<LeftOut>& items, std::string_view main_file) {
  constexpr std::size_t kMostNames = 8;
  constexpr std::size_t kMostColumns = 40;  // of a name
  if (items.empty()) return {};
  std::string out = "left out as host code: ";
  const auto count = std::min(items.size(), kMostNames);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& item = items[i];
    const bool is_last = i + 1 == items.size();
    if (i != 0) out += is_last ? " and " : ", ";
    const auto name = base::excerpt(base::escape_controls(item.name), 0, kMostColumns).text;
    const auto place = item.file == main_file
                           ? fmt::format("line {}", item.line)
                           : fmt::format("{}:{}", base::escape_controls(item.file), item.line);
    out += name.empty() ? place : fmt::format("{} ({})", name, place);
  }
  if (items.size() > count) out += fmt::format(" and {} more", items.size() - count);
  return out;
}

}  // namespace warpgrade::compile
