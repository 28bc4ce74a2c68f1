// SPDX-License-Identifier: Apache-2.0
// Measures launches on this machine's GPU. One thread asks at a time: a launch beside another would
// disturb its time.
//
// The interface is abstract so that grading and profiling are tested without a GPU.
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

/// The memory of a card, for cases that are measured there.
struct CardRoom {
  /// Bytes that all buffers of a comparison may take, copies of inputs among them.
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t least_bytes = 0;  ///< A case's buffers must have, for caches not to matter.
};

class GpuBench {
 public:
  virtual ~GpuBench() = default;
  /// The card's profile, see card_profile.h.
  virtual const device::Profile& profile() const = 0;
  virtual CardRoom room() const { return {}; }
  /// Runs launches of `program` `samples` times, each from the same contents, and takes the median
  /// of their times; buffers hold the result.
  virtual Measurement measure(const compile::Program& program, const run::Sequence& sequence,
                              std::vector<run::Buffer>& buffers, std::uint32_t samples) = 0;
  /// Begins to compare these cases of `program`, which outlives it, with the copy baseline.
  virtual std::unique_ptr<CopyComparisons> comparisons(const compile::Program& program,
                                                       std::vector<TimedCase> cases) = 0;
  /// The GPU's counters of launches that measure() found nothing wrong with, from the content
  /// `before`; takes seconds. Of several launches there are none.
  virtual GpuCounters count(const compile::Program& program, const run::Sequence& sequence,
                            const std::vector<run::Buffer>& before) = 0;
  /// Seconds that the copy baseline takes to read `bytes` / 2 and to write as many. Kept, so asking
  /// again is free.
  virtual double copy_seconds(std::uint64_t bytes) = 0;
};

/// A bench on the GPU of `runner`, with a profile or without.
std::unique_ptr<GpuBench> gpu_bench(std::unique_ptr<gpu::GpuRunner> runner,
                                    const GpuBenchOptions& options = {});

}  // namespace warpgrade::measure
