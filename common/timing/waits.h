// SPDX-License-Identifier: Apache-2.0
// How long a warp waits for other things than the answer to its own load.
//
// All numbers are clocks that were measured on an H200 (tests/evidence/golden/h200_waits); other
// profiles use the same ones.
#pragma once

#include <cstdint>

namespace warpgrade::timing {

/// The threads that see a warp's earlier accesses after a fence.
enum class FenceScope : std::uint8_t { kNone, kBlock, kDevice, kSystem };

/// Constant memory serves one 4-byte word to all lanes that read it. Words of one load follow each
/// other; a load of one word to all lanes is free.
constexpr double kConstantWordClocks = 2;
constexpr double kConstantLatency = 40;

/// nanosleep(t) ends between 0 and 2 t later; on average after this many times t.
constexpr double kSleepTimes = 1;

/// A fence ends this long after it starts, and not before all earlier accesses have been performed.
constexpr double kBlockFenceClocks = 10;
constexpr double kDeviceFenceClocks = 300;
constexpr double kSystemFenceClocks = 600;

/// From the last arrival at a barrier object to the next instruction of a thread that waits there.
constexpr double kArrivalClocks = 20;

}  // namespace warpgrade::timing
