// SPDX-License-Identifier: Apache-2.0
// The time of a launch on a profile by the model alone, for sizes at which executing all of it
// would take long.
//
// Only the blocks of the model's sample are executed, with no checks, so the buffers do not hold
// the kernel's result afterwards: SimBench::measure says whether it is right, which executes
// every block, at a size where that is quick. The model is the same in both.
#pragma once

#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/timing/model.h"
#include "common/timing/occupancy.h"

namespace warpgrade::measure {

/// A launch of which the blocks were executed that the time model looks at.
struct SampledLaunch {
  run::Result result;
  timing::Occupancy occupancy;
  timing::TimeEstimate time;  ///< Of the whole launch; without meaning after a diagnostic.
  std::vector<run::BlockRange> blocks;  ///< Executed; ascending and apart.
  bool is_even = true;                  ///< The blocks do about the same, so they stand for others.

  std::uint64_t executed() const;
};

/// Executes the blocks that the model looks at, and 64 more that follow from `draw`, without
/// checks. Takes threads and budgets of `options`.
SampledLaunch model_launch(const device::Profile& profile, const compile::Program& program,
                           const compile::Kernel& kernel, const run::Launch& launch,
                           std::vector<sim::SparseBuffer>& buffers, run::Options options,
                           std::uint64_t draw);

/// Throws base::ToolError where the kernel ends with a diagnostic. Takes so many `threads` of the
/// host, 0: all.
timing::TimeEstimate model_time(const device::Profile& profile, const compile::Program& program,
                                const compile::Kernel& kernel, const run::Launch& launch,
                                std::vector<run::Buffer>& buffers, unsigned threads = 0);

/// The share of an SM that `kernel` takes when it is launched so.
timing::Occupancy occupancy_of(const device::Profile& profile, const compile::Kernel& kernel,
                               const run::Launch& launch);

/// Why no SM can hold a block of the launch: "43008 bytes of shared memory a block, 16384 at most";
/// empty where one can. Registers are those of the code there is, on older devices another's
/// (Profile::architecture).
std::string does_not_fit(const device::Profile& profile, const compile::Kernel& kernel,
                         const run::Launch& launch);

}  // namespace warpgrade::measure
