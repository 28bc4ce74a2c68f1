// SPDX-License-Identifier: Apache-2.0
// The roofline of a launch: the least time that a device needs for the bytes and the floating-point
// operations of a case, and the time of the launch.
//
// The device needs at least as long as the copy baseline for these bytes, and at least as long as
// the peak baseline (peak_kernel.h) for these operations. The longer of the two is the roof. A
// fused multiply-add counts as two operations.
#pragma once

#include <algorithm>

#include "common/device/profile.h"

namespace warpgrade::measure {

/// Peak rate of 32-bit fused multiply-adds of the whole chip, in operations per second.
inline double peak_rate(const device::Profile& profile) {
  constexpr double kOperationsPerWarp = 2 * 32;
  return kOperationsPerWarp * profile.sm.warp_instructions_per_clock * profile.sm.clock_hz *
         profile.sm.count;
}

/// All fields are above 0.
struct Roofline {
  double bytes = 0;         ///< Bytes that any solution reads and writes.
  double operations = 0;    ///< Operations that any solution executes.
  double copy_seconds = 0;  ///< Time of the copy baseline for `bytes`.
  double peak_seconds = 0;  ///< Time of the peak baseline for `operations`.
  double seconds = 0;       ///< Time of the launch.

  double roof_seconds() const { return std::max(copy_seconds, peak_seconds); }
  bool is_limited_by_operations() const { return peak_seconds > copy_seconds; }
  double intensity() const { return operations / bytes; }  ///< Operations per byte.
  double copy_bytes_per_second() const { return bytes / copy_seconds; }
  double peak_operations_per_second() const { return operations / peak_seconds; }
  double operations_per_second() const { return operations / seconds; }
};

}  // namespace warpgrade::measure
