// SPDX-License-Identifier: Apache-2.0
// Names that a gate may use for its metric.
//
// Counters have the names of memory::metric_names(). The grader adds the fraction of the copy
// kernel's bandwidth, and figures of the compiler and of the launch under Nsight Compute's names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpgrade::grader {

/// The gate metric that compares with the copy kernel; every other one says how it was done.
constexpr std::string_view kFractionOfCopy = "fraction_of_copy";
constexpr std::string_view kRegistersPerThread = "launch__registers_per_thread";
constexpr std::string_view kStaticSharedBytes = "launch__shared_mem_per_block_static";
/// Blocks of the grid for each block that all multiprocessors hold at a time.
constexpr std::string_view kWaves = "launch__waves_per_multiprocessor";

/// Every name that a gate may use, sorted.
std::vector<std::string> metric_names();

}  // namespace warpgrade::grader
