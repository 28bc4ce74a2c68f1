// SPDX-License-Identifier: Apache-2.0
// Executes some blocks of a launch on a profile and models the time of the whole launch, for sizes
// at which executing every block would take long.
//
// Checks are off, and buffers contain only the results of the executed blocks. SimBench::measure
// executes every block at a small size to decide whether a kernel is right. Both use the same
// model.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/compile/program.h"
#include "common/device/profile.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "common/run/runner.h"
#include "common/sim/memory/sparse_buffer.h"
#include "common/timing/model.h"
#include "common/timing/occupancy.h"

namespace warpgrade::measure {

/// The purpose of a partial execution.
enum class SampleUse : std::uint8_t {
  kTime,            ///< The blocks of the time model, and 32 others.
  kTimeAndResults,  ///< And up to 1,024 others, for results only.
  kResults,         ///< 1,024 random blocks and those in the corners of the grid, for results only.
};

/// A launch that executed only some blocks.
struct SampledLaunch {
  run::Result result;
  timing::Occupancy occupancy;
  timing::TimeEstimate time;            ///< Whole launch; meaningless after a diagnostic.
  std::vector<run::BlockRange> blocks;  ///< Executed; ascending and disjoint.
  /// The traced blocks differ, and 1,024 others showed how much a mean block does. Executing the
  /// whole launch would add nothing: its time comes from the same sample.
  bool is_drawn_widely = false;

  std::uint64_t executed() const;
};

/// The time model samples a launch of more warp instructions, even if its blocks differ.
inline constexpr std::uint64_t kMostTracedForAll = std::uint64_t{1} << 23;

/// Executes blocks without checks: the blocks of the model, further blocks drawn with `draw`, and
/// the last ones. If the blocks of a large launch differ, executes 1,024 more. Uses threads and
/// budgets of `options`.
SampledLaunch model_launch(const device::Profile& profile, const compile::Program& program,
                           const compile::Kernel& kernel, const run::Launch& launch,
                           std::vector<sim::SparseBuffer>& buffers, run::Options options,
                           std::uint64_t draw, SampleUse use);

/// Executes all blocks of a launch without checks and counters, some at a time, so that the host
/// needs memory only for the outputs of those. Each part begins with the contents of `patterns`;
/// the module's variables persist. `visit` gets the buffers after each part. Stops at a diagnostic.
run::Result run_in_parts(
    const compile::Program& program, const run::Launch& launch,
    const std::vector<run::Pattern>& patterns, run::Options options,
    const std::function<void(const std::vector<sim::SparseBuffer>& buffers)>& visit);

/// The blocks of a launch that the time model needs.
struct TimedBlocks {
  timing::Sample sample;
  std::vector<run::BlockRange> executed;  ///< Ascending and disjoint.
};

/// The blocks of the model, further ones drawn with `draw`, and the last ones. `function` is the
/// kernel.
TimedBlocks timed_blocks(const device::Profile& profile, const timing::Occupancy& occupancy,
                         const ptx::Function& function, const run::Launch& launch,
                         std::uint64_t draw);

/// The kernel that `launch` names. Throws base::UsageError if `program` does not contain it.
const compile::Kernel& kernel_of(const compile::Program& program, const run::Launch& launch);

/// The occupancy of an SM by this launch of `kernel`.
timing::Occupancy occupancy_of(const device::Profile& profile, const compile::Kernel& kernel,
                               const run::Launch& launch);

/// The reason why no SM can run a block of the launch: "43008 bytes of shared memory a block, 16384
/// at most"; empty if an SM can. Registers are those of the compiled code, which on older devices
/// is for another architecture (Profile::architecture).
std::string does_not_fit(const device::Profile& profile, const compile::Kernel& kernel,
                         const run::Launch& launch);

/// Why a cooperative launch cannot be made although a block of it fits: its blocks are not resident
/// together, or the device has no such launches. Empty if it can, and for other launches.
std::string not_resident(const device::Profile& profile, const compile::Kernel& kernel,
                         const run::Launch& launch);

}  // namespace warpgrade::measure
