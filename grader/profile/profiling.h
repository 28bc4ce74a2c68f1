// SPDX-License-Identifier: Apache-2.0
// One launch of one kernel as the command line describes it: checked against the kernel, run,
// reported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/base/dim3.h"
#include "common/measure/measure.h"
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

/// Compiles `file` and runs `kernel` of it on `bench`; the launch's kernel and arguments are filled
/// in here. `buffers` holds the results afterwards. What is wrong with the program is in the
/// report's diagnostics.
ProfileReport profile(const std::filesystem::path& file, const std::string& kernel,
                      const run::Launch& launch, const std::vector<ArgumentSpec>& arguments,
                      measure::Bench& bench, std::vector<run::Buffer>& buffers);

}  // namespace warpgrade::grader
