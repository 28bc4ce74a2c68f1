// SPDX-License-Identifier: Apache-2.0
// The peak baseline: a kernel that executes 32-bit fused multiply-adds as fast as the device can.
//
// Each thread has eight independent chains in registers, so that the latency of one chain is hidden
// by the others, and stores one sum at the end. A grid of four blocks of 256 threads per
// multiprocessor fits on every card at once, so no multiprocessor waits for a last wave. Values
// converge to 2, so no operation is slowed by denormal numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/run/launch.h"
#include "common/run/pattern.h"

namespace warpgrade::measure {

/// The kernel's source, CUDA C++: peak_baseline(out, factor, summand, rounds).
extern const char* const kPeakSource;
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

}  // namespace warpgrade::measure
