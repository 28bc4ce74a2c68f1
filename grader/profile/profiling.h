// SPDX-License-Identifier: Apache-2.0
// One launch of one kernel as the command line describes it: checked against the kernel, run,
// reported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/dim3.h"
#include "common/measure/gpu_bench.h"
#include "common/measure/sim_bench.h"
#include "common/ptx/module.h"
#include "common/run/launch.h"
#include "grader/profile/argument_spec.h"
#include "grader/report/profile_report.h"

namespace warpgrade::grader {

/// Throws base::UsageError, with the list that is expected, where `arguments` do not fit the
/// parameters of `function` in number or size; `signature` is the kernel's.
void check_parameters(const ptx::Function& function, const std::string& signature,
                      const std::vector<ArgumentSpec>& arguments);

/// Throws base::UsageError where the device of `profile` cannot launch this, or where it is more
/// than a simulator will ever finish.
void check_geometry(const run::Launch& launch, const device::Profile& profile);

/// A launch as the command line describes it.
struct ProfiledLaunch {
  std::filesystem::path file;
  std::vector<std::filesystem::path> include_folders;  ///< Where #include looks, too.
  std::string kernel;
  run::Launch launch;  ///< Geometry alone; its kernel and arguments follow from the others.
  std::vector<ArgumentSpec> arguments;
};

/// Compiles the file and runs the kernel on `bench`. `buffers` holds the results afterwards. The
/// report's diagnostics say what is wrong with the program.
ProfileReport profile(const ProfiledLaunch& asked, measure::SimBench& bench,
                      std::vector<run::Buffer>& buffers);
ProfileReport profile(const ProfiledLaunch& asked, measure::GpuBench& bench,
                      std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::grader
