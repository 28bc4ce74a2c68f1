// SPDX-License-Identifier: Apache-2.0
// `warpgrade occupancy`: prints the number of blocks that fit on a multiprocessor, and their limit.
#include "common/timing/occupancy.h"

#include <fmt/format.h>

#include "common/base/counted.h"
#include "common/base/error.h"
#include "common/device/profile.h"
#include "grader/cli/commands/commands.h"

namespace warpgrade::grader::cli {

int run_occupancy(const OccupancyOptions& options) {
  const auto& profile = device::find(options.device);
  if (options.block == 0 || options.block > profile.sm.limits.threads_per_block) {
    throw base::UsageError(fmt::format("--block {}: a block has 1 to {} threads on {}",
                                       options.block, profile.sm.limits.threads_per_block,
                                       profile.name));
  }
  const auto found =
      timing::occupancy(profile, options.block, options.registers, options.shared_bytes);
  const auto percent = 100.0 * found.warps_per_sm / profile.sm.limits.warps;
  print(fmt::format("{} an SM, {} of {} warps ({:.1f} %), limited by {}\n",
                    base::counted(found.blocks_per_sm, "block"), found.warps_per_sm,
                    profile.sm.limits.warps, percent, timing::name(found.limited_by)));
  return 0;
}

}  // namespace warpgrade::grader::cli
