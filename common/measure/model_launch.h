// SPDX-License-Identifier: Apache-2.0
// Some blocks of a launch on a profile, and the time of all of it by the model, for sizes at which
// executing every block would take long.
//
// There are no checks, and buffers hold what these blocks wrote. SimBench::measure says whether a
// kernel is right, which executes every block, at a size where that is quick. The model is the same
// in both.
#pragma once

#include <cstdint>
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

/// The purpose for which some blocks of a launch are executed.
enum class SampleUse : std::uint8_t {
  kTime,     ///< Those that the time model looks at, and 64 others.
  kResults,  ///< 128 blocks drawn, the first and the last; only results are asked.
};

/// A launch of which some blocks were executed.
struct SampledLaunch {
  run::Result result;
  timing::Occupancy occupancy;
  timing::TimeEstimate time;            ///< The whole launch's; without meaning after a diagnostic.
  std::vector<run::BlockRange> blocks;  ///< Executed; ascending and apart.
  bool is_even = true;                  ///< The blocks do about the same, so they stand for others.

  std::uint64_t executed() const;
};

/// Executes blocks without checks: those of the model, others that follow from `draw`, and the last
/// ones. Takes threads and budgets of `options`.
SampledLaunch model_launch(const device::Profile& profile, const compile::Program& program,
                           const compile::Kernel& kernel, const run::Launch& launch,
                           std::vector<sim::SparseBuffer>& buffers, run::Options options,
                           std::uint64_t draw, SampleUse use);

/// The kernel that `launch` names. Throws base::UsageError where `program` has none of that name.
const compile::Kernel& kernel_of(const compile::Program& program, const run::Launch& launch);

/// The share of an SM that `kernel` takes when it is launched so.
timing::Occupancy occupancy_of(const device::Profile& profile, const compile::Kernel& kernel,
                               const run::Launch& launch);

/// Why no SM can hold a block of the launch: "43008 bytes of shared memory a block, 16384 at most";
/// empty where one can. Registers are those of the code there is, on older devices another's
/// (Profile::architecture).
std::string does_not_fit(const device::Profile& profile, const compile::Kernel& kernel,
                         const run::Launch& launch);

}  // namespace warpgrade::measure
