// SPDX-License-Identifier: Apache-2.0
#include "common/check/harmless_race.h"

namespace warpgrade::check {

Harmless harmless_race(const LaunchView& view, const RacingAccess& before, const RacingAccess& now,
                       bool same_warp) {
  const bool loads_now = now.operation == run::Operation::kLoad;
  const auto& load = loads_now ? now : before;
  const auto& other = loads_now ? before : now;
  if (load.operation != run::Operation::kLoad) return Harmless::kNo;
  if (other.operation == run::Operation::kStore) {
    return other.keeps_value ? Harmless::kUnchangedStore : Harmless::kNo;
  }
  const bool comes_first = load.instruction < other.instruction || view.is_test(load.instruction);
  if (!is_atomic(other.operation) || (same_warp && !comes_first)) return Harmless::kNo;
  return view.is_stored(load.instruction, other.instruction) ? Harmless::kNo : Harmless::kStaleLoad;
}

}  // namespace warpgrade::check
