// SPDX-License-Identifier: Apache-2.0
#include "common/memory/l1_tags.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpgrade::memory {
namespace {

constexpr std::uint32_t kLineBits = 7;

// The bits of a line number that determine the lower and the upper bit of its bank.
struct CountingBits {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

CountingBits counting_bits(device::TagBanks rule) {
  constexpr CountingBits kAmpere{0x5555555555555555, 0xaaaaaaaaaaaaaaaa};
  constexpr CountingBits kHopper{0xef7ab5, 0xbad5da};
  return rule == device::TagBanks::kHopper ? kHopper : kAmpere;
}

std::uint32_t bank_of(std::uint64_t line, const CountingBits& bits) {
  return static_cast<std::uint32_t>(__builtin_parityll(line & bits.high) << 1 |
                                    __builtin_parityll(line & bits.low));
}

}  // namespace

std::uint32_t tag_bank(std::uint64_t line, device::TagBanks rule) {
  return bank_of(line, counting_bits(rule));
}

std::uint32_t tag_clocks(const Request& request, device::TagBanks rule) {
  std::array<std::uint64_t, 32> lines{};
  std::size_t count = 0;
  for (std::uint32_t mask = request.mask; mask != 0; mask &= mask - 1) {
    const auto line = request.address[std::countr_zero(mask)] >> kLineBits;
    // Neighbours often share a line, so the last line is checked first.
    const auto seen = lines.begin() + static_cast<std::ptrdiff_t>(count);
    if (count != 0 && (lines[count - 1] == line || std::find(lines.begin(), seen, line) != seen)) {
      continue;
    }
    lines[count++] = line;
  }
  const auto bits = counting_bits(rule);
  std::array<std::uint32_t, kTagBankCount> load{};
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, ++load[bank_of(lines[i], bits)]);
  return most;
}

}  // namespace warpgrade::memory
