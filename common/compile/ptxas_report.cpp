// SPDX-License-Identifier: Apache-2.0
#include "common/compile/ptxas_report.h"

#include <charconv>
#include <cstdint>

namespace warpgrade::compile {
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
