// SPDX-License-Identifier: Apache-2.0
#include "common/measure/gpu_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/base/error.h"
#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/gpu/checked_launch.h"
#include "common/gpu/device_info.h"
#include "common/gpu/gpu_runner.h"
#include "common/gpu/ncu.h"
#include "common/gpu/timed_memory.h"
#include "common/measure/baselines.h"
#include "common/measure/card_profile.h"
#include "common/measure/comparison.h"
#include "common/measure/measurement.h"
#include "common/measure/model_launch.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/verify/compare.h"

namespace warpgrade::measure {
namespace {

// Takes the samples of one comparison: launches of the baselines and of a kernel in turn.
//
// A sample is copy, kernel, kernel, copy. With the peak baseline it is copy, peak, kernel, kernel,
// peak, copy, and the slower baseline on each side counts. Consecutive launches of the kernel have
// different contents (gpu/checked_launch.h describes a single launch). Every launch is checked.
// Results go into the CopyComparison of the caller.

class PairedRun {
 public:
  /// `copy` is the number of the copy baseline among the programs of `launches`; the kernel is the
  /// next one, and the peak baseline, if any, the one after it. `renews`: each sample gets its own
  /// context. All references must outlive this.
  PairedRun(gpu::CheckedLaunchRunner& launches, std::size_t copy, const gpu::TimedProgram& kernel,
            const TimedCase& timed, bool renews, CopyComparison& out);

  /// Adds the peak baseline to each sample; its time counts `scale` times. Call it before take().
  void compare_with_peak(double scale) { peak_scale_ = scale; }

  /// Takes one sample. Throws base::ToolError if the copy or the GPU fails.
  AbbaTaken take();
  /// Makes one launch per content, without the copy.
  void check_only();

  /// The kernel's times so far.
  const std::vector<double>& seconds() const { return seconds_; }
  /// The times of the copy baseline in samples so far, and those of the peak baseline, scaled.
  const std::vector<double>& copy_seconds() const { return copy_seconds_; }
  const std::vector<double>& peak_seconds() const { return peak_seconds_; }
  /// The highest number of other processes seen on the GPU.
  std::uint32_t others() const { return others_; }

 private:
  gpu::CheckedLaunch launch(std::size_t program, std::size_t content, AbbaTaken& taken);
  double copy(AbbaTaken& taken);
  double peak(AbbaTaken& taken);
  double baseline(std::size_t program, AbbaTaken& taken);
  double kernel(AbbaTaken& taken);
  std::optional<verify::OutputDifference> difference(std::size_t content,
                                                     const std::vector<run::Buffer>& got);

  gpu::CheckedLaunchRunner& launches_;
  std::size_t copy_;
  const gpu::TimedProgram& kernel_;
  const TimedCase& timed_;
  bool renews_;
  CopyComparison& out_;
  std::vector<std::vector<run::Buffer>> right_;  // By content; empty until one is needed.
  std::mt19937_64 random_;
  std::uint64_t kernel_launches_ = 0;
  std::uint32_t others_ = 0;
  std::vector<double> seconds_;
  std::optional<double> peak_scale_;
  std::vector<double> copy_seconds_;
  std::vector<double> peak_seconds_;
};

// Uncounted launches of the copy in a new context and in a new process.
constexpr int kWarmUps = 2;
constexpr int kFirstWarmUps = 10;

}  // namespace

PairedRun::PairedRun(gpu::CheckedLaunchRunner& launches, std::size_t copy,
                     const gpu::TimedProgram& kernel, const TimedCase& timed, bool renews,
                     CopyComparison& out)
    : launches_(launches),
      copy_(copy),
      kernel_(kernel),
      timed_(timed),
      renews_(renews),
      out_(out),
      right_(kernel.contents.size()),
      random_(std::random_device()()) {}

AbbaTaken PairedRun::take() {
  launches_.renew(renews_, random_() % (gpu::TimedMemory::kMostPages + 1));
  AbbaTaken taken;
  // In a new process, clocks and tables are still cold.
  const int warm_ups = seconds_.empty() ? kFirstWarmUps : renews_ ? kWarmUps : 0;
  for (int i = 0; i < warm_ups; ++i) {
    copy(taken);
    peak(taken);
  }
  taken = {};
  AbbaSample sample;
  const double first_copy = copy(taken);
  const double first_peak = peak(taken);
  sample.a1 = std::max(first_copy, first_peak);
  for (double* seconds : {&sample.b1, &sample.b2}) {
    *seconds = kernel(taken);
    if (taken.stop) return taken;
  }
  const double last_peak = peak(taken);
  const double last_copy = copy(taken);
  sample.a2 = std::max(last_copy, last_peak);
  if (!taken.disturbance.empty()) return taken;
  taken.sample = sample;
  copy_seconds_.insert(copy_seconds_.end(), {first_copy, last_copy});
  if (peak_scale_) peak_seconds_.insert(peak_seconds_.end(), {first_peak, last_peak});
  return taken;
}

void PairedRun::check_only() {
  AbbaTaken taken;
  for (std::size_t i = 0; i < right_.size() && !taken.stop; ++i) kernel(taken);
}

gpu::CheckedLaunch PairedRun::launch(std::size_t program, std::size_t content, AbbaTaken& taken) {
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

double PairedRun::copy(AbbaTaken& taken) { return baseline(copy_, taken); }

// 0 without the peak baseline.
double PairedRun::peak(AbbaTaken& taken) {
  return peak_scale_ ? *peak_scale_ * baseline(copy_ + 2, taken) : 0;
}

double PairedRun::baseline(std::size_t program, AbbaTaken& taken) {
  const auto launch = this->launch(program, 0, taken);
  if (!launch.matches || !launch.diagnostics.empty()) {
    throw base::ToolError(program == copy_
                              ? "the copy baseline did not copy; the GPU cannot be trusted"
                              : "the peak baseline was wrong; the GPU cannot be trusted");
  }
  return launch.timing.seconds;
}

double PairedRun::kernel(AbbaTaken& taken) {
  const auto content = kernel_launches_++ % right_.size();
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
    taken.stop = out_.difference.has_value();
  }
  seconds_.push_back(launch.timing.seconds);
  return launch.timing.seconds;
}

// Bits that differ from the reference may still be right. Inputs of gigabytes are made only to
// explain a difference.
std::optional<verify::OutputDifference> PairedRun::difference(std::size_t content,
                                                              const std::vector<run::Buffer>& got) {
  auto& right = right_[content];
  if (right.empty()) right = launches_.expected(copy_ + 1, content);
  if (!timed_.difference(std::vector<run::Buffer>(got.size()), right, got)) return std::nullopt;
  std::vector<run::Buffer> before;
  for (std::size_t b = 0; b < kernel_.before.size(); ++b) {
    before.push_back(gpu::content_of(kernel_, content, b));
  }
  return timed_.difference(before, right, got);
}

void set_time(Measurement& measured, const device::Profile& profile,
              const std::vector<double>& seconds, const compile::Program& program,
              const run::Sequence& sequence) {
  if (!seconds.empty()) measured.seconds = median(seconds);
  measured.result.seconds = measured.seconds;
  measured.bound_by = timing::Bound::kMeasured;
  const auto& first = sequence.first();
  measured.occupancy = occupancy_of(profile, kernel_of(program, first), first);
  if (sequence.is_one_launch()) measured.launch_seconds = {measured.seconds};
}

namespace {

// Compares cases of one program with the copy baseline on a GPU.
//
// Comparisons take turns with other graders in holding the GPU. The cases of a submission share one
// process. A kernel that could keep data for later launches gets a process per case and a new
// context per sample, which is much slower. The copy baseline moves as many bytes as the kernel
// must, under the same conditions, so launch overhead and hits in L2 affect both sides. A case with
// operations is also compared with the peak baseline (baselines.h), and the slower baseline of a
// sample is the roof. To make caches irrelevant, the buffers of a timed case should have at least 4
// times the size of L2 (240 MiB on an H200); a smaller case gets a note.

class GpuComparisons final : public CopyComparisons {
 public:
  /// All references must outlive this.
  GpuComparisons(const gpu::GpuRunner& runner, const GpuBenchOptions& options,
                 const device::Profile& profile, const compile::Program& program,
                 std::vector<TimedCase> cases);

  CopyComparison compare(std::size_t which) override;

 private:
  std::vector<gpu::TimedProgram> programs_of(std::size_t which) const;
  PeakCase peak_case_of(const TimedCase& timed) const;
  void open(std::size_t which);
  void judge_time(const TimedCase& timed, CopyComparison& out, std::uint32_t others) const;

  const gpu::GpuRunner& runner_;
  const GpuBenchOptions& options_;
  const device::Profile& profile_;
  const compile::Program& program_;
  bool renews_;
  std::vector<TimedCase> cases_;
  std::vector<gpu::TimedProgram> programs_;  // of all cases, see programs_of()
  std::vector<std::size_t> first_;           // the place of each case's programs
  std::unique_ptr<gpu::CheckedLaunchRunner> launches_;
};

constexpr std::uint64_t kLeastTimesL2 = 4;
// Contents of a case, used in turn.
constexpr std::size_t kContents = 4;

// The copy baseline for `bytes` read and written together.
gpu::TimedProgram timed_copy(const compile::Program& program, std::uint64_t bytes) {
  gpu::TimedProgram out;
  out.machine_code = &program.machine_code;
  out.sequence = copy_launch(bytes / 2);
  out.before = copy_patterns(bytes / 2);
  out.contents = {{0, 0}};
  out.make_expected = gpu::made_by_copy();
  return out;
}

// The peak baseline; the same kernel also computes its expected result.
gpu::TimedProgram timed_peak(const compile::Program& program, const PeakCase& peak) {
  gpu::TimedProgram out;
  out.machine_code = &program.machine_code;
  out.sequence = peak.launch;
  out.before = peak.patterns;
  out.contents = {{0}};
  out.make_expected = gpu::made_by(program.machine_code, peak.launch);
  return out;
}

std::uint64_t copied_bytes_of(const TimedCase& timed) {
  return timed.bytes.value_or(run::least_traffic(timed.before));
}

gpu::TimedProgram timed_program_of(const compile::Program& program, const TimedCase& timed) {
  gpu::TimedProgram out;
  out.machine_code = &program.machine_code;
  out.sequence = timed.sequence;
  out.before = timed.before;
  out.nearness = timed.nearness;
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

}  // namespace

GpuComparisons::GpuComparisons(const gpu::GpuRunner& runner, const GpuBenchOptions& options,
                               const device::Profile& profile, const compile::Program& program,
                               std::vector<TimedCase> cases)
    : runner_(runner),
      options_(options),
      profile_(profile),
      program_(program),
      renews_(gpu::can_keep_state(program.ptx.text())),
      cases_(std::move(cases)) {
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    first_.push_back(programs_.size());
    for (auto& one : programs_of(i)) programs_.push_back(std::move(one));
  }
}

PeakCase GpuComparisons::peak_case_of(const TimedCase& timed) const {
  return peak_case(timed.operations, timed.arithmetic, profile_.sm.count, options_.peak_rounds);
}

// The programs of a case in the order that PairedRun expects.
std::vector<gpu::TimedProgram> GpuComparisons::programs_of(std::size_t which) const {
  const auto& timed = cases_[which];
  const std::string architecture(profile_.architecture);
  std::vector<gpu::TimedProgram> out;
  out.push_back(timed_copy(copy_program(architecture), copied_bytes_of(timed)));
  out.push_back(timed_program_of(program_, timed));
  if (timed.operations > 0) {
    out.push_back(timed_peak(peak_program(architecture, timed.arithmetic), peak_case_of(timed)));
  }
  return out;
}

CopyComparison GpuComparisons::compare(std::size_t which) {
  const auto& timed = cases_.at(which);
  CopyComparison out;
  out.measured.bytes = run::least_traffic(timed.before);
  const bool is_new = launches_ == nullptr || renews_;
  if (is_new) open(which);
  const gpu::DeviceLock turn(options_.lock_folder, runner_.bus(), options_.lock_patience);
  if (is_new) launches_->begin();
  const auto first = first_.at(which);
  PairedRun run(*launches_, renews_ ? 0 : first, programs_[first + 1], timed, renews_, out);
  if (timed.operations > 0) {
    run.compare_with_peak(timed.operations / peak_case_of(timed).operations);
  }
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
  set_time(out.measured, profile_, run.seconds(), program_, timed.sequence);
  if (!out.fraction) return out;
  if (timed.operations > 0 && !run.seconds().empty()) {
    out.roofline =
        Roofline{static_cast<double>(copied_bytes_of(timed)), timed.operations,
                 median(run.copy_seconds()), median(run.peak_seconds()), out.measured.seconds};
  }
  judge_time(timed, out, run.others());
  return out;
}

void GpuComparisons::open(std::size_t which) {
  auto programs = programs_;
  if (renews_) {
    const auto begin = programs_.begin() + static_cast<std::ptrdiff_t>(first_.at(which));
    programs.assign(begin, begin + (cases_[which].operations > 0 ? 3 : 2));
  }
  launches_.reset();
  launches_ = std::make_unique<gpu::CheckedLaunchRunner>(
      runner_.platform(), runner_.time_limit(), programs,
      gpu::fingerprint_program(std::string(profile_.architecture)), gpu::random_key());
}

// Adds notes that depend on a time or on the size of a case.
void GpuComparisons::judge_time(const TimedCase& timed, CopyComparison& out,
                                std::uint32_t others) const {
  const auto bytes = static_cast<double>(out.measured.bytes);
  const double least =
      least_seconds(bytes, static_cast<double>(runner_.l2_bytes()), profile_.dram.bytes_per_second);
  if (out.measured.seconds < least) {
    out.impossible = fmt::format(
        "a launch took {:.3g} us, but {:.3g} MB cannot go through the memory of a {} in less "
        "than {:.3g} us: somebody should look at this submission",
        out.measured.seconds * 1e6, bytes * 1e-6, profile_.product, least * 1e6);
  }
  const bool is_limited_by_bytes = !out.roofline || !out.roofline->is_limited_by_operations();
  if (is_limited_by_bytes && out.measured.bytes < kLeastTimesL2 * runner_.l2_bytes()) {
    out.notes.push_back(fmt::format(
        "its buffers are {:.3g} times L2, so caches affect the measurement: its {} should make "
        "them "
        "at least {} times as large",
        bytes / static_cast<double>(runner_.l2_bytes()),
        timed.sequence.is_one_launch() ? "timed_variables" : "variables", kLeastTimesL2));
  }
  if (others > 0 && !out.fraction->decided) {
    out.fraction->warning +=
        fmt::format("; {} other process{} the card", others, others == 1 ? " uses" : "es use");
  }
}

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

  void rest() override { runner_->rest(); }

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

  double peak_seconds(double operations, timing::ArithmeticKind kind) override {
    const auto known = peaks_.find({operations, kind});
    if (known != peaks_.end()) return known->second;
    const auto peak = peak_case(operations, kind, profile_.sm.count, options_.peak_rounds);
    auto buffers = run::made(peak.patterns);
    run::Result result;
    const std::string architecture(profile_.architecture);
    const auto& program = peak_program(architecture, kind);
    const auto seconds = timed(program, peak.launch, buffers, kCopySamples, result).seconds;
    if (!result.diagnostics.empty()) {
      throw base::ToolError("the peak baseline did not run; the GPU cannot be trusted");
    }
    return peaks_[{operations, kind}] = median(seconds) * operations / peak.operations;
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
  std::map<std::pair<double, timing::ArithmeticKind>, double> peaks_;  // operations -> seconds
};

}  // namespace

std::unique_ptr<GpuBench> gpu_bench(std::unique_ptr<gpu::GpuRunner> runner,
                                    const GpuBenchOptions& options) {
  auto all = options;
  all.is_card_unknown = all.is_card_unknown || is_card_unknown();
  return std::make_unique<RealGpuBench>(std::move(runner), std::move(all));
}

}  // namespace warpgrade::measure
