// SPDX-License-Identifier: Apache-2.0
// Explains an error that the driver reports after a kernel in plain language.
//
// After a fault the process cannot use the device: every later call returns the same error, even
// with a new context (seen on an H200, driver 580.159). The failed launch is therefore the last one
// of its process; see worker.h.
#pragma once

#include <optional>
#include <string>

#include "common/base/diagnostic.h"
#include "common/gpu/driver.h"

namespace warpgrade::gpu {

/// The diagnostic for an error that `kernel` caused; nullopt if the kernel did not cause the
/// error. The device reports neither source line nor thread, except for asserts (see
/// add_assertion()).
std::optional<base::Diagnostic> kernel_fault(Status status, const std::string& kernel);

/// Adds the driver's report of the first failed assert to its diagnostics: text, line,
/// block and thread. `printed` may contain anything; without such a report nothing
/// changes.
void add_assertion(std::vector<base::Diagnostic>& diagnostics, const std::string& kernel,
                   const std::string& printed);

/// The diagnostic for a kernel that was stopped after `seconds`.
base::Diagnostic runaway(const std::string& kernel, double seconds);

}  // namespace warpgrade::gpu
