// SPDX-License-Identifier: Apache-2.0
// The two races that do no harm on any card, and how to write them so that they are none.
//
// A plain load of a word that others change by atomics only may give an old value. It does no harm
// if the value only decides what to do next: `if (v > *most) atomicMax(most, v);`. If the value
// reaches a store, it becomes a result. Among lanes of one warp the further orders of warps cannot
// show whether the value matters, so there the load must come first in the code.
//
// A store of the value that the word already holds changes nothing for whoever reads the word.
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
  kStaleLoad,       ///< A plain load beside atomics.
  kUnchangedStore,  ///< A store of the value that is there already, beside a load.
};

Harmless harmless_race(const LaunchView& view, const RacingAccess& before, const RacingAccess& now,
                       bool same_warp);

/// How to write a harmless race so that it is none. `word` is the text of the place, `scope` that
/// of the threads that share it: "device" or "block".
std::string harmless_advice(Harmless which, std::string_view type, std::string_view word,
                            std::string_view scope);

}  // namespace warpgrade::check
