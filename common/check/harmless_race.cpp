// SPDX-License-Identifier: Apache-2.0
#include "common/check/harmless_race.h"

#include <fmt/format.h>

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
  const bool comes_first = load.instruction < other.instruction;
  if (!is_atomic(other.operation) || (same_warp && !comes_first)) return Harmless::kNo;
  return view.is_stored(load.instruction) ? Harmless::kNo : Harmless::kStaleLoad;
}

std::string harmless_advice(Harmless which, std::string_view type, std::string_view word,
                            std::string_view scope) {
  const auto reference =
      fmt::format("cuda::atomic_ref<{}, cuda::thread_scope_{}>({})", type, scope, word);
  if (which == Harmless::kStaleLoad) {
    return fmt::format(
        "The load may see an old value. That does no harm here and costs no points, but the "
        "language calls it a race. Include <cuda/atomic> and write "
        "{}.load(cuda::memory_order_relaxed).",
        reference);
  }
  return fmt::format(
      "The word already holds the stored value. That does no harm and costs no points, but the "
      "language calls it a race. Store only if the value changes, or include <cuda/atomic> and "
      "write {0}.store(value, cuda::memory_order_relaxed), and read it by "
      "{0}.load(cuda::memory_order_relaxed).",
      reference);
}

}  // namespace warpgrade::check
