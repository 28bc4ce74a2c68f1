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
#include "common/timing/arithmetic.h"

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

// The peak baseline: a kernel that executes operations of one kind as fast as the device can:
// 32-bit fused multiply-adds, or products of halves on tensor cores with sums in f32.
//
// For f32 each thread has eight independent chains in registers, so that the latency of one chain
// is hidden by the others, and stores one sum at the end. A grid of four blocks of 256 threads per
// multiprocessor fits on every card at once, so no multiprocessor waits for a last wave. Values
// converge to 2, so no operation is slowed by denormal numbers.
//
// On tensor cores each warp has two independent chains of products of 16 x 16 x 16, and a scheduler
// has eight warps. `wmma` is the instruction that all cards since Volta have: on Hopper, `wgmma`
// would be faster, but no exercise can use it here. All elements of a and b are 1/128, so each step
// adds 1/1,024 to each sum, exactly below 16,384.
constexpr const char* kPeakKernel = "peak_baseline";

/// The compiled baseline for `architecture`, cached for the life of the program; `kind` is kF32 or
/// kTensorF16. Throws base::ToolError if it does not compile: a broken compiler, or an architecture
/// without tensor cores.
const compile::Program& peak_program(const std::string& architecture, timing::ArithmeticKind kind);

/// A launch of the baseline, and the operations that it executes.
struct PeakCase {
  run::Launch launch;
  std::vector<run::Pattern> patterns;  ///< "out", poisoned.
  double operations = 0;
};

/// The smallest launch with at least `operations` operations and `least_rounds` rounds of the
/// kernel's loop on a device with `sm_count` multiprocessors.
PeakCase peak_case(double operations, timing::ArithmeticKind kind, std::uint32_t sm_count,
                   std::uint32_t least_rounds);

// The roofline of a launch: the least time that a device needs for the bytes and the floating-point
// operations of a case, and the time of the launch.
//
// The device needs at least as long as the copy baseline for these bytes, and at least as long as
// the peak baseline for these operations. The longer of the two is the roof.

/// Seconds that the whole chip needs for `operations` at the profile's peak rate; 0 without
/// operations. The profile has the rate: manifests that name another device are refused.
inline double seconds_at_peak(const device::Profile& profile, timing::ArithmeticKind kind,
                              double operations) {
  return operations > 0 ? operations / timing::peak_rate(profile, kind).value() : 0;
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
