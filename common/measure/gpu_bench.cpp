// SPDX-License-Identifier: Apache-2.0
// The Bench on a GPU: medians of launches between events, L2 flushed before each.
//
// The copy baseline is timed at the size that is asked for, in the same way, so that launch
// overhead and what stays in L2 weigh on both sides of a fraction. For caches not to matter at all,
// cases that are timed should have at least 4 times L2 in each buffer (240 MiB on an H200).
#include <fmt/format.h>

#include <map>

#include "common/base/error.h"
#include "common/gpu/gpu_runner.h"
#include "common/measure/copy_kernel.h"
#include "common/measure/measure.h"
#include "common/measure/statistics.h"

namespace warpgrade::measure {
namespace {

/// Odd, so that the median is a sample. The spread of a ratio of two medians of 21 is below 1 % on
/// an H200.
constexpr std::uint32_t kSamples = 21;

const device::Profile& profile_of(const std::string& product) {
  for (const device::Profile* profile : device::profiles()) {
    if (profile->product == product) return *profile;
  }
  throw base::ToolError(fmt::format(
      "there is no profile of this machine's GPU, {}; --backend sim grades without it", product));
}

class GpuBench final : public Bench {
 public:
  GpuBench() : profile_(profile_of(runner_.device())) {}
  explicit GpuBench(const gpu::Driver& driver)
      : runner_(driver, gpu::GpuRunner::kTimeLimit), profile_(profile_of(runner_.device())) {}

  const device::Profile& profile() const override { return profile_; }
  std::string backend() const override { return "gpu"; }

  Measurement measure(const compile::Program& program, const compile::Kernel& kernel,
                      const run::Launch& launch, std::vector<run::Buffer>& buffers,
                      const run::Options& /*options*/) override {
    Measurement measured;
    const auto samples = timed(program, launch, buffers, measured.result);
    if (!samples.empty()) measured.seconds = median(samples);
    measured.result.seconds = measured.seconds;
    measured.bound_by = "measured";
    measured.occupancy =
        timing::occupancy(profile_, static_cast<std::uint32_t>(base::volume(launch.block)),
                          kernel.resources.registers_per_thread,
                          kernel.resources.static_shared_bytes + launch.dynamic_shared_bytes);
    for (const auto& buffer : buffers) measured.bytes += buffer.bytes.size();
    return measured;
  }

  double copy_seconds(std::uint64_t bytes) override {
    const auto known = copies_.find(bytes);
    if (known != copies_.end()) return known->second;
    CopyCase copy = copy_case(bytes / 2);
    run::Result result;
    const auto& program = copy_program(std::string(profile_.architecture));
    const auto samples = timed(program, copy.launch, copy.buffers, result);
    if (!result.diagnostics.empty() || copy.buffers[0].bytes != copy.buffers[1].bytes) {
      throw base::ToolError("the copy baseline did not copy; the GPU cannot be trusted");
    }
    return copies_[bytes] = median(samples);
  }

 private:
  std::vector<double> timed(const compile::Program& program, const run::Launch& launch,
                            std::vector<run::Buffer>& buffers, run::Result& result) {
    runner_.load(program);
    return runner_.time(launch, buffers, kSamples, result);
  }

  gpu::GpuRunner runner_;
  const device::Profile& profile_;
  std::map<std::uint64_t, double> copies_;  // Bytes read and written -> seconds.
};

}  // namespace

std::unique_ptr<Bench> gpu_bench() { return std::make_unique<GpuBench>(); }
std::unique_ptr<Bench> gpu_bench(const gpu::Driver& driver) {
  return std::make_unique<GpuBench>(driver);
}

}  // namespace warpgrade::measure
