// SPDX-License-Identifier: Apache-2.0
// The card's own counters of one launch, by Nsight Compute's command line, ncu.
//
// ncu is started on this program with the launch in a file (counted_launch.h) and writes a table
// into another (counter_table.h). It leaves the clocks alone, starts the launch with empty caches,
// and repeats it as often as its counters need. Ratios come with two places. Whether it may do so
// is for the driver and its administrator to say; where not, the reason comes back in words.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/gpu/counter_table.h"
#include "common/run/launch.h"

namespace warpgrade::gpu {

/// $WARPGRADE_NCU alone where it is set; else the first ncu on PATH, in $CUDA_HOME/bin, in
/// /usr/local/cuda*/bin and in the newest folder of /opt/nvidia/nsight-compute.
std::optional<std::filesystem::path> find_ncu();

/// The command line of ncu that counts one launch of `kernel` by `program` from `job`.
std::vector<std::string> ncu_arguments(const std::string& kernel,
                                       const std::vector<std::string>& metrics,
                                       const std::filesystem::path& log,
                                       const std::filesystem::path& program,
                                       const std::filesystem::path& job);

/// Counts one launch of a kernel of `machine_code` from the content of `buffers`; takes seconds.
/// Whatever is in the way is the reason that comes back; nothing is thrown.
Counters count_launch(const std::vector<char>& machine_code, const run::Launch& launch,
                      const std::vector<run::Buffer>& buffers,
                      const std::vector<std::string>& metrics,
                      std::chrono::milliseconds time = std::chrono::minutes(3));

}  // namespace warpgrade::gpu
