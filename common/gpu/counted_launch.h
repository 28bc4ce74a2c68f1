// SPDX-License-Identifier: Apache-2.0
// A single launch stored in a file, and the process that makes it under a profiler.
//
// A profiler counts all launches of a program. For the whole grader it would also count copies,
// samples and the processes that own the device. Therefore the launch is written to a file, and the
// profiler starts the grader's program in a mode that makes this one launch and ends.
#pragma once

#include <filesystem>
#include <vector>

#include "common/gpu/platform.h"
#include "common/run/launch.h"

namespace warpgrade::gpu {

/// The program's hidden command: `warpgrade counted-launch FILE`.
inline constexpr const char* kCountedLaunchCommand = "counted-launch";

/// Writes the launch of a kernel of `machine_code` with the content of `buffers`. Throws
/// base::ToolError on failure.
void write_counted_launch(const std::filesystem::path& file, const std::vector<char>& machine_code,
                          const run::Launch& launch, const std::vector<run::Buffer>& buffers);

/// Makes the launch in `file` once, in this process. Throws base::ToolError if the file is
/// unreadable or the kernel fails.
void make_counted_launch(const std::filesystem::path& file, const Platform& platform);

}  // namespace warpgrade::gpu
