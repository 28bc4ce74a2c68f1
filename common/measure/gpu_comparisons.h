// SPDX-License-Identifier: Apache-2.0
// Compares cases of one program with the copy baseline on a GPU.
//
// Comparisons take turns with other graders in holding the GPU. The cases of a submission share one
// process. A kernel that could keep data for later launches gets a process per case and a new
// context per sample, which is much slower. The copy baseline moves as many bytes as the kernel
// must, under the same conditions, so launch overhead and hits in L2 affect both sides. A case with
// operations is also compared with the peak baseline (peak_kernel.h), and the slower baseline of a
// sample is the roof. To make caches irrelevant, the buffers of a timed case should have at least 4
// times the size of L2 (240 MiB on an H200); a smaller case gets a note.
#pragma once

#include <memory>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/gpu/checked_launch_runner.h"
#include "common/gpu/gpu_runner.h"
#include "common/measure/copy_comparison.h"
#include "common/measure/gpu_bench_options.h"
#include "common/measure/timed_case.h"

namespace warpgrade::measure {

class GpuComparisons final : public CopyComparisons {
 public:
  /// All references must outlive this.
  GpuComparisons(const gpu::GpuRunner& runner, const GpuBenchOptions& options,
                 const device::Profile& profile, const compile::Program& program,
                 std::vector<TimedCase> cases);

  CopyComparison compare(std::size_t which) override;

 private:
  std::vector<gpu::TimedProgram> programs_of(std::size_t which) const;
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

}  // namespace warpgrade::measure
