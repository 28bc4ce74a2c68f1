// SPDX-License-Identifier: Apache-2.0
// Times launches on the GPU with events and flushes L2 before each; gpu_comparisons.h does the
// rest.
#include "common/measure/gpu_bench.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "common/base/error.h"
#include "common/gpu/device_lock.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/ncu.h"
#include "common/measure/card_profile.h"
#include "common/measure/card_toolkit.h"
#include "common/measure/copy_kernel.h"
#include "common/measure/gpu_comparisons.h"
#include "common/measure/gpu_time.h"
#include "common/measure/peak_kernel.h"
#include "common/measure/statistics.h"

namespace warpgrade::measure {
namespace {

constexpr std::uint32_t kCopySamples = 21;  // odd, so the median is one of the samples

// Upper limit on the bandwidth, relative to a copy, if the driver does not know the card's memory.
constexpr double kTimesOwnCopy = 1.5;
constexpr std::uint32_t kOwnCopySamples = 5;

// Device memory reserved for everything except buffers of measured cases: contexts of this
// program's processes, their heaps, code.
constexpr std::uint64_t kBesideBuffers = std::uint64_t{512} << 20;

device::Profile profile_of(gpu::GpuRunner& runner, bool unknown) {
  auto out = card_profile(runner.info(), unknown);
  if (out.dram.bytes_per_second <= 0) {
    const auto bytes = std::max<std::uint64_t>(4 * runner.l2_bytes(), std::uint64_t{64} << 20);
    out.dram.bytes_per_second = kTimesOwnCopy * 2 * static_cast<double>(bytes) /
                                runner.memcpy_seconds(bytes, kOwnCopySamples);
  }
  return out;
}

// Metrics that Nsight Compute has, too.
std::vector<std::string> gpu_metrics() {
  std::vector<std::string> out;
  for (const auto& name : memory::metric_names()) {
    if (!name.starts_with("warpgrade__")) out.push_back(name);
  }
  return out;
}

class RealGpuBench final : public GpuBench {
 public:
  RealGpuBench(std::unique_ptr<gpu::GpuRunner> runner, GpuBenchOptions options)
      : options_(std::move(options)),
        runner_(std::move(runner)),
        profile_(profile_of(*runner_, options_.is_card_unknown)) {
    choose_toolkit(runner_->info());
    if (options_.lock_folder.empty()) options_.lock_folder = gpu::lock_folder();
  }

  const device::Profile& profile() const override { return profile_; }

  CardRoom room() const override {
    const auto& info = runner_->info();
    CardRoom out;
    out.least_bytes = 4 * info.l2_bytes;
    if (info.free_bytes > 0) {
      const auto taken = kBesideBuffers + 2 * info.l2_bytes;
      out.most_bytes = info.free_bytes > taken ? info.free_bytes - taken : 0;
    }
    return out;
  }

  Measurement measure(const compile::Program& program, const run::Sequence& sequence,
                      std::vector<run::Buffer>& buffers, std::uint32_t samples) override {
    Measurement measured;
    auto times = timed(program, sequence, buffers, samples, measured.result);
    set_time(measured, profile_, times.seconds, program, sequence);
    if (!sequence.is_one_launch()) measured.launch_seconds = std::move(times.launches);
    for (const auto& buffer : buffers) measured.bytes += buffer.bytes.size();
    return measured;
  }

  std::unique_ptr<CopyComparisons> comparisons(const compile::Program& program,
                                               std::vector<TimedCase> cases) override {
    return std::make_unique<GpuComparisons>(*runner_, options_, profile_, program,
                                            std::move(cases));
  }

  GpuCounters count(const compile::Program& program, const run::Sequence& sequence,
                    const std::vector<run::Buffer>& before) override {
    const gpu::DeviceLock turn(options_.lock_folder, runner_->bus(), options_.lock_patience);
    auto counted = gpu::count_launches(program.machine_code, sequence, before, gpu_metrics(),
                                       runner_->platform().ordinal);
    return {std::move(counted.values), std::move(counted.reason)};
  }

  double copy_seconds(std::uint64_t bytes) override {
    const auto known = copies_.find(bytes);
    if (known != copies_.end()) return known->second;
    CopyCase copy = copy_case(bytes / 2);
    run::Result result;
    const std::string architecture(profile_.architecture);
    const auto& program = copy_program(architecture);
    const auto seconds = timed(program, copy.launch, copy.buffers, kCopySamples, result).seconds;
    if (!result.diagnostics.empty() || copy.buffers[0].bytes != copy.buffers[1].bytes) {
      throw base::ToolError("the copy baseline did not copy; the GPU cannot be trusted");
    }
    return copies_[bytes] = median(seconds);
  }

  double peak_seconds(double operations) override {
    const auto known = peaks_.find(operations);
    if (known != peaks_.end()) return known->second;
    const auto peak = peak_case(operations, profile_.sm.count, options_.peak_rounds);
    auto buffers = run::made(peak.patterns);
    run::Result result;
    const std::string architecture(profile_.architecture);
    const auto& program = peak_program(architecture);
    const auto seconds = timed(program, peak.launch, buffers, kCopySamples, result).seconds;
    if (!result.diagnostics.empty()) {
      throw base::ToolError("the peak baseline did not run; the GPU cannot be trusted");
    }
    return peaks_[operations] = median(seconds) * operations / peak.operations;
  }

 private:
  gpu::LaunchTimes timed(const compile::Program& program, const run::Sequence& sequence,
                         std::vector<run::Buffer>& buffers, std::uint32_t samples,
                         run::Result& result) {
    runner_->load(program);
    return runner_->time(sequence, buffers, samples, result);
  }

  GpuBenchOptions options_;
  std::unique_ptr<gpu::GpuRunner> runner_;
  device::Profile profile_;
  std::map<std::uint64_t, double> copies_;  // bytes read and written -> seconds
  std::map<double, double> peaks_;          // operations -> seconds
};

}  // namespace

std::unique_ptr<GpuBench> gpu_bench(std::unique_ptr<gpu::GpuRunner> runner,
                                    const GpuBenchOptions& options) {
  auto all = options;
  all.is_card_unknown = all.is_card_unknown || is_card_unknown();
  return std::make_unique<RealGpuBench>(std::move(runner), std::move(all));
}

}  // namespace warpgrade::measure
