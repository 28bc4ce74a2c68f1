// SPDX-License-Identifier: Apache-2.0
// Says in plain words what the driver's error after a kernel tells of the kernel.
//
// A fault ends the process's use of the device: every later call returns the same error, also with
// a new context (seen on an H200, driver 580.159). So the launch that failed is the last one of
// its process; see worker.h.
#pragma once

#include <optional>
#include <string>

#include "common/base/diagnostic.h"
#include "common/gpu/driver.h"

namespace warpgrade::gpu {

/// The diagnostic for an error that `kernel` caused while it ran; nothing where the error is not
/// the kernel's. Except for asserts (see
/// add_assertion) the device tells neither source line nor thread.
std::optional<base::Diagnostic> kernel_fault(Status status, const std::string& kernel);

/// Adds to the diagnostics of a failed assert what the driver printed of the first one: its text,
/// line, block and thread. `printed` may hold anything; where it holds no such line nothing
/// changes.
void add_assertion(std::vector<base::Diagnostic>& diagnostics, const std::string& kernel,
                   const std::string& printed);

/// The diagnostic for a kernel that was stopped after `seconds`.
base::Diagnostic runaway(const std::string& kernel, double seconds);

}  // namespace warpgrade::gpu
