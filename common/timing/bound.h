// SPDX-License-Identifier: Apache-2.0
// The resources that can bound the time of a launch.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpgrade::timing {

/// In the order of their names, which decides between resources that bind for equally long.
enum class Bound : std::uint8_t {
  kNone,  ///< Not known.
  kAluPipe,
  kBlocksNotFollowed,  ///< See sample_bias.h.
  kBusiestAtomicUnit,
  kBusiestPartition,
  kConstantPasses,  ///< Passes for lanes that read different constants.
  kDram,
  kFmaHeavyPipe,
  kFp64Pipe,
  kIssue,
  kL1Data,
  kL2,
  kL2PartialWrites,
  kL2Stores,
  kLatency,  ///< Time in which none of the other resources is the reason.
  kLaunchOverhead,
  kMeasured,   ///< A GPU's time, which names no resource.
  kOccupancy,  ///< No block fits on a multiprocessor.
  kSharedWavefronts,
  kSmPort,
  kTagLookups,
  kXuPipe,
};

/// The name in JSON: "dram", "busiest partition", ...; empty for kNone.
std::string_view name(Bound bound);

}  // namespace warpgrade::timing
