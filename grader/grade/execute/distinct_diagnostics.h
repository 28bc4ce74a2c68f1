// SPDX-License-Identifier: Apache-2.0
// Collects diagnostics, each once: devices and cases repeat them.
#pragma once

#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::grader::grade {

/// Adds those of `found` to `all` that are not there yet, as long as `all` has fewer than ten. Two
/// are the same if kind and place are, and either both have a source line or the same facts.
void add_distinct(std::vector<base::Diagnostic>& all, const std::vector<base::Diagnostic>& found);

}  // namespace warpgrade::grader::grade
