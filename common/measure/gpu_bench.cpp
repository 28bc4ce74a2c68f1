// SPDX-License-Identifier: Apache-2.0
// The Bench on a GPU: launches between events, L2 flushed before each.
//
// A comparison takes samples, copy, kernel, kernel, copy, each launch of the kernel on other
// contents than the one before (gpu/checked_launch.h says what is done about a launch), and turns
// holding the card with other graders. The cases of a submission share a process of their own. A
// kernel that could keep something for later gets a process a case, and a new context each sample,
// which takes much longer. The copy baseline moves as many bytes as the kernel must, in the same
// way, so that launch overhead and what stays in L2 weigh on both sides. For caches not to matter
// at all, a timed case should have at least 4 times L2 in its buffers (240 MiB on an H200); a
// smaller one is told.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "common/base/error.h"
#include "common/gpu/checked_launch_runner.h"
#include "common/gpu/device_lock.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/ncu.h"
#include "common/measure/copy_kernel.h"
#include "common/measure/measure.h"
#include "common/measure/model_time.h"
#include "common/measure/statistics.h"

namespace warpgrade::measure {
namespace {

/// Odd, so that the median is a sample.
constexpr std::uint32_t kCopySamples = 21;
constexpr std::uint64_t kLeastTimesL2 = 4;
/// Of the copy, in a new context and in a new process.
constexpr int kWarmUps = 2;
constexpr int kFirstWarmUps = 10;
/// Of a case, taken in turn.
constexpr std::size_t kContents = 4;

const device::Profile& profile_of(const std::string& product) {
  for (const device::Profile* profile : device::profiles()) {
    if (profile->product == product) return *profile;
  }
  throw base::ToolError(fmt::format(
      "there is no profile of this machine's GPU, {}; --backend sim grades without it", product));
}

std::uint64_t bytes_of(const TimedCase& timed) {
  return std::accumulate(
      timed.before.begin(), timed.before.end(), std::uint64_t{0},
      [](std::uint64_t sum, const run::Pattern& pattern) { return sum + pattern.bytes; });
}

// The copy baseline for as many bytes as `bytes` read and written together.
gpu::TimedProgram timed_copy(const compile::Program& program, std::uint64_t bytes) {
  gpu::TimedProgram out;
  out.machine_code = &program.machine_code;
  out.launch = copy_launch(bytes / 2);
  out.before = copy_patterns(bytes / 2);
  out.contents = {{0, 0}};
  out.make_expected = gpu::made_by_copy();
  return out;
}

gpu::TimedProgram timed_program_of(const compile::Program& program, const TimedCase& timed) {
  gpu::TimedProgram out;
  out.machine_code = &program.machine_code;
  out.launch = timed.launch;
  out.before = timed.before;
  out.make_expected = gpu::made_by(timed.reference->machine_code, timed.reference_launch);
  std::random_device random;
  for (std::size_t i = 0; i < kContents; ++i) {
    auto& rotation = out.contents.emplace_back(timed.before.size());
    for (std::size_t b = 0; b < rotation.size(); ++b) {
      const std::uint64_t element = timed.before[b].element_bytes;
      const auto count = timed.before[b].bytes / element;
      if (timed.any_order[b] && count > 0) {
        std::uniform_int_distribution<std::uint64_t> any(0, count - 1);
        rotation[b] = any(random) * element;
      }
    }
  }
  return out;
}

void set_time(Measurement& measured, const device::Profile& profile,
              const std::vector<double>& seconds, const compile::Kernel& kernel,
              const run::Launch& launch) {
  if (!seconds.empty()) measured.seconds = median(seconds);
  measured.result.seconds = measured.seconds;
  measured.bound_by = "measured";
  measured.occupancy = occupancy_of(profile, kernel, launch);
}

// The names that are Nsight Compute's, too.
std::vector<std::string> gpu_metrics() {
  std::vector<std::string> out;
  for (const auto& name : memory::metric_names()) {
    if (!name.starts_with("warpgrade__")) out.push_back(name);
  }
  return out;
}

// One comparison: takes samples of two programs, the copy and behind it the kernel.
class PairedRun {
 public:
  /// `renews`: each sample gets a context of its own.
  PairedRun(gpu::CheckedLaunchRunner& launches, std::size_t copy, const gpu::TimedProgram& kernel,
            const TimedCase& timed, bool renews, CopyComparison& out)
      : launches_(launches),
        copy_(copy),
        kernel_(kernel),
        timed_(timed),
        renews_(renews),
        out_(out),
        known_(kernel.contents.size()),
        random_(std::random_device()()) {}

  AbbaTaken take() {
    launches_.renew(renews_, random_() % (gpu::TimedMemory::kMostPages + 1));
    AbbaTaken taken;
    // Not counted: the first launches of a process find clocks and tables cold.
    const int warm_ups = seconds_.empty() ? kFirstWarmUps : renews_ ? kWarmUps : 0;
    for (int i = 0; i < warm_ups; ++i) copy(taken);
    taken = {};
    AbbaSample sample;
    sample.a1 = copy(taken);
    for (double* seconds : {&sample.b1, &sample.b2}) {
      *seconds = kernel(taken);
      if (taken.stop) return taken;
    }
    sample.a2 = copy(taken);
    if (taken.disturbance.empty()) taken.sample = sample;
    return taken;
  }

  /// One launch of each content.
  void check_only() {
    AbbaTaken taken;
    for (std::size_t i = 0; i < known_.size() && !taken.stop; ++i) kernel(taken);
  }

  const std::vector<double>& seconds() const { return seconds_; }
  std::uint32_t others() const { return others_; }

 private:
  gpu::CheckedLaunch launch(std::size_t program, std::size_t content, AbbaTaken& taken) {
    auto launch = launches_.run(program, content);
    if (!launch.diagnostics.empty()) return launch;
    const auto wrong = gpu::contradiction(launch.timing);
    if (!wrong.empty()) throw base::ToolError(wrong);
    if (gpu::is_slowed_down(launch.conditions)) {
      taken.disturbance = "the card was slowed down: " + gpu::slowdown_text(launch.conditions);
    } else if (gpu::is_disturbed(launch.timing)) {
      taken.disturbance = "something else ran on this machine meanwhile";
    }
    others_ = std::max(others_, launch.conditions.other_processes);
    return launch;
  }

  double copy(AbbaTaken& taken) {
    const auto launch = this->launch(copy_, 0, taken);
    if (!launch.matches || !launch.diagnostics.empty()) {
      throw base::ToolError("the copy baseline did not copy; the GPU cannot be trusted");
    }
    return launch.timing.seconds;
  }

  double kernel(AbbaTaken& taken) {
    const auto content = kernel_launches_++ % known_.size();
    auto launch = this->launch(copy_ + 1, content, taken);
    auto& result = out_.measured.result;
    if (result.printed.empty()) result.printed = launch.printed;
    if (!launch.diagnostics.empty()) {
      result.diagnostics = std::move(launch.diagnostics);
      taken.stop = true;
      return 0;
    }
    if (!launch.matches) {
      out_.difference = difference(content, launch.buffers);
      taken.stop = !out_.difference.empty();
    }
    seconds_.push_back(launch.timing.seconds);
    return launch.timing.seconds;
  }

  // Other bits than the reference's may still be right.
  std::string difference(std::size_t content, const std::vector<run::Buffer>& got) {
    auto& known = known_[content];
    if (!known) {
      known.emplace();
      for (std::size_t b = 0; b < kernel_.before.size(); ++b) {
        known->before.push_back(gpu::content_of(kernel_, content, b));
      }
      known->after = launches_.expected(copy_ + 1, content);
    }
    return timed_.difference(known->before, known->after, got);
  }

  struct Known {
    std::vector<run::Buffer> before;
    std::vector<run::Buffer> after;
  };

  gpu::CheckedLaunchRunner& launches_;
  std::size_t copy_;  // Among its programs.
  const gpu::TimedProgram& kernel_;
  const TimedCase& timed_;
  bool renews_;
  CopyComparison& out_;
  std::vector<std::optional<Known>> known_;  // A content.
  std::mt19937_64 random_;
  std::uint64_t kernel_launches_ = 0;
  std::uint32_t others_ = 0;
  std::vector<double> seconds_;  // Of the kernel.
};

class GpuComparisons final : public CopyComparisons {
 public:
  GpuComparisons(const gpu::GpuRunner& runner, const GpuBenchOptions& options,
                 const device::Profile& profile, const compile::Program& program,
                 std::vector<TimedCase> cases)
      : runner_(runner),
        options_(options),
        profile_(profile),
        renews_(gpu::can_keep_state(program.ptx)),
        cases_(std::move(cases)) {
    const auto& copy = copy_program(std::string(profile.architecture));
    for (const auto& timed : cases_) {
      programs_.push_back(timed_copy(copy, bytes_of(timed)));
      programs_.push_back(timed_program_of(program, timed));
    }
  }

  CopyComparison compare(std::size_t which) override {
    const auto& timed = cases_.at(which);
    CopyComparison out;
    out.measured.bytes = bytes_of(timed);
    const bool is_new = launches_ == nullptr || renews_;
    if (is_new) open(which);
    const gpu::DeviceLock turn(options_.lock_folder, runner_.bus(), options_.lock_patience);
    if (is_new) launches_->begin();
    PairedRun run(*launches_, renews_ ? 0 : 2 * which, programs_[2 * which + 1], timed, renews_,
                  out);
    if (timed.is_timed) {
      StoppingOptions stopping;
      stopping.bounds = timed.bounds;
      stopping.narrow = timed.narrow;
      stopping.floor = options_.floor;
      out.fraction = compare_with_copy(
          stopping, [&] { return run.take(); }, runner_.platform().now);
    } else {
      run.check_only();
    }
    set_time(out.measured, profile_, run.seconds(), timed.kernel, timed.launch);
    if (out.fraction) judge_time(out, run.others());
    return out;
  }

 private:
  void open(std::size_t which) {
    auto programs = programs_;
    if (renews_) programs = {programs_[2 * which], programs_[2 * which + 1]};
    launches_.reset();
    launches_ = std::make_unique<gpu::CheckedLaunchRunner>(
        runner_.platform(), runner_.time_limit(), programs,
        gpu::fingerprint_program(std::string(profile_.architecture)), gpu::random_key());
  }

  // What a time or the size of a case gives away.
  void judge_time(CopyComparison& out, std::uint32_t others) const {
    const auto bytes = static_cast<double>(out.measured.bytes);
    const double least = least_seconds(bytes, static_cast<double>(runner_.l2_bytes()),
                                       profile_.dram_bytes_per_second);
    if (out.measured.seconds < least) {
      out.impossible = fmt::format(
          "a launch took {:.3g} us, but {:.3g} MB cannot go through the memory of a {} in less "
          "than {:.3g} us: somebody should look at this submission",
          out.measured.seconds * 1e6, bytes * 1e-6, profile_.product, least * 1e6);
    }
    if (out.measured.bytes < kLeastTimesL2 * runner_.l2_bytes()) {
      out.notes.push_back(fmt::format(
          "its buffers are {:.3g} times L2, so caches take part in what was measured: its "
          "gpu_variables should make them {} times at least",
          bytes / static_cast<double>(runner_.l2_bytes()), kLeastTimesL2));
    }
    if (others > 0 && !out.fraction->decided) {
      out.fraction->warning +=
          fmt::format("; {} other process{} the card", others, others == 1 ? " uses" : "es use");
    }
  }

  const gpu::GpuRunner& runner_;
  const GpuBenchOptions& options_;
  const device::Profile& profile_;
  bool renews_;
  std::vector<TimedCase> cases_;
  std::vector<gpu::TimedProgram> programs_;  // The copy and the kernel of each case.
  std::unique_ptr<gpu::CheckedLaunchRunner> launches_;
};

class GpuBench final : public Bench {
 public:
  GpuBench(std::unique_ptr<gpu::GpuRunner> runner, GpuBenchOptions options)
      : options_(std::move(options)),
        runner_(std::move(runner)),
        profile_(profile_of(runner_->device())) {
    if (options_.lock_folder.empty()) options_.lock_folder = gpu::lock_folder();
  }

  const device::Profile& profile() const override { return profile_; }
  std::string backend() const override { return "gpu"; }

  Measurement measure(const compile::Program& program, const compile::Kernel& kernel,
                      const run::Launch& launch, std::vector<run::Buffer>& buffers,
                      const run::Options& options, const MakeBefore& /*before*/) override {
    Measurement measured;
    const auto seconds = timed(program, launch, buffers, options.samples, measured.result);
    set_time(measured, profile_, seconds, kernel, launch);
    for (const auto& buffer : buffers) measured.bytes += buffer.bytes.size();
    return measured;
  }

  std::unique_ptr<CopyComparisons> comparisons(const compile::Program& program,
                                               std::vector<TimedCase> cases) override {
    return std::make_unique<GpuComparisons>(*runner_, options_, profile_, program,
                                            std::move(cases));
  }

  std::optional<GpuCounters> count(const compile::Program& program, const run::Launch& launch,
                                   const std::vector<run::Buffer>& before) override {
    const gpu::DeviceLock turn(options_.lock_folder, runner_->bus(), options_.lock_patience);
    auto counted = gpu::count_launch(program.machine_code, launch, before, gpu_metrics());
    return GpuCounters{std::move(counted.values), std::move(counted.reason)};
  }

  double copy_seconds(std::uint64_t bytes, std::vector<run::Buffer> /*scratch*/) override {
    const auto known = copies_.find(bytes);
    if (known != copies_.end()) return known->second;
    CopyCase copy = copy_case(bytes / 2);
    run::Result result;
    const auto& program = copy_program(std::string(profile_.architecture));
    const auto seconds = timed(program, copy.launch, copy.buffers, kCopySamples, result);
    if (!result.diagnostics.empty() || copy.buffers[0].bytes != copy.buffers[1].bytes) {
      throw base::ToolError("the copy baseline did not copy; the GPU cannot be trusted");
    }
    return copies_[bytes] = median(seconds);
  }

 private:
  std::vector<double> timed(const compile::Program& program, const run::Launch& launch,
                            std::vector<run::Buffer>& buffers, std::uint32_t samples,
                            run::Result& result) {
    runner_->load(program);
    return runner_->time(launch, buffers, samples, result);
  }

  GpuBenchOptions options_;
  std::unique_ptr<gpu::GpuRunner> runner_;
  const device::Profile& profile_;
  std::map<std::uint64_t, double> copies_;  // Bytes read and written -> seconds.
};

}  // namespace

std::unique_ptr<Bench> gpu_bench(std::unique_ptr<gpu::GpuRunner> runner,
                                 const GpuBenchOptions& options) {
  return std::make_unique<GpuBench>(std::move(runner), options);
}

}  // namespace warpgrade::measure
