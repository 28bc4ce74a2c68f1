// SPDX-License-Identifier: Apache-2.0
// The copy and the peak baseline, and the roofline that their times give.
//
// The roof of a launch is the longer of two times: the copy baseline's for its bytes, and the
// peak baseline's for its operations. A fused multiply-add counts as two operations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/run/launch.h"

namespace warpgrade::measure {

// The copy baseline, the reference of "fraction of copy".
//
// Each thread copies one piece of 16 bytes; the last threads copy the rest in 4-byte words. It
// uses no loop, no hints, and blocks of 256 threads. On an H200 this reaches 1.00 of cudaMemcpy,
// device to device, at 240 MiB and 1.01 at 1 GiB per buffer. More pieces per thread, fewer blocks
// that loop, and streaming hints were all slower there
// (tests/evidence/golden/h200_outputs).
constexpr const char* kCopyKernel = "copy_baseline";

/// The compiled baseline for `architecture`, cached for the life of the program. Throws
/// base::ToolError if it does not compile, which means a broken compiler.
const compile::Program& copy_program(const std::string& architecture);

struct CopyCase {
  run::Launch launch;
  std::vector<run::Buffer> buffers;  ///< "out", poisoned, and "in", read-only.
};

/// Bytes that the baseline reads, and writes, to copy `bytes`: a multiple of 4, at least
/// 4.
std::uint64_t copied_bytes(std::uint64_t bytes);
/// A launch of the baseline for that size.
run::Launch copy_launch(std::uint64_t bytes);
/// The contents of that launch's buffers; both repeat.
std::vector<run::Pattern> copy_patterns(std::uint64_t bytes);
/// The launch with its whole buffers.
CopyCase copy_case(std::uint64_t bytes);

// The peak baseline: a kernel that executes 32-bit fused multiply-adds as fast as the device can.
//
// Each thread has eight independent chains in registers, so that the latency of one chain is hidden
// by the others, and stores one sum at the end. A grid of four blocks of 256 threads per
// multiprocessor fits on every card at once, so no multiprocessor waits for a last wave. Values
// converge to 2, so no operation is slowed by denormal numbers.
constexpr const char* kPeakKernel = "peak_baseline";

/// The compiled baseline for `architecture`, cached for the life of the program. Throws
/// base::ToolError if it does not compile, which means a broken compiler.
const compile::Program& peak_program(const std::string& architecture);

/// A launch of the baseline, and the operations that it executes.
struct PeakCase {
  run::Launch launch;
  std::vector<run::Pattern> patterns;  ///< "out", poisoned.
  double operations = 0;
};

/// The smallest launch with at least `operations` operations and `least_rounds` rounds of the
/// kernel's loop on a device with `sm_count` multiprocessors.
PeakCase peak_case(double operations, std::uint32_t sm_count, std::uint32_t least_rounds);

// The roofline of a launch: the least time that a device needs for the bytes and the floating-point
// operations of a case, and the time of the launch.
//
// The device needs at least as long as the copy baseline for these bytes, and at least as long as
// the peak baseline for these operations. The longer of the two is the roof.

/// Peak rate of 32-bit fused multiply-adds of the whole chip, in operations per second.
inline double peak_rate(const device::Profile& profile) {
  constexpr double kOperationsPerWarp = 2 * 32;
  return kOperationsPerWarp * profile.sm.float_instructions_per_clock() * profile.sm.clock_hz *
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
