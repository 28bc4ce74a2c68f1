// SPDX-License-Identifier: Apache-2.0
// The copy baseline, the reference of "fraction of copy".
//
// Each thread copies one piece of 16 bytes; the last threads copy the rest in 4-byte words. It
// uses no loop, no hints, and blocks of 256 threads. On an H200 this reaches 1.00 of cudaMemcpy,
// device to device, at 240 MiB and 1.01 at 1 GiB per buffer. More pieces per thread, fewer blocks
// that loop, and streaming hints were all slower there
// (tests/evidence/golden/h200_outputs).
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

}  // namespace warpgrade::measure
