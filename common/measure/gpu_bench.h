// SPDX-License-Identifier: Apache-2.0
// The bench on this machine's GPU: times launches with events and flushes L2 before each.
//
// The interface is abstract, so tests of grading and profiling need no GPU. gpu_bench.h
// times kernels against the copy baseline, and gpu/ncu.h counts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/timed_memory.h"
#include "common/measure/measurement.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/timing/arithmetic.h"
#include "common/verify/compare.h"

namespace warpgrade::gpu {
class GpuRunner;
}  // namespace warpgrade::gpu

namespace warpgrade::measure {

// Machine-specific options of a bench on a GPU.

struct GpuBenchOptions {
  double floor = 0.01;                ///< Differences between processes; see StoppingOptions.
  std::filesystem::path lock_folder;  ///< Empty: the default folder of the machine.
  double lock_patience = 600;         ///< Seconds to wait for other graders.
  /// Least rounds of the peak baseline (baselines.h), so that its launch overhead is below 2 % of
  /// its time.
  std::uint32_t peak_rounds = 512;
  bool is_card_unknown = false;  ///< Treat the card as one without a profile.
};

// Launches that are timed against the copy baseline, with several contents in turn.

struct TimedCase {
  run::Sequence sequence;
  std::vector<run::Pattern> before;
  /// By buffer: the elements of its initial content may be in any order, and are
  /// shuffled.
  std::vector<bool> any_order;
  std::vector<gpu::Nearness> nearness = {};  ///< See gpu::TimedProgram.
  /// Computes the expected results in a launch of its own.
  const compile::Program* reference = nullptr;
  run::Launch reference_launch;
  /// The first wrong element of `got`, the buffers after a launch on `before`, for which the
  /// reference computes `after` (without inputs). Called with buffers without contents for `before`
  /// first, and with contents, which may explain the difference, only if there is one.
  std::function<std::optional<verify::OutputDifference>(const std::vector<run::Buffer>& before,
                                                        const std::vector<run::Buffer>& after,
                                                        const std::vector<run::Buffer>& got)>
      difference;
  bool is_timed = true;  ///< If not, only checked.
  /// Bytes that the copy baseline moves; nullopt: run::least_traffic() of `before`.
  std::optional<std::uint64_t> bytes;
  /// Floating-point operations that the peak baseline executes; 0: bytes alone are the roof.
  double operations = 0;
  timing::ArithmeticKind arithmetic = timing::ArithmeticKind::kF32;  ///< Kind of `operations`.
  std::vector<double> bounds;  ///< Fractions of the roof that gates require.
  double narrow = 0.01;        ///< See StoppingOptions.
};

// Stores the time of launches on a GPU in their measurement.

/// Sets the median of `seconds` (0 if empty) and the occupancy of the first launch.
void set_time(Measurement& measured, const device::Profile& profile,
              const std::vector<double>& seconds, const compile::Program& program,
              const run::Sequence& sequence);

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
  /// Ends the process that uses the GPU, so that this one may fork; the next launch starts one.
  virtual void rest() {}
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
  virtual double peak_seconds(double operations, timing::ArithmeticKind kind) {
    return seconds_at_peak(profile(), kind, operations);
  }
};

/// A bench on the GPU of `runner`, with or without a profile.
std::unique_ptr<GpuBench> gpu_bench(std::unique_ptr<gpu::GpuRunner> runner,
                                    const GpuBenchOptions& options = {});

}  // namespace warpgrade::measure
