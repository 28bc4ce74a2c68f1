// SPDX-License-Identifier: Apache-2.0
// One launch as a file, and the process that makes it: what a profiler runs.
//
// A profiler counts the launches of a program. Given the whole grader, it would also count copies,
// samples and the processes that hold the device. So the launch is written to a file, and the
// grader's own program, started by the profiler, makes just that one and ends.
#pragma once

#include <filesystem>
#include <vector>

#include "common/gpu/platform.h"
#include "common/run/launch.h"

namespace warpgrade::gpu {

/// The program's hidden command: `warpgrade counted-launch FILE`.
inline constexpr const char* kCountedLaunchCommand = "counted-launch";

/// Writes the launch of a kernel of `machine_code` with the content of `buffers`. Throws
/// base::ToolError where that fails.
void write_counted_launch(const std::filesystem::path& file, const std::vector<char>& machine_code,
                          const run::Launch& launch, const std::vector<run::Buffer>& buffers);

/// Makes the launch in `file` once, in this process. Throws base::ToolError where it cannot be read
/// or the kernel fails.
void make_counted_launch(const std::filesystem::path& file, const Platform& platform);

}  // namespace warpgrade::gpu
