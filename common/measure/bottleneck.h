// SPDX-License-Identifier: Apache-2.0
// What limits a simulated launch: one unit of the chip, too few bytes in flight, too few resident
// warps, or too little work.
//
// In: a measurement of the simulator. Out: facts for advice and for questions. The time model names
// the unit that is busy for most of the time. If none is, warps wait. Then the loads in
// flight are compared with those that saturate DRAM (Little's law), and the resident warps with
// those that fit.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/device/profile.h"
#include "common/measure/measurement.h"

namespace warpgrade::measure {

// Loads in flight follow Little's law: bytes per second times a load's latency, which grows with
// the load on DRAM. To saturate DRAM, its bandwidth times that latency must be in flight, minus the
// stores' share.

/// Bytes of loads from beyond L1 that an SM has in flight, on average over a launch.
struct LoadsInFlight {
  double mean = 0;
  double needed = 0;  ///< Bytes per SM that keep DRAM busy.
};

/// The loads in flight in a simulated launch.
LoadsInFlight loads_in_flight(const device::Profile& profile, const Measurement& measured);

/// Mean number of warps that are resident on an SM: achieved occupancy in warps. If the profile
/// does not model it, the number of warps that fit.
double resident_warps(const device::Profile& profile, const Measurement& measured);

/// Whether warps mostly wait for something else than global memory while no unit is busy.
bool waits_elsewhere(const Measurement& measured);

enum class Bottleneck : std::uint8_t {
  kUnknown,    ///< None of the others: barriers, chains of arithmetic, contention.
  kDram,       ///< Memory units of the chip, as in Nsight Compute's Speed of Light.
  kL2,         ///< Its atomics and its path to the SMs included.
  kL1,         ///< L1 and shared memory.
  kSm,         ///< Issue slots and pipes.
  kInFlight,   ///< Warps wait for memory: each has too few bytes in flight.
  kOccupancy,  ///< The same, and a block's resources leave half of the warps out, or more.
  kGrid,       ///< Too few blocks: fewer warps are resident than fit, or the last wave is long.
  kLaunch,     ///< The overhead of the launch.
};

/// In the order of the enum.
inline constexpr std::array<std::string_view, 9> kBottleneckNames = {
    "", "dram", "l2", "l1", "sm", "bytes in flight", "occupancy", "grid", "launch"};

Bottleneck bottleneck(const device::Profile& profile, const Measurement& measured);

}  // namespace warpgrade::measure
