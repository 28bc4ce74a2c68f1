// SPDX-License-Identifier: Apache-2.0
// Two kinds of races that are harmless on every card.
//
// A plain load of a word that others only change by atomics may return an old value. It is harmless
// if the value only decides the next step: `if (v > *most) atomicMax(most, v);`. If the value
// reaches a store, or decides about a write of another word, it becomes a result, unless the result
// of an atomic of the word decides about that write, too: `if (v < *p && atomicMin(p, v) > v) ...`.
// Runs with other orders of warps cannot show whether the value matters between lanes of one warp,
// so there the load must precede the atomic in the code, or an atomic of the word that it decides.
//
// A store of the value that the word already contains changes nothing for readers of the word.
#pragma once

#include <cstdint>

#include "common/check/launch_view.h"
#include "common/run/observer.h"

namespace warpgrade::check {

/// One of the two accesses of a race.
struct RacingAccess {
  std::uint32_t instruction = 0;
  run::Operation operation{};
  bool keeps_value = false;  ///< It stores the value that the word already contains.
};

using base::Harmless;

Harmless harmless_race(const LaunchView& view, const RacingAccess& before, const RacingAccess& now,
                       bool same_warp);

}  // namespace warpgrade::check
