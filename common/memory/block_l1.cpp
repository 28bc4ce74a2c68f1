// SPDX-License-Identifier: Apache-2.0
#include "common/memory/block_l1.h"

namespace warpgrade::memory {

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
