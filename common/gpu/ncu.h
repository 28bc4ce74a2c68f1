// SPDX-License-Identifier: Apache-2.0
// The hardware counters of launches, from Nsight Compute's command line, ncu.
//
// The launches are written to a file. Then ncu starts this program in a mode that makes them and
// ends. For the whole grader it would also count copies, samples and worker processes. Its table
// of counters is parsed strictly: unexpected text gives no counters instead of wrong ones.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/gpu/platform.h"
#include "common/run/runner.h"

namespace warpgrade::gpu {

// Parses the output of Nsight Compute with --csv --page raw.
//
//   ==PROF== Profiling "copy" - 0: 0%....50%....100% - 3 passes
//   "ID","Process ID",...,"Kernel Name",...,"dram__bytes_read.sum",...
//   "","",...,"",...,"byte",...
//   "0","4711",...,"_Z4copyPfPKfii",...,"4,197,376",...
//
// One line has names, one has units, then each counted launch has one. Lines that begin with == are
// messages. The table is parsed strictly: unexpected text gives no counters instead of wrong
// counters. Counters of several launches are added up.

struct Counters {
  /// Metric -> value in bytes or as a plain count, except metrics that the card lacks ("n/a").
  std::map<std::string, double, std::less<>> values;
  std::string reason;  ///< The reason for missing counters, with advice; empty on success.
};

/// The counters `metrics` of the launches of `kernels` (printed names, in order) in `log`, which
/// must have exactly these launches of them. Several launches have sums, but no ratios.
Counters read_counter_table(std::string_view log, const std::vector<std::string>& kernels,
                            const std::vector<std::string>& metrics);

// Launches stored in a file, and the process that makes them under a profiler.
//
// A profiler counts all launches of a program. For the whole grader it would also count copies,
// samples and the processes that own the device. Therefore the launches are written to a file, and
// the profiler starts the grader's program in a mode that makes them and ends. Several launches are
// made twice, see Session::run(): the profiler counts the first of the two rounds.

/// The program's hidden command: `warpgrade counted-launch FILE`.
inline constexpr const char* kCountedLaunchCommand = "counted-launch";

/// Writes launches of kernels of `machine_code` with the content of `buffers`. Throws
/// base::ToolError on failure.
void write_counted_launch(const std::filesystem::path& file, const std::vector<char>& machine_code,
                          const run::Sequence& sequence, const std::vector<run::Buffer>& buffers);

/// Makes the launches in `file`, in this process. Throws base::ToolError if the file is unreadable
/// or a kernel fails.
void make_counted_launch(const std::filesystem::path& file, const Platform& platform);

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
