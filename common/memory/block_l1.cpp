// SPDX-License-Identifier: Apache-2.0
#include "common/memory/block_l1.h"

namespace warpgrade::memory {

namespace {

// Resident blocks per SM; ignores registers.
std::uint32_t resident_blocks(const device::Profile& profile, const run::LaunchContext& context) {
  const std::uint32_t shared = context.shared_bytes + profile.shared_reserved_per_block;
  std::uint32_t blocks = std::min(profile.max_blocks_per_sm,
                                  profile.max_warps_per_sm / std::max(context.warps_per_block, 1U));
  if (shared != 0) blocks = std::min(blocks, profile.shared_bytes_per_sm / shared);
  if (context.launch != nullptr && profile.sm_count != 0) {
    const auto [x, y, z] = context.launch->grid;
    const auto each = (std::uint64_t{x} * y * z + profile.sm_count - 1) / profile.sm_count;
    blocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks, each));
  }
  return std::max(blocks, 1U);
}

}  // namespace

std::uint64_t l1_share(const device::Profile& profile, const run::LaunchContext& context) {
  const std::uint32_t shared = context.shared_bytes + profile.shared_reserved_per_block;
  const std::uint32_t blocks = resident_blocks(profile, context);
  const std::uint64_t taken =
      std::min<std::uint64_t>(std::uint64_t{blocks} * shared, profile.shared_bytes_per_sm);
  std::uint64_t left = profile.l1_bytes > taken ? profile.l1_bytes - taken : 0;
  if (profile.l1_most_bytes != 0) left = std::min<std::uint64_t>(left, profile.l1_most_bytes);
  return left / blocks;
}

double l2_reach(const device::Profile& profile) {
  return static_cast<double>(profile.l2_bytes) / (1 + 0.5 * (profile.l2_halves - 1));
}

std::uint64_t l2_share(const device::Profile& profile, const run::LaunchContext& context) {
  std::uint64_t blocks =
      std::uint64_t{resident_blocks(profile, context)} * std::max(profile.sm_count, 1U);
  if (context.launch != nullptr) {
    const auto [x, y, z] = context.launch->grid;
    blocks = std::clamp<std::uint64_t>(std::uint64_t{x} * y * z, 1, blocks);
  }
  return static_cast<std::uint64_t>(l2_reach(profile)) / blocks;
}

}  // namespace warpgrade::memory
