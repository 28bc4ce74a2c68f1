// SPDX-License-Identifier: Apache-2.0
// Two kinds of races that are harmless on every card, and advice to avoid them.
//
// A plain load of a word that others only change by atomics may return an old value. It is harmless
// if the value only decides the next step: `if (v > *most) atomicMax(most, v);`. If the value
// reaches a store, it becomes a result. Runs with other orders of warps cannot show whether the
// value matters between lanes of one warp, so there the load must precede the atomic in the code.
//
// A store of the value that the word already contains changes nothing for readers of the word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/check/launch_view.h"
#include "common/run/observer.h"

namespace warpgrade::check {

/// One of the two accesses of a race.
struct RacingAccess {
  std::uint32_t instruction = 0;
  run::Operation operation{};
  bool keeps_value = false;  ///< It stores the value that the word already contains.
};

enum class Harmless {
  kNo,
  kStaleLoad,       ///< A plain load, concurrent with atomics.
  kUnchangedStore,  ///< A store of the present value, concurrent with a load.
};

Harmless harmless_race(const LaunchView& view, const RacingAccess& before, const RacingAccess& now,
                       bool same_warp);

/// Advice to avoid a harmless race. `word` is the text of the place; `scope` is the scope of the
/// sharing threads: "device" or "block".
std::string harmless_advice(Harmless which, std::string_view type, std::string_view word,
                            std::string_view scope);

}  // namespace warpgrade::check
