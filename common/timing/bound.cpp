// SPDX-License-Identifier: Apache-2.0
// What limits a launch: the resource that bounds its time, and the occupancy of an SM.
//
// Each resource of an SM allows a number of blocks; the minimum wins. If several allow the same
// number, the first in the order warps, blocks, registers, shared, barriers is reported.
#include "common/timing/bound.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "common/device/profile.h"
#include "common/run/observer.h"

namespace warpgrade::timing {

std::string_view name(Bound bound) {
  static constexpr std::array<std::string_view, 23> kNames = {"",
                                                              "alu pipe",
                                                              "blocks not followed",
                                                              "busiest atomic unit",
                                                              "busiest partition",
                                                              "constant passes",
                                                              "dram",
                                                              "fma pipe",
                                                              "fmaheavy pipe",
                                                              "fp64 pipe",
                                                              "issue",
                                                              "l1 data",
                                                              "l2",
                                                              "l2 partial writes",
                                                              "l2 stores",
                                                              "latency",
                                                              "launch overhead",
                                                              "measured",
                                                              "occupancy",
                                                              "shared wavefronts",
                                                              "sm port",
                                                              "tag lookups",
                                                              "xu pipe"};
  return kNames.at(static_cast<std::size_t>(bound));
}

namespace {

constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

constexpr std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Number of blocks with `warps` warps whose registers fit.
std::uint32_t by_registers(const device::Profile& profile, std::uint32_t warps,
                           std::uint32_t registers) {
  if (registers > profile.sm.limits.registers_per_thread) return 0;
  if (registers == 0) return kUnlimited;
  if (!profile.sm.limits.registers_by_warp) {
    const std::uint32_t block =
        round_up(round_up(warps, profile.sm.limits.warp_unit) * run::kWarpSize * registers,
                 profile.sm.limits.register_unit);
    return profile.sm.limits.registers / block;
  }
  const std::uint32_t warp = round_up(run::kWarpSize * registers, profile.sm.limits.register_unit);
  // Registers belong to a quarter of the SM, one scheduler's; a warp cannot use two quarters.
  const std::uint32_t warps_per_scheduler =
      profile.sm.limits.registers / profile.sm.schedulers / warp;
  return warps_per_scheduler * profile.sm.schedulers / warps;
}

std::uint32_t by_shared(const device::Profile& profile, std::uint32_t shared_bytes) {
  if (shared_bytes > profile.shared.max_bytes_per_block) return 0;
  const std::uint32_t block =
      round_up(shared_bytes + profile.shared.reserved_bytes_per_block, profile.shared.unit_bytes);
  return block == 0 ? kUnlimited : profile.shared.bytes / block;
}

// An SM has twice as many named barriers as blocks, or as many on small cards. They limit blocks
// from Hopper on (cuda_occupancy.h of CUDA 13.0). An H200 holds 64 / N blocks with N barriers.
std::uint32_t by_barriers(const device::Profile& profile, std::uint32_t barriers) {
  const auto major = profile.compute.major;
  const auto minor = profile.compute.minor;
  if (barriers == 0 || major < 9) return kUnlimited;
  const bool is_small = major == 12 || (major == 10 && minor == 1) || (major == 11 && minor == 0);
  return profile.sm.limits.blocks * (is_small ? 1 : 2) / barriers;
}

}  // namespace

std::string_view name(Limit limit) {
  static constexpr std::array<std::string_view, 6> kNames = {"",          "warps",  "blocks",
                                                             "registers", "shared", "barriers"};
  return kNames.at(static_cast<std::size_t>(limit));
}

Occupancy occupancy(const device::Profile& profile, std::uint32_t threads, std::uint32_t registers,
                    std::uint32_t shared_bytes, std::uint32_t barriers) {
  const std::uint32_t warps = std::max(1U, (threads + run::kWarpSize - 1) / run::kWarpSize);
  struct Bounded {
    std::uint32_t blocks;
    Limit by;
  };
  const std::array<Bounded, 5> limits = {{
      {threads > profile.sm.limits.threads_per_block ? 0 : profile.sm.limits.warps / warps,
       Limit::kWarps},
      {profile.sm.limits.blocks, Limit::kBlocks},
      {by_registers(profile, warps, registers), Limit::kRegisters},
      {by_shared(profile, shared_bytes), Limit::kShared},
      {by_barriers(profile, barriers), Limit::kBarriers},
  }};
  const Bounded& least =
      *std::min_element(limits.begin(), limits.end(),
                        [](const Bounded& a, const Bounded& b) { return a.blocks < b.blocks; });
  return {least.blocks, least.blocks * warps, least.by};
}

}  // namespace warpgrade::timing
