// SPDX-License-Identifier: Apache-2.0
// Collects diagnostics, each once: devices and cases repeat them.
#pragma once

#include <vector>

#include "common/base/diagnostic.h"

namespace warpgrade::grader {

/// Adds the new ones of `found` to `all`, up to a total of ten. Two are the same if kind and place
/// are equal, and both have a source line or the same message.
void add_distinct(std::vector<base::Diagnostic>& all, const std::vector<base::Diagnostic>& found);

}  // namespace warpgrade::grader
