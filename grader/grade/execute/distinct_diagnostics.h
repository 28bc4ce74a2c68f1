// SPDX-License-Identifier: Apache-2.0
// Collects diagnostics, each once: devices and cases repeat them.
#pragma once

#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::grader::grade {

/// Adds the diagnostics of `found` that `all` lacks, while `all` has fewer than ten. Two are the
/// same if they have the same kind and place, and either a source line or the same facts.
void add_distinct(std::vector<base::Diagnostic>& all, const std::vector<base::Diagnostic>& found);

}  // namespace warpgrade::grader::grade
