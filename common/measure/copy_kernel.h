// SPDX-License-Identifier: Apache-2.0
// The copy baseline: the kernel that "fraction of copy" is a fraction of.
//
// Each thread moves one piece of 16 bytes; the last few threads move what is left in words of 4.
// No loop, no hints, blocks of 256: on an H200 this reaches 1.00 of cudaMemcpy, device to device,
// at 240 MiB and 1.01 at 1 GiB a buffer. More pieces a thread, fewer blocks that loop, and
// streaming hints were tried there and are all slower
// (tests/evidence/golden/h200_outputs/copy_sweep.csv).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/run/launch.h"
#include "common/run/pattern.h"

namespace warpgrade::measure {

/// The kernel's source, CUDA C++: copy_baseline(out, in, bytes).
extern const char* const kCopySource;
constexpr const char* kCopyKernel = "copy_baseline";

/// The compiled baseline for `architecture`, kept for the life of the program. Throws
/// base::ToolError where it does not compile, which only a broken compiler causes.
const compile::Program& copy_program(const std::string& architecture);

struct CopyCase {
  run::Launch launch;
  std::vector<run::Buffer> buffers;  ///< "out", poisoned, and "in", read-only.
};

/// Bytes that the baseline reads, and writes, where `bytes` are asked for: a multiple of 4, at
/// least 4.
std::uint64_t copied_bytes(std::uint64_t bytes);
/// A launch of the baseline for so many.
run::Launch copy_launch(std::uint64_t bytes);
/// The contents of that launch's buffers; each repeats itself.
std::vector<run::Pattern> copy_patterns(std::uint64_t bytes);
/// The launch with its buffers, whole.
CopyCase copy_case(std::uint64_t bytes);

}  // namespace warpgrade::measure
