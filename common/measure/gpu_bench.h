// SPDX-License-Identifier: Apache-2.0
// Measures launches on this machine's GPU. Only one thread may call it at a time, because
// concurrent launches would disturb each other's times.
//
// The interface is abstract so that tests of grading and profiling need no GPU.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/measure/copy_comparison.h"
#include "common/measure/gpu_bench_options.h"
#include "common/measure/gpu_counters.h"
#include "common/measure/measurement.h"
#include "common/measure/timed_case.h"
#include "common/run/sequence.h"

namespace warpgrade::gpu {
class GpuRunner;
}

namespace warpgrade::measure {

/// The memory of a card, for measured cases.
struct CardRoom {
  /// Limit on all buffers of a comparison, including copies of inputs.
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t least_bytes = 0;  ///< Minimum for a case's buffers that makes caches irrelevant.
};

class GpuBench {
 public:
  virtual ~GpuBench() = default;
  /// The card's profile, see card_profile.h.
  virtual const device::Profile& profile() const = 0;
  virtual CardRoom room() const { return {}; }
  /// Runs launches of `program` `samples` times, each from the same contents, and uses the median
  /// time; buffers contain the result.
  virtual Measurement measure(const compile::Program& program, const run::Sequence& sequence,
                              std::vector<run::Buffer>& buffers, std::uint32_t samples) = 0;
  /// Starts comparisons of these cases of `program`, which must outlive it, with the copy baseline.
  virtual std::unique_ptr<CopyComparisons> comparisons(const compile::Program& program,
                                                       std::vector<TimedCase> cases) = 0;
  /// The GPU's counters of launches that measure() accepted, from the content `before`; needs
  /// seconds. Several launches have sums, but no ratios.
  virtual GpuCounters count(const compile::Program& program, const run::Sequence& sequence,
                            const std::vector<run::Buffer>& before) = 0;
  /// Seconds of the copy baseline to read `bytes` / 2 and to write as many. Cached, so repeated
  /// calls are free.
  virtual double copy_seconds(std::uint64_t bytes) = 0;
  /// Seconds of the peak baseline to execute `operations`, which are above 0; by default at the
  /// profile's rate. Cached.
  virtual double peak_seconds(double operations) { return operations / peak_rate(profile()); }
};

/// A bench on the GPU of `runner`, with or without a profile.
std::unique_ptr<GpuBench> gpu_bench(std::unique_ptr<gpu::GpuRunner> runner,
                                    const GpuBenchOptions& options = {});

}  // namespace warpgrade::measure
