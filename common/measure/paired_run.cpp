// SPDX-License-Identifier: Apache-2.0
#include "common/measure/paired_run.h"

#include <algorithm>

#include "common/base/error.h"

namespace warpgrade::measure {
namespace {

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
      known_(kernel.contents.size()),
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
  for (std::size_t i = 0; i < known_.size() && !taken.stop; ++i) kernel(taken);
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
    taken.stop = out_.difference.has_value();
  }
  seconds_.push_back(launch.timing.seconds);
  return launch.timing.seconds;
}

// Bits that differ from the reference may still be right.
std::optional<verify::OutputDifference> PairedRun::difference(std::size_t content,
                                                              const std::vector<run::Buffer>& got) {
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

}  // namespace warpgrade::measure
