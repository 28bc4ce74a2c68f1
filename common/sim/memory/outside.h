// SPDX-License-Identifier: Apache-2.0
// Facts on accesses: the array that contains them, or the nearest one.
#pragma once

#include <cstdint>

#include "common/run/observer.h"
#include "common/sim/block.h"
#include "common/sim/memory/region.h"

namespace warpgrade::sim {

/// Describes `bytes` bytes at `address` that are not all inside one buffer, variable, or the
/// block's own shared memory or the thread's local memory, where `address` is an offset.
Outside describe_outside(const Block& block, std::uint64_t address, std::uint32_t bytes,
                         run::Space space);

/// The place of an access inside an array; otherwise its address.
base::Place place_at(const Block& block, std::uint64_t address, std::uint32_t bytes,
                     run::Space space);

}  // namespace warpgrade::sim
