// SPDX-License-Identifier: Apache-2.0
// The Bench on a GPU: launches between events, L2 flushed before each.
//
// A comparison takes quads, copy, kernel, kernel, copy, each launch of the kernel on other contents
// than the one before (gpu/trial.h says what is done about a launch), and turns holding the card
// with other graders. The cases of a submission share a process of their own. A kernel that could
// keep something for later gets a process a case, and a new context each quad, which takes much
// longer. The copy baseline moves as many bytes as the
// kernel must, in the same way, so that launch overhead and what stays in L2 weigh on both sides.
// For caches not to matter at all, a timed case should have at least 4 times L2 in its buffers (240
// MiB on an H200); a smaller one is told.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "common/base/error.h"
#include "common/gpu/device_lock.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/ncu.h"
#include "common/gpu/trial_runner.h"
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
gpu::Subject copy_subject(const compile::Program& program, std::uint64_t bytes) {
  gpu::Subject subject;
  subject.machine_code = &program.machine_code;
  subject.launch = copy_launch(bytes / 2);
  subject.before = copy_patterns(bytes / 2);
  subject.contents = {{0, 0}};
  subject.make_expected = gpu::made_by_copy();
  return subject;
}

gpu::Subject subject_of(const compile::Program& program, const TimedCase& timed) {
  gpu::Subject subject;
  subject.machine_code = &program.machine_code;
  subject.launch = timed.launch;
  subject.before = timed.before;
  subject.make_expected = gpu::made_by(timed.reference->machine_code, timed.reference_launch);
  std::random_device random;
  for (std::size_t i = 0; i < kContents; ++i) {
    auto& rotation = subject.contents.emplace_back(timed.before.size());
    for (std::size_t b = 0; b < rotation.size(); ++b) {
      const std::uint64_t element = timed.before[b].element_bytes;
      const auto count = timed.before[b].bytes / element;
      if (timed.any_order[b] && count > 0) {
        std::uniform_int_distribution<std::uint64_t> any(0, count - 1);
        rotation[b] = any(random) * element;
      }
    }
  }
  return subject;
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
std::vector<std::string> card_metrics() {
  std::vector<std::string> out;
  for (const auto& name : memory::metric_names()) {
    if (!name.starts_with("warpgrade__")) out.push_back(name);
  }
  return out;
}

// One comparison: takes quads of two subjects, the copy and behind it the kernel.
class Quads {
 public:
  /// `renews`: each quad gets a context of its own.
  Quads(gpu::TrialRunner& trials, std::size_t copy, const gpu::Subject& kernel,
        const TimedCase& timed, bool renews, Comparison& out)
      : trials_(trials),
        copy_(copy),
        kernel_(kernel),
        timed_(timed),
        renews_(renews),
        out_(out),
        known_(kernel.contents.size()),
        random_(std::random_device()()) {}

  QuadTaken take() {
    trials_.renew(renews_, random_() % (gpu::TrialMemory::kMostPages + 1));
    QuadTaken taken;
    // Not counted: the first launches of a process find clocks and tables cold.
    const int warm_ups = seconds_.empty() ? kFirstWarmUps : renews_ ? kWarmUps : 0;
    for (int i = 0; i < warm_ups; ++i) copy(taken);
    taken = {};
    Quad quad;
    quad.a1 = copy(taken);
    for (double* seconds : {&quad.b1, &quad.b2}) {
      *seconds = kernel(taken);
      if (taken.stop) return taken;
    }
    quad.a2 = copy(taken);
    if (taken.disturbance.empty()) taken.quad = quad;
    return taken;
  }

  /// One launch of each content.
  void check_only() {
    QuadTaken taken;
    for (std::size_t i = 0; i < known_.size() && !taken.stop; ++i) kernel(taken);
  }

  const std::vector<double>& seconds() const { return seconds_; }
  std::uint32_t others() const { return others_; }

 private:
  gpu::Trial trial(std::size_t subject, std::size_t content, QuadTaken& taken) {
    auto trial = trials_.run(subject, content);
    if (!trial.diagnostics.empty()) return trial;
    const auto wrong = gpu::contradiction(trial.timing);
    if (!wrong.empty()) throw base::ToolError(wrong);
    if (gpu::is_slowed_down(trial.conditions)) {
      taken.disturbance = "the card was slowed down: " + gpu::slowdown_text(trial.conditions);
    } else if (gpu::is_disturbed(trial.timing)) {
      taken.disturbance = "something else ran on this machine meanwhile";
    }
    others_ = std::max(others_, trial.conditions.other_processes);
    return trial;
  }

  double copy(QuadTaken& taken) {
    const auto trial = this->trial(copy_, 0, taken);
    if (!trial.matches || !trial.diagnostics.empty()) {
      throw base::ToolError("the copy baseline did not copy; the GPU cannot be trusted");
    }
    return trial.timing.seconds;
  }

  double kernel(QuadTaken& taken) {
    const auto content = launches_++ % known_.size();
    auto trial = this->trial(copy_ + 1, content, taken);
    auto& result = out_.measured.result;
    if (result.printed.empty()) result.printed = trial.printed;
    if (!trial.diagnostics.empty()) {
      result.diagnostics = std::move(trial.diagnostics);
      taken.stop = true;
      return 0;
    }
    if (!trial.matches) {
      out_.difference = difference(content, trial.buffers);
      taken.stop = !out_.difference.empty();
    }
    seconds_.push_back(trial.timing.seconds);
    return trial.timing.seconds;
  }

  // Other bits than the reference's may still be right.
  std::string difference(std::size_t content, const std::vector<run::Buffer>& got) {
    auto& known = known_[content];
    if (!known) {
      known.emplace();
      for (std::size_t b = 0; b < kernel_.before.size(); ++b) {
        known->before.push_back(gpu::content_of(kernel_, content, b));
      }
      known->after = trials_.expected(copy_ + 1, content);
    }
    return timed_.difference(known->before, known->after, got);
  }

  struct Known {
    std::vector<run::Buffer> before;
    std::vector<run::Buffer> after;
  };

  gpu::TrialRunner& trials_;
  std::size_t copy_;  // Among its subjects.
  const gpu::Subject& kernel_;
  const TimedCase& timed_;
  bool renews_;
  Comparison& out_;
  std::vector<std::optional<Known>> known_;  // A content.
  std::mt19937_64 random_;
  std::uint64_t launches_ = 0;
  std::uint32_t others_ = 0;
  std::vector<double> seconds_;  // Of the kernel.
};

class GpuComparisons final : public Comparisons {
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
      subjects_.push_back(copy_subject(copy, bytes_of(timed)));
      subjects_.push_back(subject_of(program, timed));
    }
  }

  Comparison compare(std::size_t which) override {
    const auto& timed = cases_.at(which);
    Comparison out;
    out.measured.bytes = bytes_of(timed);
    const bool is_new = trials_ == nullptr || renews_;
    if (is_new) open(which);
    const gpu::DeviceLock turn(options_.lock_folder, runner_.bus(), options_.lock_patience);
    if (is_new) trials_->begin();
    Quads quads(*trials_, renews_ ? 0 : 2 * which, subjects_[2 * which + 1], timed, renews_, out);
    if (timed.is_timed) {
      StoppingOptions stopping;
      stopping.bounds = timed.bounds;
      stopping.narrow = timed.narrow;
      stopping.floor = options_.floor;
      out.fraction = compare_with_copy(
          stopping, [&] { return quads.take(); }, runner_.platform().now);
    } else {
      quads.check_only();
    }
    set_time(out.measured, profile_, quads.seconds(), timed.kernel, timed.launch);
    if (out.fraction) judge_time(out, quads.others());
    return out;
  }

 private:
  void open(std::size_t which) {
    auto subjects = subjects_;
    if (renews_) subjects = {subjects_[2 * which], subjects_[2 * which + 1]};
    trials_.reset();
    trials_ = std::make_unique<gpu::TrialRunner>(
        runner_.platform(), runner_.time_limit(), subjects,
        gpu::fingerprint_program(std::string(profile_.architecture)), gpu::random_key());
  }

  // What a time or the size of a case gives away.
  void judge_time(Comparison& out, std::uint32_t others) const {
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
      out.fraction->remark +=
          fmt::format("; {} other process{} the card", others, others == 1 ? " uses" : "es use");
    }
  }

  const gpu::GpuRunner& runner_;
  const GpuBenchOptions& options_;
  const device::Profile& profile_;
  bool renews_;
  std::vector<TimedCase> cases_;
  std::vector<gpu::Subject> subjects_;  // The copy and the kernel of each case.
  std::unique_ptr<gpu::TrialRunner> trials_;
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

  std::unique_ptr<Comparisons> comparisons(const compile::Program& program,
                                           std::vector<TimedCase> cases) override {
    return std::make_unique<GpuComparisons>(*runner_, options_, profile_, program,
                                            std::move(cases));
  }

  std::optional<CardCounters> count(const compile::Program& program, const run::Launch& launch,
                                    const std::vector<run::Buffer>& before) override {
    const gpu::DeviceLock turn(options_.lock_folder, runner_->bus(), options_.lock_patience);
    auto counted = gpu::count_launch(program.machine_code, launch, before, card_metrics());
    return CardCounters{std::move(counted.values), std::move(counted.reason)};
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
