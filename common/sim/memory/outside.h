// SPDX-License-Identifier: Apache-2.0
// Accesses out of bounds in words: where they lie, and what to do.
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

/// "byte 4 of 'in'", "byte 4 of tile": where an address lies that is in some array; else the
/// address itself.
std::string place_text(const Block& block, std::uint64_t address, run::Space space);

}  // namespace warpgrade::sim
