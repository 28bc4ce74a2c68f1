// SPDX-License-Identifier: Apache-2.0
// Launches stored in a file, and the process that makes them under a profiler.
//
// A profiler counts all launches of a program. For the whole grader it would also count copies,
// samples and the processes that own the device. Therefore the launches are written to a file, and
// the profiler starts the grader's program in a mode that makes them and ends. Several launches are
// made twice, see Session::run(): the profiler counts the first of the two rounds.
#pragma once

#include <filesystem>
#include <vector>

#include "common/gpu/platform.h"
#include "common/run/sequence.h"

namespace warpgrade::gpu {

/// The program's hidden command: `warpgrade counted-launch FILE`.
inline constexpr const char* kCountedLaunchCommand = "counted-launch";

/// Writes launches of kernels of `machine_code` with the content of `buffers`. Throws
/// base::ToolError on failure.
void write_counted_launch(const std::filesystem::path& file, const std::vector<char>& machine_code,
                          const run::Sequence& sequence, const std::vector<run::Buffer>& buffers);

/// Makes the launches in `file`, in this process. Throws base::ToolError if the file is unreadable
/// or a kernel fails.
void make_counted_launch(const std::filesystem::path& file, const Platform& platform);

}  // namespace warpgrade::gpu
