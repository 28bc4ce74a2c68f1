// SPDX-License-Identifier: Apache-2.0
// Describes out-of-bounds accesses: their place, and what to do.
#pragma once

#include <cstdint>
#include <string>

#include "common/run/observer.h"
#include "common/sim/block.h"
#include "common/sim/memory/region.h"

namespace warpgrade::sim {

/// Describes `bytes` bytes at `address` that are not all inside one buffer, variable, or the
/// block's own shared memory or the thread's local memory, where `address` is an offset.
Outside describe_outside(const Block& block, std::uint64_t address, std::uint32_t bytes,
                         run::Space space);

/// The place of an address inside an array: "byte 4 of 'in'", "byte 4 of tile"; otherwise the
/// address itself.
std::string place_text(const Block& block, std::uint64_t address, run::Space space);

}  // namespace warpgrade::sim
