// SPDX-License-Identifier: Apache-2.0
#include "common/measure/gpu_comparisons.h"

#include <fmt/format.h>

#include <random>
#include <string>

#include "common/gpu/device_lock.h"
#include "common/measure/copy_kernel.h"
#include "common/measure/gpu_time.h"
#include "common/measure/paired_run.h"
#include "common/measure/peak_kernel.h"
#include "common/measure/statistics.h"

namespace warpgrade::measure {
namespace {

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
      renews_(gpu::can_keep_state(program.ptx)),
      cases_(std::move(cases)) {
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    first_.push_back(programs_.size());
    for (auto& one : programs_of(i)) programs_.push_back(std::move(one));
  }
}

// The programs of a case in the order that PairedRun expects.
std::vector<gpu::TimedProgram> GpuComparisons::programs_of(std::size_t which) const {
  const auto& timed = cases_[which];
  const std::string architecture(profile_.architecture);
  std::vector<gpu::TimedProgram> out;
  out.push_back(timed_copy(copy_program(architecture), copied_bytes_of(timed)));
  out.push_back(timed_program_of(program_, timed));
  if (timed.operations > 0) {
    out.push_back(timed_peak(peak_program(architecture),
                             peak_case(timed.operations, profile_.sm.count, options_.peak_rounds)));
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
    run.compare_with_peak(
        timed.operations /
        peak_case(timed.operations, profile_.sm.count, options_.peak_rounds).operations);
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

}  // namespace warpgrade::measure
