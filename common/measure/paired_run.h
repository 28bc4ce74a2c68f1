// SPDX-License-Identifier: Apache-2.0
// Takes the samples of one comparison: launches of the baselines and of a kernel in turn.
//
// A sample is copy, kernel, kernel, copy. With the peak baseline it is copy, peak, kernel, kernel,
// peak, copy, and the slower baseline on each side counts. Consecutive launches of the kernel have
// different contents (gpu/checked_launch.h describes a single launch). Every launch is checked.
// Results go into the CopyComparison of the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "common/gpu/checked_launch_runner.h"
#include "common/measure/comparison.h"
#include "common/measure/copy_comparison.h"
#include "common/measure/timed_case.h"

namespace warpgrade::measure {

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

  struct Known {
    std::vector<run::Buffer> before;
    std::vector<run::Buffer> after;
  };

  gpu::CheckedLaunchRunner& launches_;
  std::size_t copy_;
  const gpu::TimedProgram& kernel_;
  const TimedCase& timed_;
  bool renews_;
  CopyComparison& out_;
  std::vector<std::optional<Known>> known_;  // by content
  std::mt19937_64 random_;
  std::uint64_t kernel_launches_ = 0;
  std::uint32_t others_ = 0;
  std::vector<double> seconds_;
  std::optional<double> peak_scale_;
  std::vector<double> copy_seconds_;
  std::vector<double> peak_seconds_;
};

}  // namespace warpgrade::measure
