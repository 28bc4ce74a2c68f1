// SPDX-License-Identifier: Apache-2.0
// A compiled kernel file: its output, its resources by kernel, and the host code that it lacks.
//
// In: NVRTC's log with the output of ptxas -v, and the list of host code that was left out. Out:
// the resources of each kernel, and a sentence for reports about the code that was left out.
#include "common/compile/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

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

namespace {

// The number directly before `unit` in `line`; 0 without a number.
std::uint32_t number_before(std::string_view line, std::string_view unit) {
  const auto at = line.find(unit);
  if (at == std::string_view::npos) return 0;
  const auto head = line.substr(0, at);
  const auto begin = head.find_last_not_of("0123456789") + 1;
  std::uint32_t value = 0;
  std::from_chars(head.data() + begin, head.data() + head.size(), value);
  return value;
}

// The name between the first pair of apostrophes.
std::string_view quoted(std::string_view line) {
  const auto begin = line.find('\'');
  if (begin == std::string_view::npos) return {};
  return line.substr(begin + 1, line.find('\'', begin + 1) - begin - 1);
}

// The sum over all banks of "372 bytes cmem[0], 8 bytes cmem[2]".
std::uint32_t constant_bytes(std::string_view line) {
  std::uint32_t sum = 0;
  for (auto at = line.find(" bytes cmem["); at != std::string_view::npos;
       at = line.find(" bytes cmem[")) {
    sum += number_before(line, " bytes cmem[");
    line.remove_prefix(at + 1);
  }
  return sum;
}

}  // namespace

std::map<std::string, Resources> parse_ptxas_report(std::string_view log) {
  std::map<std::string, Resources> kernels;
  Resources* current = nullptr;
  while (!log.empty()) {
    const auto end = log.find('\n');
    const auto line = log.substr(0, end);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (!line.starts_with("ptxas")) continue;
    if (line.find("Compiling entry function '") != std::string_view::npos) {
      current = &kernels[std::string(quoted(line))];
      *current = {};
    } else if (current != nullptr && line.find(" bytes stack frame") != std::string_view::npos) {
      current->stack_frame_bytes = number_before(line, " bytes stack frame");
      current->spill_store_bytes = number_before(line, " bytes spill stores");
      current->spill_load_bytes = number_before(line, " bytes spill loads");
    } else if (current != nullptr && line.find(": Used ") != std::string_view::npos) {
      current->registers_per_thread = number_before(line, " registers");
      current->barriers = number_before(line, " barriers");
      current->static_shared_bytes = number_before(line, " bytes smem");
      current->constant_bytes = constant_bytes(line);
      current = nullptr;
    }
  }
  return kernels;
}

}  // namespace warpgrade::compile
