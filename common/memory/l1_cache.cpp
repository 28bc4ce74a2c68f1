// SPDX-License-Identifier: Apache-2.0
// The L1: the sectors that a block's earlier loads left there, and the banks of its tags.
//
// In: the lines of a load. Out: the sectors that miss, and the clocks of the tag stage. Not
// modelled: hits on lines loaded by a neighbour on the same SM, and resident blocks that use
// their shares at different times.
#include "common/memory/l1_cache.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "common/device/profile.h"
#include "common/memory/lines.h"
#include "common/run/observer.h"

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

namespace {

// Resident blocks per SM; ignores registers.
std::uint32_t resident_blocks(const device::Profile& profile, const run::LaunchContext& context) {
  const std::uint32_t shared = context.shared_bytes + profile.shared.reserved_bytes_per_block;
  std::uint32_t blocks = std::min(profile.sm.limits.blocks,
                                  profile.sm.limits.warps / std::max(context.warps_per_block, 1U));
  if (shared != 0) blocks = std::min(blocks, profile.shared.bytes / shared);
  if (context.launch != nullptr && profile.sm.count != 0) {
    const auto [x, y, z] = context.launch->grid;
    const auto each = (std::uint64_t{x} * y * z + profile.sm.count - 1) / profile.sm.count;
    blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, each));
  }
  return std::max(blocks, 1U);
}

}  // namespace

std::uint64_t l1_share(const device::Profile& profile, const run::LaunchContext& context) {
  const std::uint32_t shared = context.shared_bytes + profile.shared.reserved_bytes_per_block;
  const std::uint32_t blocks = resident_blocks(profile, context);
  const std::uint64_t taken =
      std::min<std::uint64_t>(std::uint64_t{blocks} * shared, profile.shared.bytes);
  std::uint64_t left = profile.l1.bytes > taken ? profile.l1.bytes - taken : 0;
  if (const auto most = profile.l1.max_cache_bytes) left = std::min<std::uint64_t>(left, *most);
  return left / blocks;
}

namespace {

/// Bytes of L1 that become shared memory on Hopper.
std::uint64_t carve_out(const device::Profile& profile, std::uint32_t warps, std::uint32_t shared) {
  constexpr std::uint64_t kKilobyte = 1024;
  constexpr std::array<std::uint64_t, 10> kSizes = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  constexpr std::uint64_t kMostForTwice = 132 * kKilobyte;
  constexpr std::uint64_t kMostWithout = 32 * kKilobyte;
  constexpr std::uint32_t kLargestBlock = 32;  // warps
  const auto size_for = [&](std::uint64_t bytes) {
    const auto found = std::ranges::lower_bound(kSizes, (bytes + kKilobyte - 1) / kKilobyte);
    return (found == kSizes.end() ? kSizes.back() : *found) * kKilobyte;
  };
  const std::uint64_t each = shared + profile.shared.reserved_bytes_per_block;
  const std::uint64_t fit = profile.sm.limits.warps / std::max(warps, 1U);
  if (shared == 0) return std::min(size_for(2 * fit * 2 * each), kMostWithout);
  const std::uint64_t blocks = profile.sm.limits.blocks;
  const auto twice = warps >= kLargestBlock ? fit : std::min(2 * fit, blocks);
  if (const auto size = size_for(twice * each); size <= kMostForTwice) return size;
  const auto most = std::min({fit, blocks, profile.shared.bytes / each});
  return std::max(size_for(most * each), kMostForTwice);
}

}  // namespace

std::uint64_t l1_beside(const device::Profile& profile, const run::LaunchContext& context) {
  constexpr std::uint32_t kHopper = 9;
  constexpr std::uint64_t kInFlight = 4 << 10;
  if (profile.compute.major != kHopper) {
    return l1_share(profile, context) * resident_blocks(profile, context);
  }
  const auto taken = carve_out(profile, context.warps_per_block, context.shared_bytes) + kInFlight;
  return profile.l1.bytes > taken ? profile.l1.bytes - taken : 0;
}

double l2_reach(const device::Profile& profile) {
  return profile.l2.bytes.value_or(0) / (1 + 0.5 * (profile.l2.halves - 1));
}

std::uint64_t l2_share(const device::Profile& profile, const run::LaunchContext& context) {
  std::uint64_t blocks =
      std::uint64_t{resident_blocks(profile, context)} * std::max(profile.sm.count, 1U);
  if (context.launch != nullptr) {
    const auto [x, y, z] = context.launch->grid;
    blocks = std::clamp<std::uint64_t>(std::uint64_t{x} * y * z, 1, blocks);
  }
  return static_cast<std::uint64_t>(l2_reach(profile)) / blocks;
}

}  // namespace warpgrade::memory
