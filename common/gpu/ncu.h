// SPDX-License-Identifier: Apache-2.0
// The hardware counters of launches, from Nsight Compute's command line, ncu.
//
// ncu runs this program with the launches in a file (counted_launch.h) and writes a table to
// another file (counter_table.h). It does not change the clocks, starts each launch with empty
// caches, and repeats it as often as its counters require. Ratios have two decimals. The driver and
// the administrator decide whether profiling is allowed; if it is not, the result contains the
// reason.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "common/gpu/counter_table.h"
#include "common/run/sequence.h"

namespace warpgrade::gpu {

/// $WARPGRADE_NCU if it is set; else the first ncu on PATH, in $CUDA_HOME/bin, in
/// /usr/local/cuda*/bin and in the newest folder of /opt/nvidia/nsight-compute.
std::optional<std::filesystem::path> find_ncu();

/// The ncu command line that counts the launches of `sequence` by `program` from `job`, on the GPU
/// with the driver's number `ordinal`.
std::vector<std::string> ncu_arguments(const run::Sequence& sequence,
                                       const std::vector<std::string>& metrics,
                                       const std::filesystem::path& log,
                                       const std::filesystem::path& program,
                                       const std::filesystem::path& job, int ordinal);

/// Counts launches of kernels of `machine_code` from the content of `buffers`; needs seconds.
/// Reports every obstacle as a reason; never throws.
Counters count_launches(const std::vector<char>& machine_code, const run::Sequence& sequence,
                        const std::vector<run::Buffer>& buffers,
                        const std::vector<std::string>& metrics, int ordinal,
                        std::chrono::milliseconds time = std::chrono::minutes(3));

}  // namespace warpgrade::gpu
