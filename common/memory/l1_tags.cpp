// SPDX-License-Identifier: Apache-2.0
#include "common/memory/l1_tags.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpgrade::memory {
namespace {

constexpr std::uint32_t kLineBits = 7;
constexpr std::size_t kMostBanks = 64;

std::uint32_t tag_bank(std::uint64_t line, std::uint32_t digit_bits) {
  std::uint64_t bank = 0;
  for (; line != 0; line >>= digit_bits) bank ^= line;
  return static_cast<std::uint32_t>(bank & ((1U << digit_bits) - 1));
}

}  // namespace

std::uint32_t tag_clocks(const Request& request, std::uint32_t banks) {
  const auto digit_bits = static_cast<std::uint32_t>(std::countr_zero(banks));
  std::array<std::uint64_t, 32> lines{};
  std::size_t count = 0;
  for (std::uint32_t mask = request.mask; mask != 0; mask &= mask - 1) {
    const auto line = request.address[std::countr_zero(mask)] >> kLineBits;
    // Neighbours mostly share a line, so the search begins at the end.
    const auto seen = lines.begin() + static_cast<std::ptrdiff_t>(count);
    if (count != 0 && (lines[count - 1] == line || std::find(lines.begin(), seen, line) != seen)) {
      continue;
    }
    lines[count++] = line;
  }
  if (banks <= 1) return static_cast<std::uint32_t>(count);
  std::array<std::uint32_t, kMostBanks> load{};
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < count; ++i) {
    most = std::max(most, ++load[tag_bank(lines[i], digit_bits)]);
  }
  return most;
}

}  // namespace warpgrade::memory
