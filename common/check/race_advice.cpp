// SPDX-License-Identifier: Apache-2.0
#include "common/check/race_advice.h"

#include <fmt/format.h>

namespace warpgrade::check {

std::string race_advice(const LaunchView& view, const BlockRace& race) {
  // In a block of one warp every race is within the warp, and __syncthreads() is still right.
  const bool for_warp = race.same_warp && view.warps_per_block() > 1;
  const std::string barrier = for_warp ? "__syncwarp()" : "__syncthreads()";
  const bool one_line = view.line_number(race.before) == view.line_number(race.now);
  const bool repeated = view.is_repeated(race.now);
  std::string out;
  if (for_warp) out = "Both threads are in one warp, whose lanes need not run in step. ";
  if (race.both_write && one_line && !repeated) {
    return out + "Let only one thread write there, or give each thread an element of its own.";
  }
  const auto place = fmt::format(" a {} {}.", barrier, view.between_text(race.before, race.now));
  if (race.both_write) {
    out +=
        "Let only one thread write there, give each thread an element of its own, or put" + place;
  } else if (!one_line) {
    out += "Put" + place;
  } else if (repeated) {
    out += fmt::format("Put{} If one pass does both: read into a variable, call {}, then store.",
                       place, barrier);
  } else {
    out += fmt::format("Read into a variable, call {}, then store.", barrier);
  }
  if (race.same_warp && !for_warp) out += " Inside a branch use __syncwarp() instead.";
  return out;
}

}  // namespace warpgrade::check
