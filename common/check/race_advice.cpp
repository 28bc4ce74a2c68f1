// SPDX-License-Identifier: Apache-2.0
#include "common/check/race_advice.h"

namespace warpgrade::check {

base::BarrierAdvice race_advice(const LaunchView& view, const BlockRace& race) {
  base::BarrierAdvice out;
  // In a block of one warp every race is within the warp, and __syncthreads() is still right.
  out.one_warp = race.same_warp && view.warps_per_block() == view.cluster_blocks();
  out.for_warp = race.same_warp && !out.one_warp;
  out.for_cluster = race.across_blocks;
  out.both_write = race.both_write;
  out.one_line = view.line_number(race.before) == view.line_number(race.now);
  out.is_repeated = view.is_repeated(race.now);
  out.between = view.between(race.before, race.now);
  return out;
}

}  // namespace warpgrade::check
