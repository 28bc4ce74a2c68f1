// SPDX-License-Identifier: Apache-2.0
// The time of a launch without one of its wastes: the time model is asked again.
//
// In: the inputs of the model for a launch. Out: seconds. Nothing is executed again. No change of
// the kernel saves more than the difference, which ranks the wastes of a launch. The trace has no
// lines, so a waste is left out everywhere.
#pragma once

#include <cstdint>
#include <memory>

#include "common/device/profile.h"
#include "common/timing/bound.h"
#include "common/timing/sample.h"
#include "common/timing/simulation.h"
#include "common/timing/trace.h"

namespace warpgrade::timing {

/// The model's inputs for one launch, and the time from the start of its first block to the end of
/// its last one.
struct ModelInputs {
  Sample sample;
  Rates rates;
  std::shared_ptr<const Trace> trace;
  Occupancy occupancy;
  double seconds = 0;
};

/// Whether `trace` is small enough to be kept until the grade is decided.
bool is_kept(const Trace& trace);

/// A waste that the model can leave out.
enum class Waste : std::uint8_t {
  kBarriers,          ///< No warp waits at a barrier of its block.
  kSharedWavefronts,  ///< Requests of shared memory need at most `least` wavefronts.
  kLoadSectors,       ///< Loads move at most `least` sectors per request.
  kStoreSectors,      ///< Stores likewise.
  kMemoryLatency,     ///< Global memory answers as soon as the data has been moved.
  kLowOccupancy,      ///< As many blocks fit as their warps allow.
  kInstructions,      ///< Instructions need no time to issue.
  kArithmetic,        ///< Pipes are never busy.
  kLocalMemory,       ///< Local memory needs no time.
  kAtomics,           ///< Atomics need no time.
};

/// Seconds of the launch without the waste: at most `inputs.seconds`.
double seconds_without(const device::Profile& profile, const ModelInputs& inputs, Waste waste,
                       double least = 0);

}  // namespace warpgrade::timing
