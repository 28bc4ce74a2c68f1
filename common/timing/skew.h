// SPDX-License-Identifier: Apache-2.0
// Uneven work as the cause that bounds a launch: contention of atomics, or imbalance among warps.
//
// Both depend on the data. A kernel whose time they bound is much faster with even data, so a
// reader needs other advice than for a full resource or for too few loads in flight.
//
// - Contention: atomics are the resource that bounds the launch, at least half of its work is due
//   to lanes of one request on the same word, and these are a quarter of a warp on average. With
//   values spread evenly over 256 words, 2 lanes of a warp share the most used word.
// - Imbalance: the launch waits (Bound::kLatency), the longest warp issues at least four times the
//   instructions of the mean warp, and it runs for at least half of the time, without its sleeps
//   and fences. Warps differ by less at the edges of a matrix.
//
// Numbers are those of the traced blocks. If the long warps are in other blocks, the bound is
// Bound::kBlocksNotFollowed instead.
#pragma once

#include <variant>
#include <vector>

#include "common/run/observer.h"
#include "common/timing/bound.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// Lanes that use the same word and are served one after another.
struct Contention {
  run::Space space{};      ///< kShared or kGlobal, the memory of the atomics.
  double lanes = 0;        ///< Active lanes of a request, on average.
  double on_one_word = 0;  ///< Those on the most used word of the request, on average.

  friend bool operator==(const Contention&, const Contention&) = default;
};

/// A few warps do much more work than the others.
struct Imbalance {
  double longest = 0;          ///< Machine instructions of the longest warp.
  double mean = 0;             ///< And of the mean warp.
  double longest_seconds = 0;  ///< That the longest warp runs, without its sleeps and fences.

  friend bool operator==(const Imbalance&, const Imbalance&) = default;
};

/// std::monostate: neither of them bounds the launch.
using Skew = std::variant<std::monostate, Contention, Imbalance>;

/// Machine instructions of a warp with this program, its requests included.
double instructions_of(const WarpProgram& program);

/// The skew that bounds a launch with this trace, whose blocks run for `seconds`. `warp_seconds`
/// are those of SimulatedTime.
Skew skew_of(const Trace& trace, Bound bound_by, const std::vector<double>& warp_seconds,
             double seconds);

}  // namespace warpgrade::timing
