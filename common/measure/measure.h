// SPDX-License-Identifier: Apache-2.0
// One launch measured: executed on a backend, checked, counted and timed on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/memory/metrics.h"
#include "common/run/runner.h"
#include "common/timing/model.h"
#include "common/timing/occupancy.h"

namespace warpgrade::gpu {
class Driver;
}

namespace warpgrade::measure {

struct Measurement {
  run::Result result;                       ///< Diagnostics, instruction counts.
  memory::Metrics metrics;                  ///< Empty on a GPU.
  std::vector<memory::LineCounters> lines;  ///< Empty on a GPU.
  timing::Occupancy occupancy;
  double seconds = 0;    ///< Modelled (sim) or the median of the samples (gpu).
  std::string bound_by;  ///< sim: the model's; gpu: "measured".
  std::vector<timing::Share> shares;
  std::uint64_t bytes = 0;  ///< Bytes of global memory read plus written at least once.
};

/// One more run of a launch, in another order of warps and blocks.
struct OrderRun {
  std::uint64_t seed = 0;
  std::vector<base::Diagnostic> diagnostics;
  std::vector<run::Buffer> buffers;  ///< With the results.
};

/// Where launches are measured: one backend and one device.
class Bench {
 public:
  virtual ~Bench() = default;
  virtual const device::Profile& profile() const = 0;
  virtual std::string backend() const = 0;  ///< "sim" or "gpu".
  /// Runs one launch of `kernel` of `program` with all checks on; buffers hold the result.
  virtual Measurement measure(const compile::Program& program, const compile::Kernel& kernel,
                              const run::Launch& launch, std::vector<run::Buffer>& buffers,
                              const run::Options& options) = 0;
  /// Runs a launch that measure() found nothing wrong with once for each of `seeds` (not 0), with
  /// all checks on and those for races in global memory, which takes several times as long.
  /// `measured` bounds what it may execute before it is called a runaway. Stops at the first run
  /// with diagnostics. Empty on a GPU.
  virtual std::vector<OrderRun> run_in_orders(const compile::Program& /*program*/,
                                              const run::Launch& /*launch*/,
                                              const std::vector<run::Buffer>& /*before*/,
                                              const Measurement& /*measured*/,
                                              const std::vector<std::uint64_t>& /*seeds*/) {
    return {};
  }
  /// Seconds that the copy baseline takes on this backend and device to read `bytes` / 2 and to
  /// write as many. Kept, so asking again is free. On the simulator another thread may ask while one
  /// measures.
  virtual double copy_seconds(std::uint64_t bytes) = 0;
};

/// Thread instructions of a launch.
std::uint64_t thread_instructions(const run::Result& result);

std::unique_ptr<Bench> sim_bench(const device::Profile& profile);
/// Throws base::ToolError with the reason where there is no GPU.
std::unique_ptr<Bench> gpu_bench();
/// The same with the functions of `driver`; for tests.
std::unique_ptr<Bench> gpu_bench(const gpu::Driver& driver);

}  // namespace warpgrade::measure
